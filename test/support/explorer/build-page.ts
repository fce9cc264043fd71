import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Builds the page at the endpoint, unless it is up to date; in a process of its own, since it is no part of what is tested. */
export async function buildPage(): Promise<void> {
  await promisify(execFile)(process.execPath, ['tools/explorer/build-page.js']);
}

/** Milliseconds that it may take on a machine under load. */
export const BUILD_MS = 180_000;

/** What a browser sends when somebody opens an address. */
export const NAVIGATION = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
  'sec-fetch-site': 'none',
} as const;
