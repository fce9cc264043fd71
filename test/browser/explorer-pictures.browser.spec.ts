import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { DeskModule } from '../../sample/01-desk/desk.module.js';
import { bootApp, type RunningApp } from '../support/applications/boot.js';
import { bootServer } from '../support/applications/server.js';
import { BUILD_MS, buildPage } from '../support/explorer/build-page.js';
import { launchChromium } from './chromium.js';
import { ExplorerDesk } from './explorer-desk.js';
import { ExplorerVisit } from './explorer-visit.js';
import { ExtensionDesk } from './extension-desk.js';
import { PictureBook } from './picture-book.js';

const PATIENCE_MS = 120_000;
const HEIGHT = 2_400;

/** Opens an entry, and waits until it is there. */
const choose = async (area: string, entry: string) => {
  await visit.choose(area, entry);
  await visit.page.locator('main h2[tabindex]').waitFor();
};

let browser: Browser;
let open: RunningApp;
let closed: RunningApp;
let book: PictureBook;
let visit: ExplorerVisit;

beforeAll(async () => {
  await buildPage();
  browser = await launchChromium();
  book = new PictureBook(await browser.newPage());
  const options = { events: true, tasks: true } as const;
  open = await bootServer({ options, providers: [ExplorerDesk, ExtensionDesk] });
  const auth = {
    resourceUri: 'http://127.0.0.1/mcp',
    authorizationServers: ['https://login.example.com'],
    jwt: {},
    requiredScopes: ['desk:read', 'desk:write'],
  };
  closed = await bootServer({ options: { auth }, providers: [ExplorerDesk] });
}, BUILD_MS);
afterAll(async () => {
  await Promise.all([open?.close(), closed?.close()]);
  await browser?.close();
});
afterEach(() => visit.close());

const enter = async (url: string, width: number) => {
  visit = await ExplorerVisit.open(browser, url, { width });
  // All of the page is on the screen: what is scrolled to, and when, is nothing to compare.
  await visit.page.setViewportSize({ width, height: HEIGHT });
  await PictureBook.prepare(visit.page);
};

/** Leads to the states that are shown: what a user sees of an open server. */
const STATES: readonly (readonly [name: string, lead: () => Promise<void>])[] = [
  ['tool', () => choose('Tools', 'greet')],
  [
    'question',
    async () => {
      await choose('Tools', 'book');
      await visit.press('Call book');
      await visit.page.getByRole('dialog').waitFor();
    },
  ],
  [
    'result',
    async () => {
      await choose('Tools', 'hostile');
      await visit.press('Call hostile');
      await visit.page.getByRole('region', { name: 'Result' }).waitFor();
    },
  ],
  ['template', () => choose('Resources', 'ticket')],
  ['prompt', () => choose('Prompts', 'warn')],
  ['event', () => choose('Events', 'incident.created')],
  ['skill', () => choose('Skills', 'weekly-report')],
  [
    'request',
    async () => {
      await visit.choose('Requests');
      await visit.page.getByRole('heading', { name: 'Any request' }).waitFor();
    },
  ],
  [
    'messages',
    async () => {
      await choose('Tools', 'own');
      await visit.press('Call own');
      await visit.expectText('called by the app');
      await visit.choose('Messages');
      await visit.page.getByLabel('Filter messages').fill('tools/call');
      await visit.page.getByRole('log').getByText('tools/call').last().click();
      await visit.page.getByRole('group', { name: 'Message' }).waitFor();
    },
  ],
  [
    'connect',
    async () => {
      await visit.choose('Add to a client');
      await visit.page.getByRole('heading', { name: 'ChatGPT' }).waitFor();
    },
  ],
  [
    'doctor',
    async () => {
      await visit.choose('Doctor');
      await visit.press('Examine the server');
      await visit.page.getByRole('table').waitFor();
    },
  ],
];

describe('The docs', () => {
  it(
    'have a picture of the explorer (WAY-02)',
    async () => {
      const sample = await bootApp({ imports: [DeskModule] });
      try {
        visit = await ExplorerVisit.open(browser, `${sample.url}#tools/search_tickets`, { width: 1280 });
        await visit.connected();
        await visit.page.getByLabel('status').selectOption('open');
        await visit.press('Call search_tickets');
        await visit.page.getByRole('region', { name: 'Result' }).waitFor();
        expect(await PictureBook.takeForDocs(visit.page, 'explorer')).toBe(true);
      } finally {
        await sample.close();
      }
    },
    PATIENCE_MS,
  );
});

describe.each([400, 1280])('The explorer, at a width of %i', (width) => {
  it.each(STATES)(
    'looks as in its pictures: %s (WAY-02)',
    async (name, lead) => {
      await enter(open.url, width);
      await visit.connected();
      await lead();
      expect(await book.findDifferences(visit.page, `${name}-${width}`)).toEqual([]);
    },
    PATIENCE_MS,
  );

  it(
    'looks as in its pictures: login (WAY-02)',
    async () => {
      await enter(closed.url, width);
      await visit.page.getByRole('heading', { name: 'The server requires a login' }).waitFor();
      expect(await book.findDifferences(visit.page, `login-${width}`)).toEqual([]);
    },
    PATIENCE_MS,
  );
});
