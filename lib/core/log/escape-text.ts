const LONGEST = 2000;

/**
 * Characters that begin a line, move the cursor, or change the direction of text. They would make a reader see false
 * text. Halves of characters are no text, and databases refuse them. They are listed by number because a start that has
 * to look up properties of Unicode takes longer.
 */
const UNSAFE = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/gu;

/** Writes a text for the log that may come from a client. It is on one line, and cut if it is long. */
export function escapeText(text: string, longest = LONGEST): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text;
  // Hardly any text has one of them, and to look for one costs a third of replacing them.
  return cut.search(UNSAFE) === -1 ? cut : cut.replace(UNSAFE, escapeCharacter);
}

function escapeCharacter(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\r') return '\\r';
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
