/** Comments, strings and regular expressions; a slash starts an expression only if no value precedes it. */
const OPAQUE =
  /\/\/[^\n\r]*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"|`(?:[^`\\]|\\[\s\S])*`|(?<=[=(,:[!&|?{};]\s*)\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/g;

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/**
 * Masks a source without moving its code: replaces comments with spaces, and strings with quotes so that they still count as
 * values.
 */
export function maskSource(source: string): string {
  return source.replace(OPAQUE, (match) => {
    const isComment = match.startsWith('//') || match.startsWith('/*');
    return match.replace(/[^\n\r]/g, isComment ? ' ' : '"');
  });
}

/** Finds the bracket that closes the bracket at a position. Returns `undefined` if brackets do not match. */
export function findClosing(masked: string, opening: number): number | undefined {
  const expected: string[] = [];
  for (let index = opening; index < masked.length; index++) {
    const character = masked.charAt(index);
    const closing = CLOSING[character];
    if (closing !== undefined) expected.push(closing);
    else if (character === ')' || character === ']' || character === '}') {
      if (expected.pop() !== character) return undefined;
      if (expected.length === 0) return index;
    }
  }
  return undefined;
}

/** A part of a source, between two positions. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Splits the code between two brackets at its commas. */
export function splitMembers(masked: string, { start, end }: Span): readonly Span[] {
  const members: Span[] = [];
  let from = start;
  for (let index = start; index <= end; index++) {
    const character = masked.charAt(index);
    if (index < end && character in CLOSING) index = findClosing(masked, index) ?? end;
    else if (index === end || character === ',') {
      const member = trim(masked, { start: from, end: index });
      if (member.start < member.end) members.push(member);
      from = index + 1;
    }
  }
  return members;
}

function trim(masked: string, { start, end }: Span): Span {
  const text = masked.slice(start, end);
  const first = start + text.length - text.trimStart().length;
  return { start: first, end: Math.max(first, start + text.trimEnd().length) };
}
