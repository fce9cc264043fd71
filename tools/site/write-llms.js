import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeFrontMatter } from './front-matter.js';
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
  const texts = readTexts(from, manifest.name);
  const locate = (name) => `${origin}${base}${name}`;
  const list = (title, hash, path, description) =>
    `- [${title}](${locate(toMarkdown(path))}${hash})${description === undefined ? '' : `: ${description}`}`;

  const parts = sections.flatMap(({ title, items, groups }) => [
    ...formatPart(title, items, list),
    ...groups.flatMap((group) => formatPart(group.title, group.items, list)),
  ]);
  const reference = [...texts.keys()].filter((path) => path.startsWith(`${API}/`));
  const members = reference.map((path) => list(readHeading(texts.get(path)), '', path));
  const lines = [
    `# ${manifest.name}`,
    `> ${manifest.description}.`,
    `Every page is Markdown. One file has all of them: [llms-full.txt](${locate('llms-full.txt')})`,
    ...parts,
    '## Optional',
    members.join('\n'),
  ];
  writeFileSync(join(to, 'llms.txt'), `${lines.join('\n\n')}\n`);

  const written = listItems(sections).flatMap(({ page, inside }) => [
    page.path,
    ...inside.map(({ path }) => path),
  ]);
  const whole = [...new Set([...written, ...reference])].map(
    (path) => `<!-- ${locate(toMarkdown(path))} -->\n\n${texts.get(path)}`,
  );
  writeFileSync(join(to, 'llms-full.txt'), whole.join('\n'));
  for (const [path, text] of texts) writeFileSync(join(to, toMarkdown(path)), text);
}

/** A section of `llms.txt`, if it has something to list. */
function formatPart(title, items, list) {
  const lines = items.flatMap(({ title: name, page, hash, description, inside }) => [
    list(name, hash, page.path, description),
    ...inside.map((one) => list(one.title, '', one.path)),
  ]);
  return lines.length === 0 ? [] : [`## ${title}`, lines.join('\n')];
}

/** Reads the pages by their paths, with links that lead from Markdown to Markdown. The site shows the heading of the first by itself. */
function readTexts(folder, heading) {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  const move = (target) => (leavesPages(target) ? target : target.replace(/[^#]*/, toMarkdown));
  return new Map(
    paths.toSorted().map((path) => {
      const text = mapLinks(removeFrontMatter(readFileSync(join(folder, path), 'utf8')), move);
      return [path, path === FIRST_PAGE ? `# ${heading}\n\n${text}` : text];
    }),
  );
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
