/** Characters that JSON writes as two: backspace, tab, line feed, form feed, carriage return, quotation mark, backslash. */
const IN_TWO: ReadonlySet<number> = new Set([8, 9, 10, 12, 13, 34, 92]);

const FIRST_PRINTABLE = 0x20;

/** A character of another notation, such as `\u0001`. */
const ESCAPED_BYTES = 6;

/** Takes as much of the beginning of a text as goes into so many bytes of JSON. */
export function takeBytes(text: string, bytes: number): string {
  let left = bytes;
  let end = 0;
  while (end < text.length) {
    const character = text.codePointAt(end) ?? 0;
    left -= countBytes(character);
    if (left < 0) break;
    end += character > 0xffff ? 2 : 1;
  }
  return text.slice(0, end);
}

function countBytes(character: number): number {
  if (IN_TWO.has(character)) return 2;
  // JSON writes half of a pair by its number.
  if (character < FIRST_PRINTABLE || (character >= 0xd800 && character <= 0xdfff)) return ESCAPED_BYTES;
  if (character < 0x80) return 1;
  if (character < 0x800) return 2;
  return character > 0xffff ? 4 : 3;
}
