import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../browser/chromium.js';
import { ServedSite, listPages } from './served-site.js';
import { type Look, SiteVisit } from './site-visit.js';

const PATIENCE_MS = 120_000;
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Where pictures of the pages are, to be looked at: their words change too often for a comparison. */
const PICTURES = '.build/site/pictures';

/** Pages that have what is hard to show. */
const PAGES = [
  ['the first page', 'index.html'],
  ['long code', 'testing.html'],
  ['wide tables', 'configuration.html'],
  ['pictures', 'performance.html'],
  ['the API reference', 'api/nestjs-mcp/interfaces/McpOptions.html'],
] as const;

let browser: Browser;
let site: ServedSite;
let visit: SiteVisit;

beforeAll(async () => {
  await mkdir(PICTURES, { recursive: true });
  browser = await launchChromium();
  site = await ServedSite.start();
}, PATIENCE_MS);
afterAll(async () => {
  await browser?.close();
  await site?.close();
});
afterEach(() => visit?.close());

const open = async (path: string, look?: Look) => {
  visit = await SiteVisit.open(browser, `${site.url}${path}`, look);
};

/** What the theme of VitePress does: a group of the sidebar is a button with a button inside; that of the search has a name without its key. */
const OF_THEME = new Set(['nested-interactive', 'label-content-name-mismatch']);

/** What is serious of what axe finds. */
async function findBarriers(): Promise<readonly string[]> {
  await visit.page.addScriptTag({ path: AXE });
  const { violations } = await visit.page.evaluate<AxeResults>('axe.run()');
  return violations
    .filter(({ id, impact }) => (impact === 'serious' || impact === 'critical') && !OF_THEME.has(id))
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

describe.each([
  { width: 360, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
] as const)('The site, $width pixels wide, in the $colorScheme', (look) => {
  it.each(PAGES)(
    'shows %s without faults, barriers or scrolling sideways',
    async (_, path) => {
      await open(path, look);
      const isDark = await visit.page.evaluate<boolean>(
        `document.documentElement.classList.contains('dark')`,
      );
      expect(isDark).toBe(look.colorScheme === 'dark');
      const name = path.replace(/\.html$/, '').replaceAll('/', '-');
      await visit.page.screenshot({ path: `${PICTURES}/${name}-${look.width}-${look.colorScheme}.png` });
      expect(await visit.countSidewaysPixels()).toBe(0);
      expect(await findBarriers()).toEqual([]);
      expect(visit.faults).toEqual([]);
    },
    PATIENCE_MS,
  );
});

/** The tables of a page that leave their column, or would have to be scrolled to be read. */
const CUT_TABLES = `[...document.querySelectorAll('.vp-doc table')].filter((table) => {
  const { right } = table.closest('.vp-doc').getBoundingClientRect();
  return table.scrollWidth > table.clientWidth + 1 || table.getBoundingClientRect().right > right + 1;
}).length`;

describe.each([{ width: 400 }, { width: 1400 }])('Every page, $width pixels wide', (look) => {
  it(
    'has no faults, no scrolling sideways and no columns that are cut off',
    async () => {
      await open('contents.html', look);
      const pages = listPages().filter((name) => !name.startsWith('api/'));
      const wide: string[] = [];
      for (const path of pages) {
        await visit.page.goto(`${site.url}${path}`);
        const cut = await visit.page.evaluate<number>(CUT_TABLES);
        if (cut > 0 || (await visit.countSidewaysPixels()) > 0) wide.push(path);
      }
      expect(pages.length).toBeGreaterThan(50);
      expect(wide).toEqual([]);
      expect(visit.faults).toEqual([]);
    },
    3 * PATIENCE_MS,
  );
});

describe('The site on a phone', () => {
  it(
    'names the column of each cell, since a row is a list there',
    async () => {
      await open('configuration.html', { width: 400 });
      const cell = visit.page.locator('.vp-doc td:nth-child(2)').first();
      const label = `getComputedStyle(document.querySelector('.vp-doc td:nth-child(2)'), '::before').content`;
      const heading = visit.page.locator('.vp-doc table').first().locator('th').nth(1);
      expect(await visit.page.evaluate<string>(label)).toBe(JSON.stringify(await heading.textContent()));
      const [first, second] = [
        await visit.page.locator('.vp-doc td').first().boundingBox(),
        await cell.boundingBox(),
      ];
      expect(second?.y).toBeGreaterThan(first?.y ?? Infinity);
    },
    PATIENCE_MS,
  );

  it(
    'has the sidebar in a menu',
    async () => {
      await open('getting-started.html', { width: 360 });
      await visit.page.getByRole('button', { name: 'Menu' }).click();
      await visit.page.locator('.VPSidebar').getByRole('link', { name: 'Glossary' }).click();
      await visit.page.getByRole('heading', { level: 1, name: 'Glossary' }).waitFor();
      expect(visit.faults).toEqual([]);
    },
    PATIENCE_MS,
  );
});

describe('A reader', () => {
  it.each([
    ['a term of the glossary', 'step-up', 'glossary.html#step-up'],
    ['an option', 'maxQueuedBytes', 'StreamOptions.html#maxqueuedbytes'],
    ['a name of the API reference', 'McpOptions', 'interfaces/McpOptions.html'],
  ])(
    'finds %s by the search',
    async (_, words, address) => {
      await open('getting-started.html');
      await visit.page.getByRole('button', { name: 'Search' }).first().click();
      await visit.page.locator('input.search-input').fill(words);
      await visit.page.locator(`a.result[href*="${address}"]`).first().click();
      await visit.page.waitForURL((url) => url.href.includes(address));
      await visit.page.locator('main h1').waitFor();
      expect(visit.faults).toEqual([]);
    },
    PATIENCE_MS,
  );

  it(
    'copies code as it is written',
    async () => {
      await open('getting-started.html');
      const block = visit.page.locator('div[class*="language-"]').first();
      await block.hover();
      await block.getByRole('button', { name: 'Copy code' }).click();
      await block.locator('button.copied').waitFor();
      const copied = await visit.page.evaluate<string>('navigator.clipboard.readText()');
      expect(copied.trim()).toBe((await block.locator('code').innerText()).trim());
      expect(visit.faults).toEqual([]);
    },
    PATIENCE_MS,
  );

  it(
    'chooses the dark, and finds it again on the next page',
    async () => {
      await open('getting-started.html');
      const isDark = () =>
        visit.page.evaluate<boolean>(`document.documentElement.classList.contains('dark')`);
      expect(await isDark()).toBe(false);
      await visit.page.getByRole('switch').first().click();
      expect(await isDark()).toBe(true);
      await visit.goto(`${site.url}glossary.html`);
      expect(await isDark()).toBe(true);
      expect(visit.faults).toEqual([]);
    },
    PATIENCE_MS,
  );

  it(
    'follows a link to a part of another page, and stands before it',
    async () => {
      await open('audit.html');
      await visit.page.locator('main').getByRole('link', { name: 'stateless protocol' }).first().click();
      await visit.page.waitForURL(/glossary\.html#stateless-protocol$/);
      await visit.page.getByRole('heading', { name: 'Stateless protocol' }).waitFor();
      const top = `document.querySelector('#stateless-protocol').getBoundingClientRect().top`;
      expect(await visit.page.evaluate<boolean>(`${top} >= 0 && ${top} < innerHeight`)).toBe(true);
      expect(visit.faults).toEqual([]);
    },
    PATIENCE_MS,
  );
});
