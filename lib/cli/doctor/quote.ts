import { quoteShort } from '../visible-text.js';

/** Quotes what a server said: visible, short, and without what a terminal would obey. */
export function quote(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return quoteShort(text.replace(/[^\x20-\x7e]/g, '?'));
}

/** Names several things in one line. */
export function list(names: readonly string[]): string {
  return names.map(quote).join(', ');
}
