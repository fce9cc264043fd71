import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../browser/chromium.js';
import { ServedSite } from './served-site.js';
import { SiteVisit } from './site-visit.js';

const PATIENCE_MS = 120_000;

const redirects = Object.entries(
  JSON.parse(readFileSync('tools/site/redirects.json', 'utf8')) as Readonly<Record<string, string>>,
);

/** The address of `page` or `page#heading` below the site. */
const addressOf = (name: string) => name.replace(/(?=#)|$/, '.html');

let browser: Browser;
let site: ServedSite;
let visit: SiteVisit;

beforeAll(async () => {
  browser = await launchChromium();
  site = await ServedSite.start();
}, PATIENCE_MS);
afterAll(async () => {
  await browser?.close();
  await site?.close();
});
afterEach(() => visit?.close());

describe('An old address', () => {
  it(
    'leads to the page and the heading that the table of redirects names',
    async () => {
      visit = await SiteVisit.open(browser, site.url);
      for (const [from, to] of redirects) {
        await visit.page.goto('about:blank');
        // The address is known before the page is there.
        await visit.page.goto(`${site.url}${addressOf(from)}`, { waitUntil: 'commit' });
        await visit.page.waitForURL(`${site.url}${addressOf(to)}`, { waitUntil: 'commit' });
      }
      // A page that is left at once is not hydrated to its end: `reading` waits for that on every page.
      expect(visit.faults.filter((fault) => !fault.startsWith('Hydration'))).toEqual([]);
    },
    3 * PATIENCE_MS,
  );

  it(
    'keeps a heading that has no row of its own',
    async () => {
      visit = await SiteVisit.open(browser, `${site.url}large-catalogues.html#tags`);
      await visit.page.waitForURL(`${site.url}large-catalogs.html#tags`);
      expect(visit.faults).toEqual([]);
    },
    PATIENCE_MS,
  );

  it(
    'leads to the new page without JavaScript',
    async () => {
      const context = await browser.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      await page.goto(`${site.url}asking.html`);
      await page.waitForURL(`${site.url}input-requests.html`);
      expect(await page.title()).toContain('nestjs-mcp');
      await context.close();
    },
    PATIENCE_MS,
  );
});
