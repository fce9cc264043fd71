import { readFileSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { readIndex } from './read-index.js';

/** The index of the pages. Sidebar and `llms.txt` have its sections, groups and rows. */
export const INDEX = 'docs/README.md';

/** Where the index is on the site. */
const INDEX_PATH = 'contents.md';

/** Where the README of the package is. */
export const FIRST_PAGE = 'index.md';

/**
 * Reads which pages people wrote, and in which order the index leads through them.
 *
 * @param {string} root the folder of the package
 * @returns `pages`, with their sources below `root`, their paths on the site and their headings, and `sections` of `items` and `groups`;
 *   an item has its page, and those `inside` the folder whose page it is
 * @throws {Error} if the index leads to what is no page
 */
export function readOutline(root) {
  const pages = listPages(root);
  const sections = readIndex(readFileSync(join(root, INDEX), 'utf8'));
  const targets = new Set(listEntries(sections).map(({ target }) => findTarget(pages, target).page));
  const follow = ({ title, target, description }) => {
    const { page, hash } = findTarget(pages, target);
    const inside = hash === '' ? listFolder(pages, page).filter((one) => !targets.has(one)) : [];
    return { title: title ?? page.title, description, page, hash, inside };
  };
  return {
    pages,
    sections: sections.map(({ title, entries, groups }) => ({
      title,
      items: entries.map(follow),
      groups: groups.map((group) => ({ title: group.title, items: group.entries.map(follow) })),
    })),
  };
}

/** Lists the items of all sections, in the order of the index. */
export function listItems(sections) {
  return sections.flatMap(({ items, groups }) => [...items, ...groups.flatMap((group) => group.items)]);
}

/** Lists the pages that nobody would come upon: the index has no row for them, or for their folder. */
export function listUnlisted({ pages, sections }) {
  const listed = new Set(listItems(sections).flatMap(({ page, inside }) => [page, ...inside]));
  return pages.filter((page) => page.source !== INDEX && !listed.has(page));
}

function listEntries(sections) {
  return sections.flatMap(({ entries, groups }) => [...entries, ...groups.flatMap((group) => group.entries)]);
}

function listPages(root) {
  const names = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  const sources = names.filter((name) => name.endsWith('.md')).map((name) => posix.join('docs', name));
  return ['README.md', ...sources.toSorted()].map((source) => ({
    source,
    path: placePage(source),
    title: readTitle(root, source),
  }));
}

function placePage(source) {
  if (source === INDEX) return INDEX_PATH;
  return source.replace(/^docs\//, '').replace(/(^|\/)README\.md$/, '$1index.md');
}

function readTitle(root, source) {
  const [, title] = /^# (.+)$/m.exec(readFileSync(join(root, source), 'utf8')) ?? [];
  if (title === undefined) throw new Error(`"${source}" has no heading: begin it with "# "`);
  return title.replaceAll('`', '');
}

function findTarget(pages, target) {
  const [path, hash] = target.split(/(?=#)/);
  const source = posix.join(posix.dirname(INDEX), path);
  const page = pages.find((one) => one.source === source);
  if (page === undefined) throw new Error(`"${INDEX}" leads to "${target}", which is no page`);
  return { page, hash: hash ?? '' };
}

/** Lists what else is in the folder of a page, if it is the page of a folder. */
function listFolder(pages, { source }) {
  if (!/^docs\/.+\/README\.md$/.test(source)) return [];
  const folder = posix.dirname(source);
  return pages.filter((page) => page.source !== source && posix.dirname(page.source) === folder);
}
