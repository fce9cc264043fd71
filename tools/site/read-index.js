/** A row of a table whose first cell is a link: its text, where it leads, and what the second cell says. */
const ROW = /^\| \[([^\]]+)\]\(([^)]+)\)\s*\|\s*(.*?)\s*\|$/;

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

function readRow(line) {
  const [, title, target, description] = ROW.exec(line) ?? [];
  return title === undefined ? [] : [{ title, target, description: takeWords(description) }];
}

/** Leaves the words of links and of code: elsewhere they lead nowhere, and have another form. */
function takeWords(text) {
  return text.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll('`', '');
}
