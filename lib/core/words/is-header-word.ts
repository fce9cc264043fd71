/** Tells whether a header can hold a value as one word: visible ASCII, at least one character of it. */
export function isHeaderWord(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value);
}
