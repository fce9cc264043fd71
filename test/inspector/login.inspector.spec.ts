import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { AuthOptions } from 'nestjs-mcp';
import { launchChromium } from '../browser/chromium.js';
import { EndpointLog } from '../browser/endpoint-log.js';
import { NotedBrowser } from '../browser/noted-browser.js';
import { welcomePerson } from '../browser/provider-pages.js';
import {
  AuthorizationServerScene,
  type Adapter,
} from '../support/authorization/authorization-server-scene.js';
import { Inspector } from './inspector.js';
import { WebInspector } from './web-inspector.js';

const PATIENCE_MS = 120_000;
const PAGE_MS = 30_000;

const PLACES: readonly (readonly [Adapter, number])[] = [
  ['express', 3],
  ['fastify', 1],
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
  person = await welcomePerson(browser);
  page = await person.newPage();
  page.setDefaultTimeout(PAGE_MS);
}, PATIENCE_MS);
afterEach(async () => {
  await person.close();
  await scene.stop();
}, PATIENCE_MS);

describe.each(PLACES)(
  'The official inspector at the authorization server on %s with %s applications',
  (...place) => {
    it(
      'logs in on its page, steps up, and logs in again once its user has logged out (AS-01)',
      async () => {
        // The first login requests less than all tools need.
        await enter(...place, { scopesSupported: ['desk:read'] });
        const inspector = await WebInspector.open(page, scene.resource);
        try {
          await inspector.connect();
          await allow();
          await inspector.returned();
          await inspector.execute('close');
          await inspector.stepUp();
          await allow();
          await inspector.returned();
          await inspector.execute('close');
          await page.getByText('closed', { exact: true }).first().waitFor();
          await inspector.logOut();
          await inspector.connect();
          await allow();
          await inspector.returned();
          expect(log.of(403)).toHaveLength(1);
        } finally {
          await inspector.stop();
        }
      },
      PATIENCE_MS,
    );

    it(
      'logs in for its command line, and again where its user wants to (AS-01)',
      async () => {
        await enter(...place);
        const environment: NodeJS.ProcessEnv = {
          MCP_AUTO_OPEN_ENABLED: 'true',
          MCP_INSPECTOR_SECRET_STORE: 'file',
        };
        const inspector = await Inspector.create(environment);
        const opener = new NotedBrowser(inspector.home);
        environment['BROWSER'] = opener.program;
        const call = (tool: string, ...args: readonly string[]) =>
          inspector.call(scene.resource, ...CALL, '--tool-name', tool, ...args);
        const visit = async (times: number) => {
          await page.goto(await opener.opened(times));
          await allow();
        };
        try {
          const [first] = await Promise.all([call('whoAmI'), visit(1)]);
          expect(first).toMatchObject({ content: [{ text: expect.stringContaining('ada') }] });
          const [closed] = await Promise.all([call('close', '--relogin'), visit(2)]);
          expect(closed).toMatchObject({ content: [{ text: 'closed' }] });
        } finally {
          await inspector.dispose();
        }
      },
      PATIENCE_MS,
    );
  },
);

const CALL = [
  '--protocol-era',
  'auto',
  '--callback-url',
  'http://127.0.0.1:0/oauth/callback',
  '--method',
  'tools/call',
];

async function enter(adapter: Adapter, applications: number, auth: Partial<AuthOptions> = {}): Promise<void> {
  scene = await AuthorizationServerScene.start({
    adapter,
    applications,
    auth,
  });
  log = new EndpointLog(scene.front);
}

/** Allows what the consent page asks, and waits until the browser has left. */
async function allow(): Promise<void> {
  await page.waitForURL((url) => url.origin === scene.origin);
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.waitForURL((url) => url.origin !== scene.origin && url.origin !== scene.upstream.issuer);
}
