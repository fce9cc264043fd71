import { readFileSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { leavesPages, mapLinks } from './map-links.js';

/** Anything that an element leads to or takes from elsewhere. */
const REFERENCE = /<(?<element>[a-z]+)\b[^>]*?\s(?:href|src|poster|data)="(?<target>[^"]*)"/g;

/** What a stylesheet takes from elsewhere. */
const STYLE_REFERENCE = /(?:url\(\s*['"]?|@import\s+['"])(?<target>[^'")\s]+)/g;

/**
 * Looks at all that is served, as a browser would follow it.
 *
 * @param {string} folder what is served
 * @param {string} base the path below which it is
 * @returns a sentence for each link that leads to no page or to no part of one, and for all that would be taken from other origins
 */
export function findDeadLinks(folder, base) {
  const files = new Set(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => posix.relative(folder, join(entry.parentPath, entry.name))),
  );
  const read = (file) => readFileSync(join(folder, file), 'utf8');
  const anchors = new Map(
    [...files].filter((file) => file.endsWith('.html')).map((file) => [file, readAnchors(read(file))]),
  );
  const judge = (file, target) => {
    const { pathname, hash } = new URL(target, `http://site${base}${file}`);
    if (!pathname.startsWith(base)) return `is outside of "${base}"`;
    const path = decodeURI(pathname.slice(base.length)).replace(/(^|\/)$/, '$1index.html');
    if (!files.has(path)) return 'is not there';
    const anchor = decodeURIComponent(hash.slice(1));
    const isThere = anchor === '' || !anchors.has(path) || anchors.get(path).has(anchor);
    return isThere ? undefined : 'has no such part';
  };

  const faults = new Set();
  for (const file of files) {
    for (const { element, target } of listReferences(file, read)) {
      const isAway = leavesPages(target) && !target.startsWith('#');
      const isTaken = isAway && element !== 'a' && !target.startsWith('data:');
      const fault = isTaken ? 'is of another origin' : isAway ? undefined : judge(file, target);
      if (fault !== undefined) faults.add(`"${file}" leads to "${target}", which ${fault}`);
    }
  }
  return [...faults];
}

/** Reads the ids of the elements in a page. */
export function readAnchors(html) {
  return new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => decodeEntities(id)));
}

function listReferences(file, read) {
  if (file.endsWith('.html')) return match(read(file), REFERENCE);
  if (file.endsWith('.css')) return match(read(file), STYLE_REFERENCE);
  if (!/\.md$|^llms\.txt$/.test(file)) return [];
  const found = [];
  mapLinks(read(file), (target) => {
    found.push({ element: 'a', target });
    return target;
  });
  return found;
}

function match(text, pattern) {
  return [...text.matchAll(pattern)].map(({ groups }) => ({
    element: groups.element,
    target: decodeEntities(groups.target),
  }));
}

function decodeEntities(text) {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
