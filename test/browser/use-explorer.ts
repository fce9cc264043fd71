import { afterAll, beforeAll } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { BUILD_MS, buildPage } from '../support/explorer/build-page.js';
import { launchChromium } from './chromium.js';
import { ExplorerVisit } from './explorer-visit.js';

/** Opens the page at an endpoint. */
export type OpenExplorer = (
  url: string,
  options?: Parameters<typeof ExplorerVisit.open>[2],
) => Promise<ExplorerVisit>;

/** Builds the page and starts Chromium before the tests of a file, and ends it after them. */
export function useExplorer(): OpenExplorer {
  let browser: Browser | undefined;
  beforeAll(async () => {
    await buildPage();
    browser = await launchChromium();
  }, BUILD_MS);
  afterAll(() => browser?.close());
  return (url, options) => {
    if (browser === undefined) throw new Error('Chromium runs only while tests do');
    return ExplorerVisit.open(browser, url, options);
  };
}
