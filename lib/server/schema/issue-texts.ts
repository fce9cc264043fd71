import { findClosestName } from '../../core/checks/find-closest-name.js';
import { describeValue, shorten } from './describe-value.js';

const MOST_NAMES = 20;

/** Says what was wanted and what came. */
export function formatExpected(expected: string, value: unknown): string {
  return `expected ${expected}, received ${describeValue(value)}`;
}

/** Says that a member must be given. */
export function formatMissing(expected?: string): string {
  return expected === undefined ? 'is required but missing' : `is required but missing, expected ${expected}`;
}

/** Says that a text is no date, and how one is written. */
export function formatNoDate(text: string): string {
  return formatExpected('a date and time such as "2026-01-31T09:30:00Z"', text);
}

/** Says that no alternative takes the value; what each wants is said before. */
export function formatNoAlternative(): string {
  return 'matches none of the alternatives, one is enough';
}

/** Says that a name is not known, and which one was probably meant. */
export function formatUnknownName(name: string, known: readonly string[]): string {
  if (known.length === 0) return 'is not a known name, leave it out';
  const closest = findClosestName(name, known);
  return closest === undefined
    ? `is not a known name, known are ${formatList(known)}`
    : `is not a known name, did you mean "${closest}"?`;
}

/** Says that a name has a special meaning in JavaScript. */
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
