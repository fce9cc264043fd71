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
 * Reads the `--timeout` option, or a similar one.
 *
 * @throws {UsageError} if it is not a number of milliseconds within the limits
 */
export function parseTimeout(
  text: string | undefined,
  { option = '--timeout', usualMs, longestMs }: TimeoutLimits,
): number {
  if (text === undefined) return usualMs;
  const timeoutMs = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (timeoutMs >= 1 && timeoutMs <= longestMs) return timeoutMs;
  throw new UsageError(`"${option}" must be a number of milliseconds from 1 to ${longestMs}`);
}

/** The timeout for most commands. */
const USUAL_MS = 60_000;

/** The maximum of `--timeout`. */
const LONGEST_MS = 24 * 60 * 60 * 1000;

/** Suggests doubling a timeout that was too short. */
export function formatTimeoutHint(timeoutMs: number = USUAL_MS): string {
  return `allow more time with "--timeout ${Math.min(2 * timeoutMs, LONGEST_MS)}"`;
}
