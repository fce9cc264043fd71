import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import {
  AuthorizationServerScene,
  type Adapter,
} from '../support/authorization/authorization-server-scene.js';
import { until } from '../support/until.js';
import { launchChromium } from './chromium.js';
import { EndpointLog } from './endpoint-log.js';
import type { ReadableGuest } from './guest.js';
import { McpRemoteGuest } from './mcp-remote.guest.js';
import { OfficialGuest } from './official.guest.js';
import { V1Guest } from './v1.guest.js';

const PATIENCE_MS = 90_000;
/** Long enough for the requests that follow a login, also on a busy machine. */
const ACCESS_TOKEN_SECONDS = 4;

const GUESTS: readonly (readonly [
  string,
  Adapter,
  number,
  (url: string) => ReadableGuest | Promise<ReadableGuest>,
])[] = [
  ['client v1', 'express', 3, (url) => V1Guest.create(url)],
  ['client v1', 'fastify', 1, (url) => V1Guest.create(url)],
  ['client v2', 'fastify', 3, (url) => OfficialGuest.create(url, 'auto')],
  ['client v2 in a session', 'express', 1, (url) => OfficialGuest.create(url, 'legacy')],
  ['mcp-remote', 'express', 3, (url) => new McpRemoteGuest(url, 'auto')],
  ['mcp-remote in a session', 'fastify', 1, (url) => new McpRemoteGuest(url, 'legacy')],
];

let browser: Browser;
let person: BrowserContext;
let page: Page;
let scene: AuthorizationServerScene;
let log: EndpointLog;

beforeAll(async () => {
  browser = await launchChromium();
}, PATIENCE_MS);
afterAll(() => browser?.close());

beforeEach(async () => {
  person = await browser.newContext({ javaScriptEnabled: false });
  page = await person.newPage();
}, PATIENCE_MS);
afterEach(async () => {
  await person.close();
  await scene.stop();
}, PATIENCE_MS);

describe('A person with Chromium whose access tokens last for seconds', () => {
  it.each(GUESTS)(
    'logs in once for %s on %s with %s applications, and again when the login was revoked (AS-01)',
    async (_name, adapter, applications, create) => {
      const guest = await enter({ adapter, applications }, create);
      try {
        await Promise.all([guest.connect(), guest.sentTo(1).then(allow)]);
        const first = await guest.readLogin();
        const isRefreshed = async () => {
          expect(await whoAmI(guest)).toContain('ada with desk:read');
          return tokenResponses(200) >= 3;
        };
        await until(isRefreshed, 'two refreshes', PATIENCE_MS);
        const { clientId, refreshToken } = await guest.readLogin();
        expect(clientId).toBe(first.clientId);
        expect(refreshToken).not.toBe(first.refreshToken);
        await revoke(clientId, refreshToken);
        const again = guest.sentTo(2).then(allow);
        // An access token is accepted until it expires.
        const isBack = async () => {
          expect(await whoAmI(guest)).toContain('ada');
          return (await guest.readLogin()).refreshToken !== refreshToken;
        };
        await until(isBack, 'the second login', PATIENCE_MS);
        await again;
        expect(tokenResponses(400)).toBeGreaterThan(0);
      } finally {
        await guest.stop();
      }
    },
    PATIENCE_MS,
  );
});

async function enter(
  { adapter, applications }: { readonly adapter: Adapter; readonly applications: number },
  create: (url: string) => ReadableGuest | Promise<ReadableGuest>,
): Promise<ReadableGuest> {
  scene = await AuthorizationServerScene.start({
    adapter,
    applications,
    server: { accessTokenSeconds: ACCESS_TOKEN_SECONDS },
    auth: { jwt: { clockToleranceSeconds: 0 } },
  });
  log = new EndpointLog(scene.front);
  return create(scene.resource);
}

async function whoAmI(guest: ReadableGuest): Promise<string> {
  return JSON.stringify((await guest.call('whoAmI')).content);
}

function tokenResponses(status: number): number {
  return log.of(status).filter(({ path }) => path === '/oauth/token').length;
}

/** Revokes a login as a program does that logs out (RFC 7009). */
async function revoke(clientId: string, refreshToken: string): Promise<void> {
  const metadata = await fetch(`${scene.origin}/.well-known/oauth-authorization-server/oauth`);
  const { revocation_endpoint: url } = (await metadata.json()) as { readonly revocation_endpoint: string };
  const body = new URLSearchParams({ token: refreshToken, client_id: clientId });
  expect((await fetch(url, { method: 'POST', body })).status).toBe(200);
}

async function allow(address: string): Promise<void> {
  await page.goto(address);
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.waitForURL((url) => url.port !== new URL(scene.origin).port);
}
