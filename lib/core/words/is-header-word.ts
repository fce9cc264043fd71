/** Returns whether a value fits into a header as one word: visible ASCII, at least one character. */
export function isHeaderWord(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value);
}
