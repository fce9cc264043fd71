import { shorten } from '../schema/describe-value.js';

const LONGEST = 200;

/** Writes a value of somebody else's for the log: on one line, and cut where it is long. */
export function quoteValue(value: unknown): string {
  return value === undefined ? 'absent' : shorten(JSON.stringify(value), LONGEST);
}
