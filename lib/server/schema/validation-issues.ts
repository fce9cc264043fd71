import type { ValidationIssue } from './compiled-schema.interface.js';
import { findClosestName } from '../../core/checks/suggest-names.js';

const MOST_LINES = 20;
const LONGEST_PATH = 100;
const LONGEST_MESSAGE = 300;
const LONGEST_READ = 2_000;

/**
 * Formats validation issues for a language model: one line per issue with the argument's path, at most twenty lines of
 * limited length.
 *
 * @example
 * formatIssues([{ path: 'address.street', message: 'is required but missing, expected string' }]);
 * // address.street: is required but missing, expected string
 */
export function formatIssues(issues: readonly ValidationIssue[]): string {
  const lines = [...new Set(issues.map(formatIssue))];
  if (lines.length <= MOST_LINES) return lines.join('\n');
  return [...lines.slice(0, MOST_LINES), `and ${lines.length - MOST_LINES} more`].join('\n');
}

function formatIssue({ path, message }: ValidationIssue): string {
  const text = shorten(cutQuotations(formatLine(message)), LONGEST_MESSAGE);
  return path === '' ? text : `${shorten(formatLine(path), LONGEST_PATH)}: ${text}`;
}

/** Puts a message on one line, so that a value cannot imitate another issue. */
function formatLine(text: string): string {
  return text.slice(0, LONGEST_READ).replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}

/** Cuts what a library quotes from the value if it is long. */
function cutQuotations(text: string): string {
  return text.replace(/"([^"]{24})[^"]{40,}(?:"|$)/g, '"$1…"');
}

const MOST_NAMES = 20;

/** Formats an expectation and the received value. */
export function formatExpected(expected: string, value: unknown): string {
  return `expected ${expected}, received ${describeValue(value)}`;
}

/** Formats that a property is missing. */
export function formatMissing(expected?: string): string {
  return expected === undefined ? 'is required but missing' : `is required but missing, expected ${expected}`;
}

/** Formats that a string is not a date, with an example of a date. */
export function formatNoDate(text: string): string {
  return formatExpected('a date and time such as "2026-01-31T09:30:00Z"', text);
}

/** Formats that no alternative matches, after the issues of each. */
export function formatNoAlternative(): string {
  return 'matches none of the alternatives, one is enough';
}

/** Formats that a name is unknown, with the closest known name. */
export function formatUnknownName(name: string, known: readonly string[]): string {
  if (known.length === 0) return 'is not a known name, leave it out';
  const closest = findClosestName(name, known);
  return closest === undefined
    ? `is not a known name, known are ${formatList(known)}`
    : `is not a known name, did you mean "${closest}"?`;
}

/** Formats that a name has a special meaning in JavaScript. */
export function formatReservedName(): string {
  return 'is a name that every object has by itself, which cannot be given here: choose another';
}

/** Lists values as JSON, the first twenty of them. */
export function formatList(values: readonly unknown[]): string {
  const shown = values
    .slice(0, MOST_NAMES)
    .map((value) => shorten(JSON.stringify(value) ?? String(value), 60));
  if (values.length > MOST_NAMES) shown.push(`and ${values.length - MOST_NAMES} more`);
  return shown.join(', ');
}

const LONGEST_TEXT = 120;
const LONGEST_ECHO = 40;

/** Shortens a string to a number of characters. */
export function shorten(text: string, longest = LONGEST_TEXT): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}

/**
 * Names the type of a value and, if it is a short one, the value itself.
 *
 * @example
 * describeValue('bug'); // string "bug"
 * describeValue([1, 2]); // array of 2 items
 */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return `array of ${value.length} ${value.length === 1 ? 'item' : 'items'}`;
  if (typeof value === 'string') {
    return value.length <= LONGEST_ECHO
      ? `string ${JSON.stringify(value)}`
      : `string of ${value.length} characters`;
  }
  if (typeof value === 'number' || typeof value === 'boolean') return `${typeof value} ${value}`;
  return typeof value;
}

/** The most issues that one validation reports. Further issues are not searched. */
export const MOST_ISSUES = 100;
