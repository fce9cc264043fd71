import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FakeIssuer } from 'nestjs-mcp/testing';
import type { RunningApp } from '../support/applications/boot.js';
import { bootServer } from '../support/applications/server.js';
import { ExplorerDesk } from './explorer-desk.js';
import type { ExplorerVisit } from './explorer-visit.js';
import { useExplorer } from './use-explorer.js';

const PATIENCE_MS = 60_000;
const TOKEN = 'a-fixed-token-of-the-desk';
const RESOURCE = 'http://127.0.0.1/mcp';

const openExplorer = useExplorer();

async function give(visit: ExplorerVisit, label: string, token: string): Promise<void> {
  await visit.page.getByLabel(label).fill(token);
  await visit.press('Use the token');
}

describe('A user of the explorer whose fixed token is refused', () => {
  let desk: RunningApp;
  let visit: ExplorerVisit;

  beforeAll(async () => {
    desk = await bootServer({ options: { auth: { bearer: TOKEN } }, providers: [ExplorerDesk] });
    visit = await openExplorer(desk.url);
  }, PATIENCE_MS);
  afterAll(async () => {
    await visit?.close();
    await desk?.close();
  });

  it(
    'reads that it was, and is asked again, and the token is not sent once more (WAY-02)',
    async () => {
      const { page } = visit;
      await give(visit, 'The token', 'a-wrong-token-of-the-desk');
      await visit.expectText('The server refused this token: its log contains the reason');
      expect(await page.getByLabel('The token').inputValue()).toBe('');
      expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain('a-wrong-token');
      await page.reload();
      await visit.expectText('The server requires a token');
      expect(await page.locator('body').innerText()).not.toContain('refused');
    },
    PATIENCE_MS,
  );

  it(
    'reads what the server says of it (WAY-02)',
    async () => {
      const { page } = visit;
      await page.route(desk.url, (route, request) => {
        const isRefused = request.headers()['authorization'] === 'Bearer revoked';
        const challenge = 'Bearer error="invalid_token", error_description="It was revoked yesterday"';
        return isRefused
          ? route.fulfill({ status: 401, headers: { 'www-authenticate': challenge }, body: '{}' })
          : route.continue();
      });
      await give(visit, 'The token', 'revoked');
      await visit.expectText('The server refused this token: It was revoked yesterday.');
      await give(visit, 'The token', TOKEN);
      await visit.connected();
      expect(await page.locator('body').innerText()).not.toContain('refused');
    },
    PATIENCE_MS,
  );

  it(
    'copies commands that name the variable of the token (WAY-02)',
    async () => {
      await visit.choose('Doctor');
      await visit.expectText(`npx nestjs-mcp-cli doctor ${desk.url} --token-env DESK_TOKEN`);
      await visit.expectText(`npx nestjs-mcp-cli lint ${desk.url} --token-env DESK_TOKEN`);
      const text = await visit.page.getByRole('main').innerText();
      expect(text).not.toContain(TOKEN);
    },
    PATIENCE_MS,
  );
});

describe('A user of the explorer whose token is one of an authorization server', () => {
  let issuer: FakeIssuer;
  let desk: RunningApp;
  let visit: ExplorerVisit;

  beforeAll(async () => {
    issuer = await FakeIssuer.start();
    const auth = { ...issuer.authOptions(RESOURCE), requiredScopes: ['desk:read'] };
    desk = await bootServer({ options: { auth }, providers: [ExplorerDesk] });
    visit = await openExplorer(desk.url);
  }, PATIENCE_MS);
  afterAll(async () => {
    await visit?.close();
    await desk?.close();
    await issuer?.stop();
  });

  it(
    'reads when it expired, also of one that the tab had (WAY-02)',
    async () => {
      const past = Math.floor(Date.now() / 1000) - 3600;
      const expired = await issuer.token({ scope: 'desk:read', exp: past });
      await give(visit, 'Or paste a token', expired);
      await visit.expectText('The server refused this token: it expired at');
      // The tab had one from before, which has expired meanwhile.
      await give(visit, 'Or paste a token', await issuer.token({ scope: 'desk:read' }));
      await visit.connected();
      await visit.page.evaluate(
        `for (const [key, kept] of Object.entries(sessionStorage)) {
          sessionStorage.setItem(key, JSON.stringify({ ...JSON.parse(kept), typedToken: '${expired}' }));
        }`,
      );
      await visit.page.reload();
      await visit.expectText('The server refused this token: it expired at');
    },
    PATIENCE_MS,
  );

  it(
    'reads which scopes are missing (WAY-02)',
    async () => {
      await give(visit, 'Or paste a token', await issuer.token({ scope: 'desk:other' }));
      await visit.expectText('The server requires more scopes than your token has');
      await visit.expectText('desk:read');
      await visit.page.reload();
      await visit.expectText('The server requires more scopes than your token has');
    },
    PATIENCE_MS,
  );
});
