import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { RunningApp } from '../support/applications/boot.js';
import { bootServer } from '../support/applications/server.js';
import { until } from '../support/until.js';
import { ExplorerDesk } from './explorer-desk.js';
import type { ExplorerVisit } from './explorer-visit.js';
import { useExplorer } from './use-explorer.js';

const PATIENCE_MS = 60_000;

/** What the page may send before anybody clicks. */
const OF_OPENING = new Set([
  'server/discover',
  'initialize',
  'notifications/initialized',
  'notifications/cancelled',
  'subscriptions/listen',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'prompts/list',
  'events/list',
  'skills/list',
]);

let desk: RunningApp;
let handlers: ExplorerDesk;
let visit: ExplorerVisit;

const openExplorer = useExplorer();

const boot = async (options = {}) => {
  desk = await bootServer({ options, providers: [ExplorerDesk] });
  handlers = desk.app.get(ExplorerDesk);
};

afterEach(async () => {
  visit.assertPeace();
  await visit.close();
  await desk.close();
}, PATIENCE_MS);

describe.each(['2026-07-28', '2025-11-25'])('A user of the explorer, in Chromium, in %s', (revision) => {
  beforeEach(async () => {
    await boot();
    visit = await openExplorer(desk.url);
    await visit.speak(revision);
  }, PATIENCE_MS);

  it('shakes hands and lists when it is opened, and does nothing else (WAY-02)', () => {
    const others = visit.sent.filter((method) => !OF_OPENING.has(method));
    expect(visit.sent).toContain('tools/list');
    expect(others).toEqual([]);
  });

  it(
    'calls a tool by the form of its schema (WAY-02)',
    async () => {
      const { page } = visit;
      await visit.choose('Tools', 'greet');
      await page.getByLabel('name (required)').fill('Ada');
      await page.getByLabel('times').fill('2');
      await page.getByLabel('isLoud').selectOption('true');
      await visit.press('Add to tags');
      await page.getByLabel('tags 1').fill('kind');
      await page.getByLabel('city').fill('Paris');
      await visit.press('Call greet');
      await visit.expectText(
        'Hello, {"name":"Ada","times":2,"tone":"plain","isLoud":true,"tags":["kind"],"place":{"city":"Paris"}}',
      );
    },
    PATIENCE_MS,
  );

  it(
    'is told by the server what is wrong with arguments (WAY-02)',
    async () => {
      const { page } = visit;
      await visit.choose('Tools', 'greet');
      await page.getByLabel('name (required)').fill('A');
      await page.getByLabel('times').fill('many');
      await visit.press('Call greet');
      await page.getByText('"times"').or(page.getByText('times:')).first().waitFor();
      expect(await page.getByRole('main').innerText()).toMatch(/name/);
    },
    PATIENCE_MS,
  );

  it(
    'sees progress and the log of a call, and its end (WAY-02)',
    async () => {
      await visit.choose('Tools', 'wait');
      await visit.press('Call wait');
      await visit.expectText('1 of 4 a quarter');
      await visit.expectText('the work begins');
      handlers.gates.at('work').open();
      await visit.expectText('the work is done');
    },
    PATIENCE_MS,
  );

  it(
    'cancels a call (WAY-02)',
    async () => {
      await visit.choose('Tools', 'wait');
      await visit.press('Call wait');
      await visit.expectText('1 of 4');
      await visit.press('Cancel');
      await visit.expectText('Cancelled.');
      await until(() => handlers.cancelled.length > 0, 'the end of the call at the server');
    },
    PATIENCE_MS,
  );

  it(
    'answers a question of the server (WAY-02)',
    async () => {
      await visit.choose('Tools', 'book');
      await visit.press('Call book');
      await visit.page.getByRole('dialog').getByLabel('guests (required)').fill('5');
      await visit.press('Answer');
      await visit.expectText('a table for 5');
    },
    PATIENCE_MS,
  );

  it(
    'declines a question with the keyboard (WAY-02)',
    async () => {
      await visit.choose('Tools', 'book');
      await visit.press('Call book');
      await visit.page.getByRole('dialog').waitFor();
      await visit.page.keyboard.press('Escape');
      await visit.expectText('not booked: cancel');
    },
    PATIENCE_MS,
  );

  it(
    'is shown an app, which is in no origin and calls its own tools (WAY-02, XTN-02)',
    async () => {
      await visit.choose('Tools', 'show');
      await visit.press('Call show');
      await visit.press('Show the app of desk/show');
      const app = visit.page.frameLocator('iframe');
      await app.getByText('shown by the app').waitFor();
      await app.getByRole('button', { name: 'Go' }).click();
      await visit.press('Allow the call');
      await app.getByText('called by the app').waitFor();
      expect(await app.locator('#kept').innerText()).toBe('origin null stays outside keeps nothing');
    },
    PATIENCE_MS,
  );

  it(
    'reads a resource, and sees it change (WAY-02)',
    async () => {
      await visit.choose('Resources', 'inStock');
      await visit.press('Read');
      await visit.expectText('3 chairs');
      await visit.press('Subscribe');
      await visit.expectText('Subscribed: 0 changes so far.');
      handlers.sell();
      await visit.expectText('2 chairs');
    },
    PATIENCE_MS,
  );

  it(
    'fills a template in, and gets a prompt (WAY-02)',
    async () => {
      const { page } = visit;
      await visit.choose('Resources', 'ticket');
      await page.getByLabel('id', { exact: true }).fill('7/8');
      await visit.press('Open it');
      await visit.press('Read');
      await visit.expectText('ticket 7/8');
      await visit.choose('Prompts (1)', 'warn');
      await page.getByLabel('what (required)').fill('frost');
      await visit.press('Get warn');
      await visit.expectText('Write a warning of frost.');
    },
    PATIENCE_MS,
  );

  it(
    'is shown results as they are, and never as a page (WAY-02)',
    async () => {
      const { page } = visit;
      await visit.choose('Tools', 'hostile');
      await visit.press('Call hostile');
      await visit.expectText('<img src=x onerror=');
      expect(await page.getByRole('main').locator('img').count()).toBe(1);
      expect(await page.getByRole('main').locator('script, b').count()).toBe(0);
      await visit.press('Open stock');
      await visit.press('Read');
      await visit.expectText('3 chairs');
      expect(await page.title()).toBe('desk: MCP explorer');
    },
    PATIENCE_MS,
  );
});
