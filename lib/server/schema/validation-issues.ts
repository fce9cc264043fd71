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

/** Puts a message on one line, so a value cannot imitate another issue. */
function formatLine(text: string): string {
  return text.slice(0, LONGEST_READ).replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}

/** Truncates a long value that a library quotes. */
function cutQuotations(text: string): string {
  return text.replace(/"([^"]{24})[^"]{40,}(?:"|$)/g, '"$1…"');
}

const MOST_NAMES = 20;

/** Formats the expected and the received value. */
export function formatExpected(expected: string, value: unknown): string {
  return `expected ${expected}, received ${describeValue(value)}`;
}

/** Formats the message for a missing property. */
export function formatMissing(expected?: string): string {
  return expected === undefined ? 'is required but missing' : `is required but missing, expected ${expected}`;
}

/** Formats the message for a string that is not a date, with an example of a valid one. */
export function formatNoDate(text: string): string {
  return formatExpected('a date and time such as "2026-01-31T09:30:00Z"', text);
}

/** Formats the message that follows the issues of all alternatives if none matches. */
export function formatNoAlternative(): string {
  return 'matches none of the alternatives, but must match one';
}

/** Formats the message for an unknown name, with the closest known name. */
export function formatUnknownName(name: string, known: readonly string[]): string {
  if (known.length === 0) return 'is not a known name, remove it';
  const closest = findClosestName(name, known);
  return closest === undefined
    ? `is not a known name, expected one of ${formatList(known)}`
    : `is not a known name, did you mean "${closest}"?`;
}

/** Formats the message for a name with a special meaning in JavaScript. */
export function formatReservedName(): string {
  return 'is the name of a built-in object property, which is not allowed here: choose a different name';
}

/** Lists up to twenty values as JSON. */
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
 * Names a value's type and, if it is short, the value itself.
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

/** The maximum number of issues that one validation reports. Further issues are not looked for. */
export const MOST_ISSUES = 100;
