import { countWords } from '../prose/rules/define-rule.js';

/** A table in a page: what is written, and what it is written from. */
const TABLE = /^<!-- options: (\w+)([^>]*) -->\n(?:[^]*?)^<!-- end of options -->$/gm;

/** A default that is written as code: a number, a text, a list, an object, or a word of the language. */
const LITERAL = /^(?:-?\d[\d_.]*|'[^']*'|\[[^\]]*\]|\{.*\}|true|false|Infinity)(?=$|[\s,;:(])/;

/**
 * Writes the tables of options into a page, between comments such as `<!-- options: McpOptions sessions streams -->` and
 * `<!-- end of options -->`. An option is in the table that names it or what it is a member of, else in the one without names.
 *
 * @param {string} page the text of the page
 * @param sources what reads the options of an interface, and the title of a page
 * @param {(name: string) => import('./read-options.js').Option[]} sources.read
 * @param {(file: string) => string} sources.readTitle
 */
export function writeTables(page, { read, readTitle }) {
  const tables = [...page.matchAll(TABLE)].map(([, name, names]) => ({ name, names: split(names) }));
  return page.replaceAll(TABLE, (_table, name, given) => {
    const names = split(given);
    const all = tables.filter((table) => table.name === name).flatMap((table) => table.names);
    const options = read(name);
    const missing = names.find((one) => !options.some(({ path }) => path === one));
    if (missing !== undefined) throw new Error(`"${name}" has no option "${missing}"`);
    const rows = options.filter(({ path }) => {
      const nearest = findNearest(path, all);
      return nearest === undefined ? names.length === 0 : names.includes(nearest);
    });
    return [
      `<!-- options: ${[name, ...names].join(' ')} -->`,
      '',
      '<!-- prettier-ignore-start -->',
      '',
      '| option | type | default | meaning | page |',
      '| --- | --- | --- | --- | --- |',
      ...rows.map((option) => formatRow(name, option, readTitle)),
      '',
      ...rows.flatMap(formatRest),
      '<!-- prettier-ignore-end -->',
      '',
      '<!-- end of options -->',
    ].join('\n');
  });
}

/** Finds the name that an option has, or that is nearest above it. */
function findNearest(path, names) {
  const above = names.filter((name) => path === name || path.startsWith(`${name}.`));
  return above.toSorted((one, other) => other.length - one.length)[0];
}

function split(members) {
  return members.split(' ').filter((member) => member !== '');
}

function formatRow(name, { path, type, isRequired, text, fallback, pages }, readTitle) {
  const anchor = `<a id="${name}.${path}"></a>`;
  const cells = [
    `\`${path}\`${anchor}`,
    `\`${type}\``,
    isRequired ? 'required' : formatDefault(fallback),
    splitText(text).cell,
    pages.map((page) => formatLink(page, readTitle)).join(', '),
  ];
  return `| ${cells.map(escapePipes).join(' | ')} |`;
}

/** What a cell has no room for stands below the table. */
function formatRest({ path, text }) {
  const { rest } = splitText(text);
  return rest === '' ? [] : [`- \`${path}\`: ${rest}`, ''];
}

/** Cells hold up to two sentences of 30 words together, as the rule of prose wants it. */
function splitText(text) {
  const sentences = text.split(/(?<=[.!?]) (?=[A-Z`\d])/);
  const isShort = (count) => countWords(sentences.slice(0, count).join(' ')) <= MOST_WORDS;
  const count = sentences.length > 1 && isShort(2) ? 2 : 1;
  return { cell: sentences.slice(0, count).join(' '), rest: sentences.slice(count).join(' ') };
}

const MOST_WORDS = 30;

function formatDefault(fallback = '') {
  return fallback.replace(LITERAL, '`$&`');
}

/** Makes a link of what a docstring says of a page: `docs/http.md, "Streams"`. */
function formatLink(page, readTitle) {
  const [, file, title = ''] = /^docs\/(\S+?\.md)(?:, "([^"]*)")?$/.exec(page) ?? [];
  if (file === undefined) throw new Error(`"${page}" does not name a page as 'docs/http.md, "Streams"'`);
  const slug = title
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
  return `[${title || readTitle(file)}](${file}${slug && `#${slug}`})`;
}

function escapePipes(cell) {
  return cell.replaceAll('|', '\\|');
}
