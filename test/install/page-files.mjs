import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './shell.mjs';

const FENCE = /^```\w+ file=(\S+)\n([\s\S]*?)^```$/gm;

/** Gives the blocks of a page that it names a file for, by the names of their files. */
export function readPageFiles(page) {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return new Map([...text.matchAll(FENCE)].map(([, file, block]) => [file, block]));
}
