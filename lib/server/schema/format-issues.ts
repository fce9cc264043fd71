import type { ValidationIssue } from './compiled-schema.interface.js';
import { shorten } from './describe-value.js';

const MOST_LINES = 20;
const LONGEST_PATH = 100;
const LONGEST_MESSAGE = 300;
const LONGEST_READ = 2_000;

/**
 * Tells a language model what to fix: a line an issue, naming the argument, at most twenty lines of bounded length.
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

/** Puts a text on one line, so that a value cannot pass for an issue of its own. */
function formatLine(text: string): string {
  return text.slice(0, LONGEST_READ).replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}

/** Cuts what a library quotes from the value if it is long. */
function cutQuotations(text: string): string {
  return text.replace(/"([^"]{24})[^"]{40,}(?:"|$)/g, '"$1…"');
}
