/** How long waits between attempts are. */
export interface BackOff {
  readonly initialDelayMs: number;
  readonly maximumDelayMs: number;
}

/**
 * Gives the wait after an attempt: twice as long each time, up to a bound, of which up to a half is left to chance, so that
 * clients that lost a server together do not come back together.
 *
 * @param attempt how many attempts failed before this one
 */
export function computeDelay(
  { initialDelayMs, maximumDelayMs }: BackOff,
  attempt: number,
  random: () => number = Math.random,
): number {
  const full = Math.min(maximumDelayMs, initialDelayMs * 2 ** attempt);
  return Math.round(full * (1 - random() / 2));
}
