import { UsageError } from '../usage.error.js';

/** The default and the maximum of a timeout in milliseconds. */
export interface TimeoutLimits {
  /** @default '--timeout' */
  readonly option?: string;
  /** The default. */
  readonly usualMs: number;
  readonly longestMs: number;
}

/**
 * Reads the option `--timeout`, or another one of its kind.
 *
 * @throws {UsageError} if it is no number of milliseconds within the bounds
 */
export function parseTimeout(
  text: string | undefined,
  { option = '--timeout', usualMs, longestMs }: TimeoutLimits,
): number {
  if (text === undefined) return usualMs;
  const timeoutMs = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (timeoutMs >= 1 && timeoutMs <= longestMs) return timeoutMs;
  throw new UsageError(`"${option}" must be milliseconds between 1 and ${longestMs}`);
}

/** The timeout of most commands. */
const USUAL_MS = 60_000;

/** The maximum of `--timeout`. */
const LONGEST_MS = 24 * 60 * 60 * 1000;

/** Suggests twice the timeout that was not long enough. */
export function formatTimeoutHint(timeoutMs: number = USUAL_MS): string {
  return `give it more time by "--timeout ${Math.min(2 * timeoutMs, LONGEST_MS)}"`;
}
