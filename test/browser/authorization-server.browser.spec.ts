import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import {
  AuthorizationServerScene,
  CALLER_SCOPES,
  type Adapter,
} from '../support/authorization/authorization-server-scene.js';
import { launchChromium } from './chromium.js';
import type { Guest } from './guest.js';
import { McpRemoteGuest } from './mcp-remote.guest.js';
import { OfficialGuest } from './official.guest.js';
import { V1Guest } from './v1.guest.js';

const PATIENCE_MS = 60_000;

/** Three applications take turns, and have no sessions. */
const GUESTS: readonly (readonly [string, Adapter, number, (url: string) => Guest | Promise<Guest>])[] = [
  ['the official client', 'express', 3, (url) => OfficialGuest.create(url, 'auto')],
  ['the official client in a session', 'fastify', 1, (url) => OfficialGuest.create(url, 'legacy')],
  ['mcp-remote', 'fastify', 3, (url) => new McpRemoteGuest(url, 'auto')],
  ['mcp-remote in a session', 'express', 1, (url) => new McpRemoteGuest(url, 'legacy')],
  ['client v1 without refresh tokens', 'express', 1, (url) => V1Guest.create(url, ['authorization_code'])],
  ['client v1 without refresh tokens', 'fastify', 3, (url) => V1Guest.create(url, ['authorization_code'])],
];

let browser: Browser;
let person: BrowserContext;
let page: Page;
let scene: AuthorizationServerScene;

beforeAll(async () => {
  browser = await launchChromium();
}, PATIENCE_MS);
afterAll(() => browser?.close());

/** The page must work on a phone, and for people who allow no scripts. */
beforeEach(async () => {
  person = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 400, height: 800 } });
  page = await person.newPage();
}, PATIENCE_MS);
afterEach(async () => {
  await person.close();
  await scene.stop();
}, PATIENCE_MS);

describe('A person with Chromium at the consent page, without scripts and at 400 px', () => {
  it.each(GUESTS)(
    'logs in and steps up for %s on %s, with %s applications (AS-01) (AS-02)',
    async (_name, adapter, applications, create) => {
      scene = await AuthorizationServerScene.start({ adapter, applications });
      const guest = await create(scene.resource);
      try {
        await Promise.all([guest.connect(), guest.sentTo(1).then(allow)]);
        await expect(guest.call('whoAmI')).resolves.toMatchObject({
          content: [{ text: expect.stringContaining('ada with desk:read') }],
        });
        const [closed] = await Promise.all([guest.call('close'), guest.sentTo(2).then(allow)]);
        expect(closed).toMatchObject({ content: [{ text: 'closed' }] });
      } finally {
        await guest.stop();
      }
    },
    PATIENCE_MS,
  );

  it(
    'cannot step up for client v1 while it holds a refresh token, and grants at once what the server requires (AS-01)',
    async () => {
      scene = await AuthorizationServerScene.start();
      const guest = await V1Guest.create(scene.resource);
      await Promise.all([guest.connect(), guest.sentTo(1).then(allow)]);
      await expect(guest.call('close')).rejects.toThrow('Server returned 403 after trying upscoping');
      await guest.stop();
      await scene.stop();
      scene = await AuthorizationServerScene.start({ auth: { requiredScopes: Object.keys(CALLER_SCOPES) } });
      const another = await V1Guest.create(scene.resource);
      await Promise.all([another.connect(), another.sentTo(1).then(allow)]);
      await expect(another.call('close')).resolves.toMatchObject({ content: [{ text: 'closed' }] });
      await another.stop();
    },
    PATIENCE_MS,
  );

  it('reads who asks, where the browser goes and what is allowed, and can decide with the keyboard (AS-02)', async () => {
    scene = await AuthorizationServerScene.start();
    const guest = await OfficialGuest.create(scene.resource, 'auto');
    const connected = guest.connect().catch((error: unknown) => error);
    await page.goto(await guest.sentTo(1));
    await expect(page.getByRole('heading', { level: 1 }).innerText()).resolves.toContain('wants to use');
    await expect(page.getByRole('list').innerText()).resolves.toContain('Read the tickets');
    const isScrolled = await page.locator('html').evaluate((html) => html.scrollWidth > html.clientWidth);
    expect(isScrolled).toBe(false);
    await page.keyboard.press('Tab');
    await expect(page.locator('button:focus').innerText()).resolves.toBe('Allow');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(connected).resolves.toMatchObject({ message: expect.stringContaining('denied') });
    expect(scene.upstream.exchanges).toEqual([]);
    await guest.stop();
  });
});

async function allow(address: string): Promise<void> {
  await page.goto(address);
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.waitForURL((url) => url.port !== new URL(scene.origin).port);
}
