/** The limits of the delays between attempts. */
export interface BackOff {
  readonly initialDelayMs: number;
  readonly maxDelayMs: number;
}

interface DelayOptions {
  /** Milliseconds of a pause that the other side requests. @default 0 */
  readonly retryAfterMs?: number | undefined;
  /** @default Math.random */
  readonly random?: () => number;
}

/**
 * Computes the milliseconds to wait after an attempt: twice as long each time. Up to half of the wait is random, so
 * that clients that lost a server together do not reconnect together. If the other side requests a longer wait, it is
 * at least that long. No wait is longer than `maxDelayMs`.
 *
 * @param attempt the number of attempts that failed before this one
 */
export function computeDelay(
  { initialDelayMs, maxDelayMs }: BackOff,
  attempt: number,
  { retryAfterMs = 0, random = Math.random }: DelayOptions = {},
): number {
  const full = Math.min(maxDelayMs, initialDelayMs * 2 ** attempt);
  const chance = (full / 2) * random();
  return Math.min(Math.round(Math.max(full - chance, retryAfterMs + chance)), maxDelayMs);
}
