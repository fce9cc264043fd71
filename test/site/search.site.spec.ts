import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../browser/chromium.js';
import { NAMES, NEWCOMERS, OTHERS, type Query } from './queries.js';
import { BASE, FOLDER, ServedSite, listPages, readServed } from './served-site.js';
import { SiteVisit } from './site-visit.js';

const PATIENCE_MS = 120_000;
const TOOL = fileURLToPath(new URL('../../tools/site/search-built.js', import.meta.url));
const CALL = `
  const [tool, ...args] = process.argv.slice(1);
  const { searchBuilt } = await import(tool);
  console.log(JSON.stringify(await searchBuilt(...args.map((one) => JSON.parse(one)))));
`;

/** Searches the built site with the library, the index and the options of its search box. */
function search(queries: readonly string[]): readonly (readonly string[])[] {
  const args = [FOLDER, BASE, queries].map((one) => JSON.stringify(one));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', CALL, TOOL, ...args],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as readonly (readonly string[])[];
}

/** The page of a result, as the lists of queries name it. */
const pageOf = (result: string) => result.replace(/(?:\.html)?(?:#.*)?$/, '');

/** Lists the queries that none of the pages answering them is among the first three results of. */
function listMissed(queries: readonly Query[]): readonly string[] {
  const found = search(queries.map(([words]) => words));
  return queries
    .map(([words, ...pages], index) => ({ words, pages, first: (found[index] ?? []).slice(0, 3) }))
    .filter(({ pages, first }) => !first.some((result) => pages.includes(pageOf(result))))
    .map(({ words, first }) => `${words}: ${first.join(', ')}`);
}

/** Reads the headings of Troubleshooting that are messages: what they say, and their anchors. */
function readMessages(): readonly { readonly text: string; readonly id: string }[] {
  const headings = readServed('troubleshooting.html').matchAll(
    /<h[34] id="(?<id>[^"]+)"[^>]*>(?<html><code>.*?)<a class="header-anchor"/g,
  );
  return [...headings].map(({ groups }) => ({
    id: groups?.['id'] ?? '',
    text: (groups?.['html'] ?? '')
      .replaceAll(/<[^>]+>|&ZeroWidthSpace;/g, '')
      .replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&')
      .trim(),
  }));
}

describe('The search of the site', () => {
  it.each([
    ['a newcomer', NEWCOMERS],
    ['somebody who has a server', OTHERS],
    ['somebody who knows the name', NAMES],
  ])('has a page that answers among the first three results for what %s types', (_, queries) => {
    expect(listMissed(queries)).toEqual([]);
  });

  it('is tried with pages that exist', () => {
    const pages = new Set(listPages().map((name) => pageOf(name).replace(/(^|\/)index$/, '$1')));
    const expected = [...NEWCOMERS, ...OTHERS, ...NAMES].flatMap(([, ...answers]) => answers);
    expect(expected.filter((page) => !pages.has(page))).toEqual([]);
    expect(NEWCOMERS.length + OTHERS.length).toBeGreaterThanOrEqual(120);
  });

  it('finds the heading of a message first, pasted whole or with other values', () => {
    const messages = readMessages();
    expect(messages.length).toBeGreaterThanOrEqual(30);
    const pasted = messages.flatMap(({ text, id }) => [
      { text, id },
      { text: text.replaceAll('…', 'orders'), id },
    ]);
    const found = search(pasted.map(({ text }) => text));
    const missed = pasted.filter(({ id }, index) => found[index]?.[0] !== `troubleshooting.html#${id}`);
    expect(missed).toEqual([]);
  });
});

describe('The search box', () => {
  let browser: Browser;
  let site: ServedSite;

  beforeAll(async () => {
    browser = await launchChromium();
    site = await ServedSite.start();
  }, PATIENCE_MS);
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  it(
    'shows these results, in this order',
    async () => {
      const queries = [
        'API key',
        'throttling',
        'human in the loop',
        'McpOptions',
        '"Mcp-Session-Id" is missing',
      ];
      const visit = await SiteVisit.open(browser, `${site.url}getting-started.html`);
      await visit.page.getByRole('button', { name: 'Search' }).first().click();
      const box = visit.page.locator('input.search-input');
      const results = visit.page.locator('a.result');
      const shown: string[][] = [];
      for (const query of queries) {
        await box.fill('');
        await results.first().waitFor({ state: 'detached' });
        await box.fill(query);
        await results.first().waitFor();
        const hrefs = await visit.page.evaluate<readonly string[]>(
          `[...document.querySelectorAll('a.result')].map((link) => link.getAttribute('href'))`,
        );
        shown.push(hrefs.map((href) => href.slice(BASE.length)));
      }
      expect(shown).toEqual(search(queries));
      expect(visit.faults).toEqual([]);
      await visit.close();
    },
    PATIENCE_MS,
  );
});
