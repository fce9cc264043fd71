import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Route } from 'playwright-core';
import type { RunningApp } from '../support/applications/boot.js';
import { bootServer } from '../support/applications/server.js';
import { ExplorerDesk } from './explorer-desk.js';
import type { ExplorerVisit } from './explorer-visit.js';
import { useExplorer } from './use-explorer.js';

const PATIENCE_MS = 60_000;
const MARKUP = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
const OPTIONS = { events: true, tasks: true } as const;

/** What results of lists must have besides. */
const WHOLE = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };

let desk: RunningApp;
let visit: ExplorerVisit;

const openExplorer = useExplorer();

const boot = (port = 0) => bootServer({ options: OPTIONS, providers: [ExplorerDesk], port });

beforeEach(async () => {
  desk = await boot();
  visit = await openExplorer(desk.url);
  await visit.connected();
}, PATIENCE_MS);
afterEach(async () => {
  await visit.close();
  await desk.close();
}, PATIENCE_MS);

/** Has a method of the server answered by somebody who wants to harm the page, or not at all. */
const intercept = (method: string, answer: (route: Route, id: unknown) => Promise<void>) =>
  visit.page.route(desk.url, async (route) => {
    const sent = (route.request().postDataJSON() ?? {}) as {
      readonly method?: string;
      readonly id?: unknown;
    };
    return sent.method === method ? answer(route, sent.id) : route.fallback();
  });

const give = (method: string, result: object) =>
  intercept(method, async (route, id) =>
    route.fulfill({ json: { jsonrpc: '2.0', id, result: { ...WHOLE, ...result } } }),
  );

describe('The explorer, at a server that wants to harm it', () => {
  it(
    'shows names and descriptions as what they are (WAY-02)',
    async () => {
      const properties = { [MARKUP]: { type: 'string', title: MARKUP, format: 'constructor' } };
      const tool = {
        name: MARKUP,
        title: MARKUP,
        description: MARKUP,
        inputSchema: { type: 'object', properties },
      };
      const prompt = { name: MARKUP, description: MARKUP, arguments: [{ name: MARKUP }] };
      const event = {
        name: MARKUP,
        title: MARKUP,
        delivery: ['poll', 'push', 'webhook', 7],
        payloadSchema: MARKUP,
      };
      await give('tools/list', { tools: [tool] });
      await give('prompts/list', { prompts: [prompt] });
      await give('events/list', { events: [event, 7, null, { title: 'without a name' }] });
      await visit.press('Connect again');
      for (const area of ['Tools (1)', 'Prompts (1)', 'Events (1)']) {
        await visit.choose(area, MARKUP);
        await visit.page.getByRole('heading', { name: MARKUP }).waitFor();
        expect(await visit.page.locator('main :is(img, script)').count()).toBe(0);
      }
      await visit.choose('Doctor');
      await visit.press('Examine the server');
      await visit.page.getByRole('table').waitFor();
      expect(await visit.page.locator('main :is(img, script)').count()).toBe(0);
      expect(await visit.page.title()).toBe('desk: MCP explorer');
      visit.assertPeace();
    },
    PATIENCE_MS,
  );

  it(
    'shows a part of 5,000 tools, and finds each of them (WAY-02)',
    async () => {
      const tools = Array.from({ length: 5_000 }, (_, index) => ({
        name: `tool_${index}`,
        inputSchema: { type: 'object' },
      }));
      await give('tools/list', { tools });
      await visit.press('Connect again');
      await visit.page.getByRole('link', { name: 'Tools (5000)' }).click();
      const list = visit.page.getByRole('list', { name: 'tools' }).getByRole('listitem');
      await visit.expectText('200 of 5000 are shown.');
      expect(await list.count()).toBe(200);
      await visit.press('Show more');
      await visit.expectText('400 of 5000 are shown.');
      await visit.page.getByLabel('Filter tools').fill('tool_4999');
      await visit.page.getByRole('button', { name: 'tool_4999' }).click();
      await visit.page.getByRole('heading', { name: 'tool_4999' }).waitFor();
      visit.assertPeace();
    },
    PATIENCE_MS,
  );

  it(
    'ends a list that has no end (WAY-02)',
    async () => {
      await give('events/list', { events: [{ name: 'again' }], nextCursor: 'again' });
      await visit.press('Connect again');
      await visit.page.getByRole('link', { name: 'Events (100)' }).waitFor();
      expect(visit.sent.filter((method) => method === 'events/list').length).toBeGreaterThanOrEqual(100);
      visit.assertPeace();
    },
    PATIENCE_MS,
  );

  it(
    'says so if an extension answers with something else, and shows the rest (WAY-02)',
    async () => {
      await give('events/list', { events: 'none' });
      await visit.press('Connect again');
      await visit.expectText('Not everything could be listed: "events/list" returned no "events".');
      await visit.page.getByRole('link', { name: /^Tools \([1-9]/ }).waitFor();
      visit.assertPeace();
    },
    PATIENCE_MS,
  );

  it(
    'is left by its user if the server hangs, in a call and while it connects (WAY-02)',
    async () => {
      await intercept('tools/call', () => new Promise(() => undefined));
      await visit.choose('Tools', 'greet');
      await visit.page.getByLabel('name (required)').fill('Ada');
      await visit.press('Call greet');
      await visit.press('Cancel');
      await visit.expectText('Cancelled.');
      await intercept('server/discover', () => new Promise(() => undefined));
      await visit.press('Connect again');
      await visit.expectText('Connecting…');
      await visit.page.unrouteAll({ behavior: 'ignoreErrors' });
      await visit.press('Connect again');
      await visit.connected();
      visit.assertPeace();
    },
    PATIENCE_MS,
  );

  it(
    'goes on with a server that has started again (WAY-02)',
    async () => {
      await visit.speak('2025-11-25');
      await desk.close();
      desk = await boot(desk.port);
      await visit.choose('Tools', 'greet');
      await visit.page.getByLabel('name (required)').fill('Ada');
      await visit.press('Call greet');
      await visit.expectText('Refused:');
      await visit.press('Connect again');
      await visit.connected();
      await visit.press('Call greet');
      await visit.expectText('Hello, {"name":"Ada"');
    },
    PATIENCE_MS,
  );

  it(
    'asks for a login if a token ends in the middle, and keeps what was typed in (WAY-02)',
    async () => {
      await intercept('tools/call', async (route) =>
        route.fulfill({
          status: 401,
          headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
          body: '',
        }),
      );
      await visit.choose('Tools', 'greet');
      await visit.page.getByLabel('name (required)').fill('Ada');
      await visit.press('Call greet');
      await visit.expectText('The server requires a login');
      await visit.page.unrouteAll();
      await visit.page.getByLabel('The token').fill('another');
      await visit.press('Use the token');
      await visit.connected();
      await visit.press('Call greet');
      await visit.expectText('Hello, {"name":"Ada"');
      visit.assertPeace();
    },
    PATIENCE_MS,
  );
});
