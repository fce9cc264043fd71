/** A list in a page: what is written, and what it is written from. */
const LIST = /^<!-- options: (\w+)([^>]*) -->\n(?:[^]*?)^<!-- end of options -->$/gm;

/** A default that is written as code: a number, a string, an array, an object, or a keyword. */
const LITERAL = /^(?:-?\d[\d_.]*|'[^']*'|\[[^\]]*\]|\{.*\}|true|false|Infinity)(?=$|[\s,;:(])/;

/** A name that ends with a unit, which the text below it does not repeat. */
const UNIT = /(?:Ms|Bytes|Characters|Seconds)$/;

/** How many characters a text has at most that is written again. */
const SHORT = 30;

/**
 * Writes lists of options into a page, between comments such as `<!-- options: McpOptions sessions streams -->` and
 * `<!-- end of options -->`. An option is in the list that names it or an object above it, else in the list without names. Each has an
 * anchor: `McpOptions.sessions.recover`.
 *
 * @param {string} page the Markdown of the page
 * @param {(name: string) => import('./read-options.js').Option[]} read reads the options of an interface
 */
export function writeOptions(page, read) {
  const explained = new Map();
  const lists = [...page.matchAll(LIST)].map(([, name, names]) => ({ name, names: split(names) }));
  return page.replaceAll(LIST, (_list, name, given) => {
    const names = split(given);
    const all = lists.filter((list) => list.name === name).flatMap((list) => list.names);
    const options = read(name);
    const missing = names.find((one) => !options.some(({ path }) => path === one));
    if (missing !== undefined) throw new Error(`"${name}" has no option "${missing}"`);
    const listed = options.filter(({ path }) => {
      const nearest = findNearest(path, all);
      return nearest === undefined ? names.length === 0 : names.includes(nearest);
    });
    return [
      `<!-- options: ${[name, ...names].join(' ')} -->`,
      '',
      '<!-- prettier-ignore-start -->',
      '',
      ...groupOptions(listed).flatMap(({ title, members }) => [
        ...(title === undefined ? [] : [`### Options of \`${title}\``, '']),
        ...members.map((option) => formatOption(name, option, explained)),
        '',
      ]),
      '<!-- prettier-ignore-end -->',
      '',
      '<!-- end of options -->',
    ].join('\n');
  });
}

/** Lists single options first, then each object with options of its own below a heading, if a list has several. */
function groupOptions(options) {
  const titles = [...new Set(options.map(({ path }) => path.split('.')[0]))];
  if (titles.length === 1) return [{ members: options }];
  const groups = titles.map((title) => ({
    title,
    members: options.filter(({ path }) => path === title || path.startsWith(`${title}.`)),
  }));
  const single = groups.filter(({ members }) => members.length === 1).flatMap(({ members }) => members);
  const objects = groups.filter(({ members }) => members.length > 1);
  return single.length === 0 ? objects : [{ members: single }, ...objects];
}

/** Finds the name that an option has, or that is nearest above it. */
function findNearest(path, names) {
  const above = names.filter((name) => path === name || path.startsWith(`${name}.`));
  return above.toSorted((one, other) => other.length - one.length)[0];
}

function split(members) {
  return members.split(' ').filter((member) => member !== '');
}

/** An option that another interface has with the same text leads to that one, unless the text is as short as the link. */
function formatOption(name, { path, type, isRequired, text, fallback, page }, explained) {
  const anchor = `${name}.${path}`;
  const value = isRequired ? ' · required' : formatDefault(fallback);
  const meaning = UNIT.test(path)
    ? text.replace(/, in (?:milliseconds|bytes|characters|seconds)\b/, '')
    : text;
  const known = `${path.split('.').at(-1)}: ${meaning}`;
  const earlier = meaning.length > SHORT ? explained.get(known) : undefined;
  if (earlier === undefined) explained.set(known, anchor);
  const address = earlier === undefined ? page && findAddress(page) : `#${earlier}`;
  const title = address === undefined ? `\`${path}\`` : `[\`${path}\`](${address})`;
  const facts = `- <a id="${anchor}"></a>**${title}** · \`${type}\`${value}`;
  return earlier === undefined ? `${facts}<br>\n  ${meaning}` : facts;
}

function formatDefault(fallback = 'none') {
  if (fallback === 'none') return '';
  if (LITERAL.test(fallback)) return ` = ${fallback.replace(LITERAL, '`$&`')}`;
  return ` · default: ${fallback.replace('none: ', '')}`;
}

/** Finds the address of the page that a docstring names: `docs/http.md, "Streams"`. */
function findAddress(page) {
  const [, file, title = ''] = /^docs\/(\S+?\.md)(?:, "([^"]*)")?$/.exec(page) ?? [];
  if (file === undefined) throw new Error(`"${page}" does not name a page as 'docs/http.md, "Streams"'`);
  const slug = title
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
  return `${file}${slug && `#${slug}`}`;
}
