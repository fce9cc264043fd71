const LONGEST_QUOTE = 160;

/** Quotes what a server said: visible, short, and without what a terminal would obey. */
export function quote(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  const visible = text.slice(0, LONGEST_QUOTE + 1).replace(/[^\x20-\x7e]/g, '?');
  return visible.length > LONGEST_QUOTE ? `"${visible.slice(0, LONGEST_QUOTE)}…"` : `"${visible}"`;
}

/** Names several things in one line. */
export function list(names: readonly string[]): string {
  return names.map(quote).join(', ');
}
