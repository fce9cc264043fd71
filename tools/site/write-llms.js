import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { splitFrontMatter } from './front-matter.js';
import { leavesPages, mapLinks } from './map-links.js';
import { FIRST_PAGE, listItems, readOutline } from './outline.js';
import { API } from './places.js';

/**
 * Writes what models read instead of HTML: the Markdown of each page beside it, `llms.txt`, which lists the pages, and `llms-full.txt`, which
 * has them all.
 *
 * @param {{ root: string, from: string, to: string, origin?: string, base: string }} site the package, its pages, what is served, and where
 *   that is going to be
 * @see https://llmstxt.org
 */
export function writeLlms({ root, from, to, origin = '', base }) {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { sections } = readOutline(root);
  const pages = readPages(from, manifest.name);
  const locate = (path) => `${origin}${base}${toMarkdown(path)}`;

  writeFileSync(join(to, 'llms.txt'), formatList(manifest, sections, pages, locate));
  writeFileSync(join(to, 'llms-full.txt'), formatWhole(sections, pages, locate));
  for (const [path, { text }] of pages) writeFileSync(join(to, toMarkdown(path)), text);
}

/** Reads the pages by their paths, with links that lead from Markdown to Markdown. The site shows the heading of the first by itself. */
function readPages(folder, heading) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  const move = (target) => (leavesPages(target) ? target : target.replace(/[^#]*/, toMarkdown));
  return new Map(
    names
      .filter((name) => name.endsWith('.md'))
      .map((path) => {
        const { description, text } = splitFrontMatter(readFileSync(join(folder, path), 'utf8'));
        const moved = mapLinks(text, move);
        return [path, { description, text: path === FIRST_PAGE ? `# ${heading}\n\n${moved}` : moved }];
      }),
  );
}

/** The sections of the index, and what can be skipped if there is little room: the API reference. */
function formatList({ name, description }, sections, pages, locate) {
  const formatEntry = (title, path, hash, says) =>
    `- [${title}](${locate(path)}${hash})${says === undefined ? '' : `: ${says}`}`;
  const formatItem = ({ title, page, hash, description: says, inside }) => [
    formatEntry(title, page.path, hash, says),
    ...inside.map((one) => formatEntry(one.title, one.path, '')),
  ];
  const parts = sections
    .flatMap(({ title, items, groups }) => [{ title, items }, ...groups])
    .filter(({ items }) => items.length > 0)
    .map(({ title, items }) => `## ${title}\n\n${items.flatMap(formatItem).join('\n')}`);
  const reference = listReference(pages).map((path) => {
    const { text, description: says } = pages.get(path);
    return formatEntry(readHeading(text), path, '', says);
  });
  return `${[
    `# ${name}`,
    `> ${description}.`,
    `Every page is Markdown. One file has all of them: [llms-full.txt](${locate('llms-full.txt')})`,
    ...parts,
    `## Optional\n\n${reference.join('\n')}`,
  ].join('\n\n')}\n`;
}

/** All pages, in the order of the index. */
function formatWhole(sections, pages, locate) {
  const written = listItems(sections).flatMap(({ page, inside }) => [page, ...inside]);
  const paths = new Set([...written.map(({ path }) => path), ...listReference(pages)]);
  return [...paths].map((path) => `<!-- ${locate(path)} -->\n\n${pages.get(path).text}`).join('\n');
}

function listReference(pages) {
  return [...pages.keys()].filter((path) => path.startsWith(`${API}/`));
}

/** The Markdown of a page has the address of its HTML, with `.md` behind it. */
function toMarkdown(path) {
  return path.replace(/\.md$/, '.html.md');
}

function readHeading(text) {
  const [, heading] = /^# (.+)$/m.exec(text) ?? [];
  return heading
    ?.replace(/\\(?=\W)/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>');
}
