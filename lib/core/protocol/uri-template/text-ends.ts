import type { Expression } from './parse-template.js';

/** Stands for a position that there is not; larger than every position in a URI. */
export const NOWHERE = 0xffff;

/** The text of an expression to look for. */
export interface SoughtText {
  readonly expression: Expression;
  /** The characters that end a value. */
  readonly stops: ReadonlySet<string>;
}

/**
 * Finds for each position where the text of an expression that begins there can end at the latest. One pass from the
 * end is enough, because the result of a position follows from the positions after it.
 */
export function findTextEnds(sought: SoughtText, characters: readonly string[]): Uint16Array {
  return sought.expression.operator.isNamed
    ? findPairEnds(sought, characters)
    : findListEnds(sought, characters);
}

/** A list has no more separators than its variables have room for, a single value no more characters. */
function findListEnds({ expression, stops }: SoughtText, characters: readonly string[]): Uint16Array {
  const { operator, variables } = expression;
  const [single] = variables.length === 1 ? variables : [];
  const isCounted = single === undefined && !variables.some(({ isExploded }) => isExploded);
  const ends = new Uint16Array(characters.length + 1);
  const separators: number[] = [];
  let stop = characters.length;
  for (let start = characters.length; start >= 0; start--) {
    const character = characters[start] ?? '';
    if (stops.has(character)) stop = start;
    if (isCounted && character === operator.separator) separators.push(start);
    const surplusSeparator = separators.at(-variables.length) ?? stop;
    ends[start] = Math.min(stop, surplusSeparator, start + (single?.maximumLength ?? Infinity));
  }
  return ends;
}

/** A chain of pairs reaches to its end. A position without a pair reaches nowhere. */
function findPairEnds({ expression, stops }: SoughtText, characters: readonly string[]): Uint16Array {
  const { operator, variables } = expression;
  const longestNameFirst = variables.toSorted((a, b) => b.nameCharacters.length - a.nameCharacters.length);
  const ends = new Uint16Array(characters.length + 1).fill(NOWHERE);
  const valueEnds = new Uint16Array(characters.length + 2).fill(characters.length);
  for (let start = characters.length - 1; start >= 0; start--) {
    valueEnds[start] = stops.has(characters[start] ?? '') ? start : (valueEnds[start + 1] ?? start);
    for (const { nameCharacters, maximumLength } of longestNameFirst) {
      const nameEnd = start + nameCharacters.length;
      const following = characters[nameEnd] ?? '';
      if (!startsWith(characters, nameCharacters, start) || /^\w/.test(following)) continue;
      const valueEnd = Math.min(valueEnds[nameEnd + 1] ?? 0, nameEnd + 1 + maximumLength);
      const end = following === '=' ? valueEnd : nameEnd;
      const isFollowed = characters[end] === operator.separator && (ends[end + 1] ?? NOWHERE) !== NOWHERE;
      ends[start] = isFollowed ? (ends[end + 1] ?? end) : end;
      break;
    }
  }
  return ends;
}

/** Says whether some characters stand at a position. */
export function startsWith(characters: readonly string[], sought: readonly string[], start: number): boolean {
  return sought.every((character, index) => characters[start + index] === character);
}
