import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningApp } from '../support/applications/boot.js';
import { bootServer } from '../support/applications/server.js';
import { until } from '../support/until.js';
import { ExplorerDesk } from './explorer-desk.js';
import type { ExplorerVisit } from './explorer-visit.js';
import { useExplorer } from './use-explorer.js';

const PATIENCE_MS = 120_000;

let desk: RunningApp;
let visit: ExplorerVisit | undefined;

const openExplorer = useExplorer();

beforeAll(async () => {
  desk = await bootServer({ providers: [ExplorerDesk] });
}, PATIENCE_MS);
afterAll(() => desk?.close());
afterEach(async () => {
  await visit?.close();
  visit = undefined;
});

describe('The page of the explorer', () => {
  it(
    'has less than 200 kB when compressed (WAY-02)',
    async () => {
      visit = await openExplorer('about:blank');
      const response = await visit.page.goto(desk.url);
      const page = (await response?.body()) ?? Buffer.from('');
      expect(page.toString()).toContain('<title>MCP explorer</title>');
      const compressed = gzipSync(page, { level: 9 });
      expect(compressed.length).toBeLessThan(200_000);
    },
    PATIENCE_MS,
  );

  it(
    'shows its header before its scripts run, and before it connects (WAY-02)',
    async () => {
      visit = await openExplorer('about:blank');
      const { page } = visit;
      // A frame that is never shown: whatever waits for the first paint does not begin.
      await page.addInitScript(`
        const { requestAnimationFrame } = self;
        self.requestAnimationFrame = (begin) => {
          self.requestAnimationFrame = requestAnimationFrame;
          self.begin = begin;
        };
      `);
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      let isAsked = false;
      await page.route(desk.url, async (route) => {
        if (route.request().method() === 'POST') {
          isAsked = true;
          await held;
        }
        await route.fallback();
      });
      await page.goto(desk.url);
      await page.getByText('Connecting…').first().waitFor();
      expect(await page.getByRole('navigation').getByRole('link', { name: 'Tools' }).isVisible()).toBe(true);
      expect(isAsked).toBe(false);
      await page.evaluate('begin()');
      await until(() => isAsked, 'the request that connects');
      await page.getByText('Connecting…').first().waitFor();
      release();
      await visit.connected();
      visit.assertPeace();
    },
    PATIENCE_MS,
  );

  it(
    'shows a list as soon as it is there, whatever the others take (WAY-02)',
    async () => {
      visit = await openExplorer('about:blank');
      const { page } = visit;
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      await page.route(desk.url, async (route) => {
        const sent = route.request().postData() ?? '';
        if (sent.includes('"prompts/list"')) await held;
        await route.fallback();
      });
      await page.goto(desk.url);
      await page.getByRole('heading', { level: 2, name: 'greet' }).waitFor();
      await visit.choose('Prompts');
      await visit.expectText('Loading…');
      release();
      await page.getByRole('heading', { level: 2, name: 'warn' }).waitFor();
      visit.assertPeace();
    },
    PATIENCE_MS,
  );

  it(
    'asks no other origin for anything, in any area (WAY-02)',
    async () => {
      visit = await openExplorer(desk.url);
      await visit.connected();
      for (const area of ['Resources', 'Prompts', 'Messages', 'Requests', 'Doctor', 'Add to a client']) {
        await visit.choose(area);
        if (area === 'Doctor') {
          await visit.press('Examine the server');
          await visit.page.getByRole('table').waitFor();
        }
      }
      expect(visit.foreign).toEqual([]);
      expect(visit.sent).toContain('tools/list');
    },
    PATIENCE_MS,
  );
});
