import { afterEach, describe, expect, it } from '@jest/globals';
import type { ExplorerVisit } from './explorer-visit.js';
import { closeToPages, ForeignLogin, keepTokensBack } from './foreign-login.js';
import { useExplorer } from './use-explorer.js';

const PATIENCE_MS = 120_000;

const openExplorer = useExplorer();

describe('A user of the explorer who logs in at the authorization server of the docs, in Chromium', () => {
  let login: ForeignLogin;
  let visit: ExplorerVisit;

  afterEach(async () => {
    await visit?.close();
    await login?.stop();
  });

  const open = async (name: string, change?: (code: string) => string) => {
    login = await ForeignLogin.start(name, change);
    visit = await openExplorer(login.url.href);
    // The provider's own pages want a font from elsewhere.
    await visit.page.route(
      ({ hostname }) => !['127.0.0.1', 'localhost'].includes(hostname),
      (route) => route.abort(),
    );
    await visit.expectText('The server requires a login');
  };

  /** What the browser asked its own server to send. */
  const countRelayed = () => {
    const relayed: string[] = [];
    visit.page.on('request', (request) => {
      if (!request.url().endsWith('?explorer=login')) return;
      relayed.push((request.postDataJSON() as { readonly endpoint: string }).endpoint);
    });
    return relayed;
  };

  it(
    'logs in as the page of the documentation has it, by the browser alone (WAY-02)',
    async () => {
      await open('open');
      const relayed = countRelayed();
      await visit.press('Log in');
      await login.admit(visit.page);
      await visit.connected();
      expect(relayed).toEqual([]);
      expect(visit.page.url()).not.toMatch(/code|state/);
    },
    PATIENCE_MS,
  );

  it(
    'logs in where the authorization server lets no page in (WAY-02)',
    async () => {
      await open('closed', closeToPages);
      const relayed = countRelayed();
      await visit.press('Log in');
      await login.admit(visit.page);
      await visit.connected();
      expect(relayed).toEqual(['registration', 'token']);
      await visit.choose('Tools', 'list_tickets');
      await visit.press('Call list_tickets');
      await visit.expectText('T-1002');
    },
    PATIENCE_MS,
  );

  it(
    'finds out before the login that the tokens could not be read (WAY-02)',
    async () => {
      // Clients can register from pages, and get no tokens there.
      await open('tokens', keepTokensBack);
      const relayed = countRelayed();
      await visit.press('Log in');
      await login.admit(visit.page);
      await visit.connected();
      expect(relayed).toEqual(['token']);
    },
    PATIENCE_MS,
  );

  it(
    'reads what failed, why, and what to do where the server relays nothing (WAY-02)',
    async () => {
      await open('unrelayed', closeToPages);
      await visit.page.route('**/mcp?explorer=login', (route) =>
        route.fulfill({ status: 404, body: 'none' }),
      );
      await visit.press('Log in');
      await visit.expectText(
        'The login failed. The request to register this page with the authorization server failed',
      );
      await visit.expectText('Alternatives');
      await visit.expectText(`npx nestjs-mcp-cli login ${login.url.href}`);
      expect(await visit.page.getByLabel(/Client id that you have registered/).isVisible()).toBe(true);
      expect(await visit.page.locator('body').innerText()).not.toContain('does not let clients register');
    },
    PATIENCE_MS,
  );

  it(
    'reads the OAuth error of a registration that was refused (WAY-02)',
    async () => {
      await open('refusing', (code) =>
        code
          .replace(
            'validator(_context, _name, _value, client) {',
            'validator(_context, _name, _value, client) {\n      if (client.client_name === "nestjs-mcp explorer") throw new errors.InvalidClientMetadata("no pages here");',
          )
          .replace('import Provider from', 'import Provider, { errors } from'),
      );
      await visit.press('Log in');
      await visit.expectText('did not register this page, and responded with "invalid_client_metadata"');
      await visit.expectText('no pages here');
    },
    PATIENCE_MS,
  );

  it(
    'reads that the authorization server is not there (WAY-02)',
    async () => {
      await open('gone');
      await login.stopServer();
      await visit.press('Log in');
      await visit.expectText('The request to read the metadata of the authorization server failed');
      await visit.expectText('ECONNREFUSED');
    },
    PATIENCE_MS,
  );

  it(
    'reads where the page is if it is opened at another name of this machine (WAY-02)',
    async () => {
      await open('renamed');
      await visit.page.goto(login.url.href.replace('127.0.0.1', 'localhost'));
      await visit.expectText('The server requires a login');
      await visit.press('Log in');
      await visit.expectText(`open ${login.url.href} instead`);
    },
    PATIENCE_MS,
  );

  it(
    'reads what the authorization server said no to (WAY-02)',
    async () => {
      await open('denied');
      await visit.press('Log in');
      await visit.page.waitForURL((url) => url.origin === login.issuer);
      await visit.page.getByRole('link', { name: 'Cancel' }).click();
      await visit.page.waitForURL((url) => url.origin === login.url.origin);
      await visit.expectText('refused the login with "access_denied"');
    },
    PATIENCE_MS,
  );
});
