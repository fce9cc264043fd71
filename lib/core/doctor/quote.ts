const LONGEST_QUOTE = 160;
const MOST_LISTED = 3;

/** Quotes what a server said: visible, short, and without what a terminal would obey. */
export function quote(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return quoteShort(text.replace(/[^\x20-\x7e]/g, '?'));
}

/** Names several things in one line. */
export function list(names: readonly string[]): string {
  return names.map(quote).join(', ');
}

/** Lists the first texts of several, and says how many more there are. */
export function listFirst(texts: readonly string[]): string {
  const shown = texts.slice(0, MOST_LISTED);
  if (texts.length > MOST_LISTED) shown.push(`and ${texts.length - MOST_LISTED} more`);
  return shown.join(', ');
}

/** Quotes what is visible already: cut if it is long. */
export function quoteShort(line: string): string {
  return line.length > LONGEST_QUOTE ? `"${line.slice(0, LONGEST_QUOTE)}…"` : `"${line}"`;
}

/** Writes a number of things, such as `1 tool` or `3 tools`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
