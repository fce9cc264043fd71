import {
  decodeCharacters,
  type Expression,
  type ParsedTemplate,
  type TemplatePart,
  type Variable,
} from './parse-template.js';

/** An impossible position; larger than any position in a URI. */
const NOWHERE = 0xffff;

/** An expression to match. */
interface LiteralSearch {
  readonly expression: Expression;
  /** The characters that end a value. */
  readonly stops: ReadonlySet<string>;
}

/**
 * Computes, for each position, the latest position where an expression that starts there can end. One pass from the
 * end is enough, because a position's result depends only on later positions.
 */
function findTextEnds(sought: LiteralSearch, characters: readonly string[]): Uint16Array {
  return sought.expression.operator.isNamed
    ? findPairEnds(sought, characters)
    : findListEnds(sought, characters);
}

/** A list has at most as many separators as its variables can hold, and a single value at most as many characters. */
function findListEnds({ expression, stops }: LiteralSearch, characters: readonly string[]): Uint16Array {
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
    ends[start] = Math.min(stop, surplusSeparator, start + (single?.maxLength ?? Infinity));
  }
  return ends;
}

/** A chain of pairs extends to its end. A position without a pair has no end. */
function findPairEnds({ expression, stops }: LiteralSearch, characters: readonly string[]): Uint16Array {
  const { operator, variables } = expression;
  const longestNameFirst = variables.toSorted((a, b) => b.nameCharacters.length - a.nameCharacters.length);
  const ends = new Uint16Array(characters.length + 1).fill(NOWHERE);
  const valueEnds = new Uint16Array(characters.length + 2).fill(characters.length);
  for (let start = characters.length - 1; start >= 0; start--) {
    valueEnds[start] = stops.has(characters[start] ?? '') ? start : (valueEnds[start + 1] ?? start);
    for (const { nameCharacters, maxLength } of longestNameFirst) {
      const nameEnd = start + nameCharacters.length;
      const following = characters[nameEnd] ?? '';
      if (!startsWith(characters, nameCharacters, start) || /^\w/.test(following)) continue;
      const valueEnd = Math.min(valueEnds[nameEnd + 1] ?? 0, nameEnd + 1 + maxLength);
      const end = following === '=' ? valueEnd : nameEnd;
      const isFollowed = characters[end] === operator.separator && (ends[end + 1] ?? NOWHERE) !== NOWHERE;
      ends[start] = isFollowed ? (ends[end + 1] ?? end) : end;
      break;
    }
  }
  return ends;
}

/** Returns whether these characters are at a position. */
function startsWith(characters: readonly string[], sought: readonly string[], start: number): boolean {
  return sought.every((character, index) => characters[start + index] === character);
}

/** A template part, prepared for matching. */
export type MatchStep = LiteralText | LiteralSearch;

/** Characters that a URI must have. */
interface LiteralText {
  readonly literal: readonly string[];
  /** The number of leading characters that form a scheme, which is case-insensitive. */
  readonly scheme: number;
  /** The number of leading characters that form a scheme and a host. */
  readonly host: number;
}

/** Where a step ends if it starts at a position and all later steps match the rest. */
interface StepEnds {
  readonly ends: Uint16Array;
  /** Where an optional expression is present; only for such an expression. */
  readonly present?: Uint8Array;
}

/** Operator signs that end the preceding value, even if it may contain reserved characters. */
const UNREPEATED_SIGNS: ReadonlySet<string> = new Set('#;?&');

/** Prepares a template for matching. */
export function buildMatchSteps({ parts }: ParsedTemplate): readonly MatchStep[] {
  return parts.map((part, index) =>
    'text' in part
      ? buildLiteral(part.characters, index === 0)
      : { expression: part, stops: findStops(part, parts.slice(index + 1)) },
  );
}

/**
 * Finds the values that expand a template to a URI (RFC 6570 §1.4). If there are several solutions, a value leaves
 * the sign to the operator right after it, and is otherwise as long as possible, starting with the first value.
 *
 * Each step is matched once against every position, from the last step to the first. There is therefore no
 * backtracking, and the time is proportional to the length of the URI.
 */
export function matchSteps(
  steps: readonly MatchStep[],
  characters: readonly string[],
  foldsHost: boolean,
): VariableValues | undefined {
  const [head] = steps;
  if (
    head !== undefined &&
    'literal' in head &&
    !beginsWith(characters, head, foldsHost ? head.host : head.scheme)
  ) {
    return undefined;
  }
  const ends = new Uint16Array(characters.length + 1).fill(NOWHERE);
  ends[characters.length] = characters.length;
  let next: StepEnds = { ends };
  const endsByStep = new Map<MatchStep, Uint16Array>();
  for (const step of steps.toReversed()) {
    next = 'literal' in step ? matchLiteral(step, characters, next) : matchExpression(step, characters, next);
    endsByStep.set(step, next.ends);
  }
  return readValues(endsByStep, steps, characters);
}

/**
 * Collects the characters that end an expression's value: the delimiters that it would encode, and later operators'
 * signs.
 */
function findStops({ operator, isList }: Expression, later: readonly TemplatePart[]): ReadonlySet<string> {
  const stops = new Set(operator.keepsReserved ? '' : operator.separator === '&' ? '&#' : '/?#');
  for (const part of later) {
    const sign = 'operator' in part ? part.operator.first : '';
    if (UNREPEATED_SIGNS.has(sign)) stops.add(sign);
  }
  if (operator.isNamed) stops.add(operator.separator);
  else if (isList) stops.delete(operator.separator);
  return stops;
}

/** Only the first step has case-insensitive characters (RFC 3986 §6.2.2.1). User information before the host is case-sensitive. */
function buildLiteral(literal: readonly string[], isFirst: boolean): LiteralText {
  const [whole = '', scheme = ''] =
    (isFirst && /^([a-z][a-z\d+.-]*:)(?:\/\/[^/?#@]*)?/i.exec(literal.join(''))) || [];
  return { literal, scheme: scheme.length, host: whole.length };
}

function beginsWith(characters: readonly string[], { literal }: LiteralText, folded: number): boolean {
  return literal.every((character, index) => {
    const other = characters[index];
    return other === character || (index < folded && other?.toLowerCase() === character.toLowerCase());
  });
}

function matchLiteral(
  { literal, scheme }: LiteralText,
  characters: readonly string[],
  next: StepEnds,
): StepEnds {
  const ends = new Uint16Array(characters.length + 1).fill(NOWHERE);
  // A scheme must be at the start, which was already checked.
  if (scheme > 0) {
    if (next.ends[literal.length] !== NOWHERE) ends[0] = literal.length;
    return { ends };
  }
  for (let start = 0; start + literal.length <= characters.length; start++) {
    const end = start + literal.length;
    if (next.ends[end] !== NOWHERE && startsWith(characters, literal, start)) ends[start] = end;
  }
  return { ends };
}

function matchExpression(step: LiteralSearch, characters: readonly string[], next: StepEnds): StepEnds {
  const { first, isNamed } = step.expression.operator;
  const textEnds = findTextEnds(step, characters);
  const latest = findLatest(characters.length, (end) => next.ends[end] !== NOWHERE);
  const latestPresent = next.present && findLatest(characters.length, (end) => next.present?.[end] === 1);
  const ends = new Uint16Array(characters.length + 1).fill(NOWHERE);
  const present = new Uint8Array(characters.length + 1);
  const shortest = first === '' || isNamed ? 1 : 0;
  for (let start = 0; start <= characters.length; start++) {
    const textStart = start + first.length;
    const isThere = first === '' || characters[start] === first;
    const textEnd = isThere ? textEnds[textStart] : undefined;
    const end = selectEnd({ least: textStart + shortest, textEnd, latest, latestPresent });
    // An optional expression may be absent, in which case the rest starts at its position.
    const isAbsent = end === NOWHERE && first !== '' && next.ends[start] !== NOWHERE;
    ends[start] = isAbsent ? start : end;
    present[start] = Number(end !== NOWHERE);
  }
  return first === '' ? { ends } : { ends, present };
}

/** Computes, for each position, the last position up to it that meets a condition. */
function findLatest(length: number, isSought: (position: number) => boolean): Uint16Array {
  const latest = new Uint16Array(length + 1);
  let position = NOWHERE;
  for (let index = 0; index <= length; index++) {
    if (isSought(index)) position = index;
    latest[index] = position;
  }
  return latest;
}

/** Selects the latest end of a value within its limits, preferring one where the next operator finds its sign. */
function selectEnd(limits: {
  readonly least: number;
  readonly textEnd: number | undefined;
  readonly latest: Uint16Array;
  readonly latestPresent: Uint16Array | undefined;
}): number {
  const { least, textEnd = NOWHERE, latest, latestPresent } = limits;
  const preferred = latestPresent?.[textEnd] ?? NOWHERE;
  if (preferred !== NOWHERE && preferred >= least) return preferred;
  const end = latest[textEnd] ?? NOWHERE;
  return end >= least ? end : NOWHERE;
}

function readValues(
  endsByStep: ReadonlyMap<MatchStep, Uint16Array>,
  steps: readonly MatchStep[],
  characters: readonly string[],
): VariableValues | undefined {
  const occurrences: Occurrence[] = [];
  let start = 0;
  for (const step of steps) {
    const end = endsByStep.get(step)?.[start] ?? NOWHERE;
    if (end === NOWHERE) return undefined;
    if ('expression' in step && end > start) {
      const text = characters.slice(start + step.expression.operator.first.length, end);
      const read = readOccurrences(step.expression, text);
      if (read === undefined) return undefined;
      occurrences.push(...read);
    }
    start = end;
  }
  return start === characters.length ? mergeOccurrences(occurrences) : undefined;
}

/** A URI's values: a string for each variable, and a list for each exploded one. Absent variables are omitted. */
export type VariableValues = Record<string, string | string[]>;

type Characters = readonly string[];

/** A variable's value in one expression. A variable that occurs twice in a template has two values. */
export interface Occurrence {
  readonly variable: Variable;
  readonly value: string | string[];
}

/**
 * Extracts the variables' values from an expanded expression, without its operator.
 *
 * @returns `undefined` if a value is longer than its prefix modifier allows, or occurs twice
 */
export function readOccurrences(expression: Expression, text: Characters): readonly Occurrence[] | undefined {
  const occurrences = expression.operator.isNamed
    ? readPairs(expression, text)
    : readSegments(expression, text);
  const isWithinLength = ({ variable, value }: Occurrence) => isSame(value, cut(value, variable.maxLength));
  return occurrences?.every(isWithinLength) ? occurrences : undefined;
}

/**
 * Merges the occurrences from all expressions.
 *
 * @returns `undefined` if two occurrences of a variable differ
 */
export function mergeOccurrences(occurrences: readonly Occurrence[]): VariableValues | undefined {
  const values = new Map<string, string | string[]>();
  // With the longest value first, every other value must be a prefix of it.
  for (const { variable, value } of occurrences.toSorted(compareLengths)) {
    const known = values.get(variable.name);
    if (known === undefined) values.set(variable.name, value);
    else if (!isSame(value, cut(known, variable.maxLength))) return undefined;
  }
  return Object.fromEntries(values);
}

function compareLengths({ variable: a }: Occurrence, { variable: b }: Occurrence): number {
  return Number(a.maxLength < b.maxLength) - Number(a.maxLength > b.maxLength);
}

/** Assigns the segments to the variables from left to right. An exploded variable receives the surplus. */
function readSegments({ operator, variables, isList }: Expression, text: Characters): Occurrence[] {
  const segments = (isList ? split(text, operator.separator) : [text]).map(decodeCharacters);
  let surplus = Math.max(0, segments.length - variables.length);
  const occurrences: Occurrence[] = [];
  for (const variable of variables) {
    const [value, ...others] = segments.splice(0, variable.isExploded ? 1 + surplus : 1);
    if (value === undefined) break;
    if (variable.isExploded) surplus = 0;
    occurrences.push({ variable, value: variable.isExploded ? [value, ...others] : value });
  }
  return occurrences;
}

/** Reads `name=value` pairs in any order; only an exploded variable may have several. */
function readPairs({ operator, variables }: Expression, text: Characters): Occurrence[] | undefined {
  const values = new Map<Variable, string | string[]>();
  for (const pair of split(text, operator.separator)) {
    const equals = pair.includes('=') ? pair.indexOf('=') : pair.length;
    const name = pair.slice(0, equals).join('');
    const value = decodeCharacters(pair.slice(equals + 1));
    const variable = variables.find(({ nameCharacters }) => nameCharacters.join('') === name);
    const known = variable && values.get(variable);
    if (variable === undefined || typeof known === 'string') return undefined;
    if (known === undefined) values.set(variable, variable.isExploded ? [value] : value);
    else known.push(value);
  }
  return [...values].map(([variable, value]) => ({ variable, value }));
}

function split(text: Characters, separator: string): Characters[] {
  const pieces: Characters[] = [];
  let start = 0;
  for (let end = text.indexOf(separator); end >= 0; end = text.indexOf(separator, start)) {
    pieces.push(text.slice(start, end));
    start = end + 1;
  }
  return [...pieces, text.slice(start)];
}

function cut(value: string | string[], length: number): string | string[] {
  return typeof value === 'string' && value.length > length ? [...value].slice(0, length).join('') : value;
}

function isSame(value: string | string[], other: string | string[]): boolean {
  return value === other || JSON.stringify(value) === JSON.stringify(other);
}
