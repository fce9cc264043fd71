import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import type { Browser } from 'playwright-core';
import type { RunningApp } from '../support/applications/boot.js';
import { bootServer } from '../support/applications/server.js';
import { BUILD_MS, buildPage } from '../support/explorer/build-page.js';
import { launchChromium } from './chromium.js';
import { ExplorerDesk } from './explorer-desk.js';
import { ExplorerVisit } from './explorer-visit.js';
import { ExtensionDesk } from './extension-desk.js';

const PATIENCE_MS = 120_000;
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

let browser: Browser;
let desk: RunningApp;

beforeAll(async () => {
  await buildPage();
  browser = await launchChromium();
  const options = { tasks: true, events: true } as const;
  desk = await bootServer({ options, providers: [ExplorerDesk, ExtensionDesk] });
}, BUILD_MS);
afterAll(async () => {
  await desk?.close();
  await browser?.close();
});

/** What is serious of what axe finds. Its script comes by the debugger, which no policy of the page keeps out. */
async function findFaults({ page }: ExplorerVisit): Promise<readonly string[]> {
  const { violations } = await page.evaluate<AxeResults>('axe.run()');
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

describe.each([
  ['on a screen, in the light', 1200, 'light'],
  ['on a phone, in the dark', 360, 'dark'],
] as const)('The explorer %s', (_, width, colorScheme) => {
  let visit: ExplorerVisit;

  beforeAll(async () => {
    visit = await ExplorerVisit.open(browser, desk.url, { width });
    await visit.page.emulateMedia({ colorScheme });
    await visit.page.addInitScript({ path: AXE });
    await visit.page.reload();
    await visit.connected();
  }, PATIENCE_MS);
  afterAll(() => visit?.close());

  it.each([
    ['Tools', 'greet', 'Call greet'],
    ['Tools', 'hostile', 'Call hostile'],
    ['Tools', 'book', 'Call book'],
    ['Resources', 'inStock', 'Read'],
    ['Resources', 'ticket', undefined],
    ['Prompts', 'warn', 'Get warn'],
    ['Tools', 'importFiles', 'Call importFiles'],
    ['Tasks', undefined, undefined],
    ['Events', 'incident.created', 'Poll'],
    ['Skills', 'weekly-report', undefined],
    ['Doctor', undefined, 'Examine the server'],
    ['Messages', undefined, undefined],
    ['Requests', undefined, 'Send'],
    ['Add to a client', undefined, undefined],
  ])(
    'has nothing in "%s" (%s) that keeps somebody out, and fits (WAY-02)',
    async (area, entry, button) => {
      await visit.choose(area, entry);
      if (button !== undefined) await visit.press(button);
      expect(await findFaults(visit)).toEqual([]);
      const isWide = await visit.page.evaluate('document.documentElement.scrollWidth > innerWidth');
      expect(isWide).toBe(false);
      if (button === 'Call book') await visit.page.keyboard.press('Escape');
    },
    PATIENCE_MS,
  );

  it(
    'is used by the keyboard alone (WAY-02)',
    async () => {
      const { page } = visit;
      await page.goto(`${desk.url}#tools/greet`);
      await visit.connected();
      await page.getByLabel('name (required)').focus();
      await page.keyboard.type('Grace');
      await page.keyboard.press('Enter');
      await visit.expectText('"name":"Grace"');
      const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
      expect(outline).toBe('solid');
    },
    PATIENCE_MS,
  );
});
