import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { RequireScope, Tool, type DpopOptions, type GivenClaims } from 'nestjs-mcp';
import { findFreePort } from '../conformance/find-free-port.js';
import type { RunningApp } from '../support/applications/boot.js';
import { bootServer } from '../support/applications/server.js';
import { LoginServer } from '../support/authorization/login-server.js';
import type { ExplorerVisit } from './explorer-visit.js';
import { useExplorer } from './use-explorer.js';

const PATIENCE_MS = 120_000;

@Injectable()
class BoundDesk {
  @Tool({ description: 'Says that it was reached' })
  reach(): string {
    return 'reached';
  }

  @Tool({ description: 'Writes' })
  @RequireScope('desk:write')
  write(): string {
    return 'written';
  }
}

let login: LoginServer;
let desk: RunningApp;
let visit: ExplorerVisit;
/** What the page has sent to the endpoint: its scheme, and whether it brought a proof. */
let sent: { readonly scheme: string | undefined; readonly hasProof: boolean }[];

const openExplorer = useExplorer();

async function start(dpop: DpopOptions): Promise<void> {
  const port = await findFreePort();
  const resourceUri = `http://127.0.0.1:${port}/mcp`;
  // This authorization server lets no page register itself.
  const clients = [
    {
      client_id: 'explorer',
      redirect_uris: [resourceUri],
      grant_types: ['authorization_code', 'refresh_token'],
      application_type: 'native' as const,
      token_endpoint_auth_method: 'none' as const,
    },
  ];
  login = await LoginServer.start({ resources: [resourceUri], clients, allowsPages: true });
  const validate = async (token: string): Promise<GivenClaims | undefined> => {
    const found = await login.find(token);
    return found && { sub: 'ada', scopes: found.scopes, extra: found.jkt ? { cnf: { jkt: found.jkt } } : {} };
  };
  const authorizationServers = [login.issuer];
  const auth = {
    resourceUri,
    authorizationServers,
    validator: { validate },
    dpop,
    requiredScopes: ['desk:read'],
  };
  desk = await bootServer({ options: { auth }, providers: [BoundDesk], port });
  visit = await openExplorer(desk.url);
  sent = [];
  visit.page.on('request', (request) => {
    const { authorization, dpop: proof } = request.headers();
    if (request.url() !== desk.url || authorization === undefined) return;
    sent.push({ scheme: authorization.split(' ')[0], hasProof: proof !== undefined });
  });
}

/** Logs in; the user of the authorization server decides at once. */
const logIn = async (button = 'Log in') => {
  const { page } = visit;
  const back = page.waitForEvent('load');
  const failure = page.getByText(/^The login failed/);
  const failed = failure.waitFor().then(async () => Promise.reject(new Error(await failure.innerText())));
  failed.catch(() => undefined);
  const clientId = page.getByLabel(/^Client id/);
  if (!(await clientId.isVisible())) await page.getByText('Log in with your client ID').click();
  await clientId.fill('explorer');
  await visit.press(button);
  await Promise.race([back, failed]);
  await visit.connected();
};

const callTool = async (name: string, answer: string) => {
  await visit.choose('Tools', name);
  await visit.press(`Call ${name}`);
  await visit.expectText(answer);
};

afterEach(async () => {
  await visit.close();
  await desk.close();
  await login.stop();
}, PATIENCE_MS);

describe.each<DpopOptions>([{ mode: 'required' }, { mode: 'required', nonce: true }])(
  'A user of the explorer, at a server that takes bound tokens alone, %j (RFC 9449)',
  (dpop) => {
    beforeEach(() => start(dpop), PATIENCE_MS);

    it(
      'logs in, and proves each request with the key of the page (WAY-02, XTN-03)',
      async () => {
        await logIn();
        await callTool('reach', 'reached');
        expect(sent.length).toBeGreaterThan(2);
        expect(sent.every(({ scheme, hasProof }) => scheme === 'DPoP' && hasProof)).toBe(true);
        visit.assertPeace();
      },
      PATIENCE_MS,
    );

    it(
      'steps up, and gets another bound token (WAY-02, STEP-02)',
      async () => {
        await logIn();
        await callTool('write', 'The server requires more scopes than your token has');
        await logIn('Request them');
        await callTool('write', 'written');
        expect(sent.every(({ scheme }) => scheme === 'DPoP')).toBe(true);
      },
      PATIENCE_MS,
    );

    it(
      'has neither the token nor its key in any storage, and logs in again after a reload (WAY-02, XTN-03)',
      async () => {
        await logIn();
        const { page } = visit;
        const kept = await page.evaluate<string>(
          `(async () => JSON.stringify([{ ...sessionStorage }, { ...localStorage }, await indexedDB.databases()]))()`,
        );
        expect(kept).not.toMatch(/(?:access_token|refresh_token|"d)\\*":/);
        await page.reload();
        await visit.expectText('The server requires a login');
        await logIn();
        await callTool('reach', 'reached');
      },
      PATIENCE_MS,
    );
  },
);

describe('A user of the explorer, at a server that takes bound tokens too', () => {
  it(
    'gets a bearer token, which lasts as long as the tab (WAY-02)',
    async () => {
      await start({ mode: 'allowed' });
      await logIn();
      await visit.page.reload();
      await visit.connected();
      expect(sent.every(({ scheme, hasProof }) => scheme === 'Bearer' && !hasProof)).toBe(true);
    },
    PATIENCE_MS,
  );
});
