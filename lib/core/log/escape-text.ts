import { redactCredentials } from './redact-credentials.js';

const LONGEST = 2000;

/**
 * Matches what is in none of the safe ranges. Characters that begin a line, move the cursor, or change the direction of
 * text would make a reader see false text. Halves of characters are no text, and databases refuse them. The ranges are
 * numbers because a start that looks up properties of Unicode takes longer.
 */
const UNSAFE = /[^ -~\xa0-\u061b\u061d-\u200d\u2010-\u2027\u202f-\u2065\u206a-\ud7ff\ue000-\u{10ffff}]/gu;

/**
 * Writes a text for the log, the audit or a span that may come from a client. It is on one line, without the credentials
 * of its URLs, and cut if it is long.
 */
export function escapeText(text: string, longest = LONGEST): string {
  const cut = redactCredentials(text, longest);
  // Hardly any text has one of them, and to look for one costs a third of replacing them.
  return cut.search(UNSAFE) === -1 ? cut : cut.replace(UNSAFE, escapeCharacter);
}

function escapeCharacter(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\r') return '\\r';
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
