import { escapeText } from '../log/escape-text.js';

const LONGEST_NAME = 80;
const LONGEST_PATH = 160;

/** Invisible characters, in addition to the ones that JSON escapes. */
const UNSEEN = new RegExp(
  [
    String.raw`[\u061c\u200b\u2060\ufeff\u{e0000}-\u{e007f}]`,
    // One such character selects the form of the preceding character. Several of them can hide a message, one byte each.
    String.raw`\p{Variation_Selector}(?=\p{Variation_Selector})|(?<=\p{Variation_Selector})\p{Variation_Selector}`,
    String.raw`(?<!\p{Unified_Ideograph})[\u{e0100}-\u{e01ef}]`,
  ].join('|'),
  'gu',
);

/** Quotes a server's name: on one line, short, and with invisible characters escaped. */
export function show(name: unknown): string {
  if (typeof name !== 'string') return '(no name)';
  return `"${escape(name, LONGEST_NAME)}"`;
}

/** Formats a path, for example `properties.address.properties.zip`. */
export function showPath(path: readonly string[]): string {
  return escape(path.map((step) => step.slice(0, LONGEST_PATH)).join('.'), LONGEST_PATH);
}

/** Returns whether a string contains invisible characters, except line breaks. */
export function hasHidden(text: string): boolean {
  return /(?![\n\r\t])\p{Cc}|\p{Bidi_Control}/u.test(text) || text.search(UNSEEN) >= 0;
}

function escape(text: string, longest: number): string {
  return escapeText(text, longest).replace(
    UNSEEN,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}
