import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { INDEX, listItems, readOutline } from './outline.js';

/** The section of the index whose pages are for contributors. */
const CONTRIBUTORS = 'Contributing';

const FENCE = /^(?<indent> *)(?<ticks>`{3,})(?<info>[^\n]*)\n(?<code>[\s\S]*?)^\k<indent>\k<ticks>`* *$/gm;

/** A secret of the environment with a text instead, which a reviewer would refuse. */
const SECRET = /process\.env(?:\.\w*|\['\w*)(?:SECRET|TOKEN|PASSWORD|KEY)\w*(?:'\])?\s*\?\?\s*'/g;

/**
 * Counts what the pages for users consist of: the README, the index and all pages below it, except those for contributors.
 *
 * @param {string} root the folder of the package
 */
export function countPages(root) {
  const { pages, sections } = readOutline(root);
  const internal = new Set(
    listItems(sections.filter(({ title }) => title === CONTRIBUTORS)).map(({ page }) => page.source),
  );
  const texts = pages
    .filter(({ source }) => source === INDEX || !internal.has(source))
    .map(({ source }) => readFileSync(join(root, source), 'utf8'));
  const blocks = texts.flatMap((text) => [...text.matchAll(FENCE)].map(({ groups }) => groups));
  const prose = texts.map((text) => text.replace(FENCE, ''));
  const lines = prose.flatMap((text) => text.split('\n'));
  const words = countWords(lines);
  const inTables = countWords(lines.filter((line) => /^ *\|/.test(line)));
  const typed = blocks.filter(({ info }) => /^(?:ts|tsx|js)\b/.test(info));
  const sources = blocks.map((block) => block.code);
  return {
    words,
    tableShare: Math.round((1000 * inTables) / words) / 10,
    unnamedBlocks: typed.filter(({ info }) => !/ file=\S/.test(info)).length,
    nakedModules: sum(sources, /^export const mcp\b/gm),
    fallbackSecrets: sum(sources, SECRET),
    pictures: sum(prose, /!\[[^\]]*\]\(|<img\b/g) + blocks.filter(({ info }) => info === 'mermaid').length,
    callouts: sum(prose, /^> \[![A-Z]+\]|^::: (?:tip|info|warning|danger)\b/gm),
  };
}

/** A word has a letter or a digit; what a link leads to is none. */
function countWords(lines) {
  return lines
    .map((line) => line.replaceAll(/\]\([^)]*\)|<[^>]+>/g, ' '))
    .flatMap((line) => line.split(/[\s|]+/))
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

function sum(texts, pattern) {
  return texts.reduce((total, text) => total + (text.match(pattern)?.length ?? 0), 0);
}
