import { redactCredentials } from './redact-credentials.js';

const LONGEST = 2000;

/**
 * Matches everything outside the safe ranges. Characters that start a line, move the cursor, or change the text
 * direction would mislead a reader. Lone surrogates are not characters, and databases refuse them. The ranges are
 * numeric because Unicode property lookups would slow down the start.
 */
const UNSAFE = /[^ -~\xa0-\u061b\u061d-\u200d\u2010-\u2027\u202f-\u2065\u206a-\ud7ff\ue000-\u{10ffff}]/gu;

/**
 * Escapes a string that may contain client input for the log, the audit or a span. The result is on one line, without
 * URL credentials, and cut if it is long.
 */
export function escapeText(text: string, longest = LONGEST): string {
  const cut = redactCredentials(text, longest);
  // Hardly any string has one of them, and a search costs a third of a replacement.
  return cut.search(UNSAFE) === -1 ? cut : cut.replace(UNSAFE, escapeCharacter);
}

function escapeCharacter(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\r') return '\\r';
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
