/**
 * Prints what the pages for users consist of, and fails where a count is beyond its limit in `page-limits.json`: `npm run pages`. The first five
 * limits only fall, the last two only rise.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countPages } from './count-pages.js';
import { ROOT } from './places.js';

const NAMES = {
  words: 'words outside of code',
  tableShare: '% of them in tables',
  unnamedBlocks: 'blocks of code without a file name',
  nakedModules: 'modules in a bare "export const mcp"',
  fallbackSecrets: "secrets behind ?? '…'",
  pictures: 'pictures and diagrams',
  callouts: 'callouts',
};

const limits = JSON.parse(readFileSync(join(import.meta.dirname, 'page-limits.json'), 'utf8'));
const counts = countPages(ROOT);
for (const [name, text] of Object.entries(NAMES)) {
  const { most, least } = limits[name];
  const isBeyond = counts[name] > (most ?? Infinity) || counts[name] < (least ?? 0);
  const limit = most === undefined ? `at least ${least}` : `at most ${most}`;
  console.log(
    `${String(counts[name]).padStart(7)}  ${text} (${limit})${isBeyond ? ': BEYOND ITS LIMIT' : ''}`,
  );
  if (isBeyond) process.exitCode = 1;
}
