const LONGEST_QUOTE = 160;
const MOST_LISTED = 3;

/** Quotes a server's value: printable, short, and without terminal control characters. */
export function quote(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return quoteShort(text.replace(/[^\x20-\x7e]/g, '?'));
}

/** Lists several names on one line. */
export function list(names: readonly string[]): string {
  return names.map(quote).join(', ');
}

/** Lists the first few strings, with the number of the rest. */
export function listFirst(texts: readonly string[]): string {
  const shown = texts.slice(0, MOST_LISTED);
  if (texts.length > MOST_LISTED) shown.push(`and ${texts.length - MOST_LISTED} more`);
  return shown.join(', ');
}

/** Quotes a printable line, and cuts it if it is long. */
export function quoteShort(line: string): string {
  return line.length > LONGEST_QUOTE ? `"${line.slice(0, LONGEST_QUOTE)}…"` : `"${line}"`;
}

/** Formats a count, such as `1 tool` or `3 tools`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
