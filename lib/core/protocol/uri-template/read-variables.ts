import type { Expression, Variable } from './parse-template.js';
import { decodeCharacters } from './uri-characters.js';

/** The values of a URI: a string for each variable, and a list for each exploded one. Absent variables are left out. */
export type VariableValues = Record<string, string | string[]>;

type Characters = readonly string[];

/** The value of a variable in one expression. A variable that a template names twice has two. */
export interface Occurrence {
  readonly variable: Variable;
  readonly value: string | string[];
}

/**
 * Extracts the values of the variables from an expanded expression, without its operator.
 *
 * @returns `undefined` if a value is longer than its prefix modifier allows, or is given twice
 */
export function readOccurrences(expression: Expression, text: Characters): readonly Occurrence[] | undefined {
  const occurrences = expression.operator.isNamed
    ? readPairs(expression, text)
    : readSegments(expression, text);
  const isWithinLength = ({ variable, value }: Occurrence) => isSame(value, cut(value, variable.maxLength));
  return occurrences?.every(isWithinLength) ? occurrences : undefined;
}

/**
 * Merges the occurrences of all expressions.
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

/** Assigns the segments to the variables from left to right. An exploded variable gets the surplus. */
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
