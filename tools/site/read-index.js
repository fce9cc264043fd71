/** A row of a table whose first cell begins with a link, and what the second cell says. */
const ROW = /^\| (\[.*?\)) *\| *(.*?) *\|$/;

/** A link: its text, and where it leads. */
const LINK = /\[([^\]]+)\]\(([^)]+)\)/g;

/**
 * Reads sections and groups of the index, with what their tables lead to.
 *
 * @param {string} markdown
 */
export function readIndex(markdown) {
  const sections = [];
  for (const line of markdown.split('\n')) {
    const [, level, title] = /^(##|###) (.+)$/.exec(line) ?? [];
    if (level === '##') sections.push({ title, entries: [], groups: [] });
    if (level === '###') sections.at(-1)?.groups.push({ title, entries: [] });
    const section = sections.at(-1);
    (section?.groups.at(-1) ?? section)?.entries.push(...readRow(line));
  }
  return sections;
}

/** Further links of a cell go on with the sentence of the first: their pages have better titles. */
function readRow(line) {
  const [, cell = '', description = ''] = ROW.exec(line) ?? [];
  return [...cell.matchAll(LINK)].map(([, title, target], index) => ({
    title: index === 0 ? takeWords(title) : undefined,
    target,
    description: takeWords(description),
  }));
}

/** Leaves the words of links and of code: elsewhere they lead nowhere, and have another form. */
function takeWords(text) {
  return text.replace(LINK, '$1').replaceAll('`', '');
}
