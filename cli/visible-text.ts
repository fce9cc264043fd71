import { quoteShort } from '../lib/core/doctor/finding.js';

/** Characters that control a terminal: control characters, and characters that change the writing direction. */
const OBEYED = /(?![\n\t])\p{Cc}|\p{Bidi_Control}/gu;

const LONGEST_NAME = 80;

/** Makes a server's string safe to print, on several lines. */
export function makeVisible(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(OBEYED, '\u{fffd}');
}

/** Formats a server's value as JSON that is safe to print. Control characters are escaped, so that the value stays the same. */
export function formatVisibleJson(value: unknown): string {
  // JSON.stringify() escapes only ASCII control characters, without "delete".
  return JSON.stringify(value, undefined, 2).replace(OBEYED, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Makes a server's string safe to print, on one line. */
export function makeLine(text: string): string {
  return makeVisible(text).replace(/\s+/g, ' ').trim();
}

/** Formats a name for a list: on one line, and shortened if it is long. */
export function makeName(name: string): string {
  const line = makeLine(name);
  return line.length > LONGEST_NAME ? `${line.slice(0, LONGEST_NAME)}…` : line;
}

/** Quotes a name for a sentence: on one line, and shortened if it is long. */
export function quoteVisible(text: string): string {
  return quoteShort(makeLine(text));
}
