const LONGEST_MARGIN_MS = 30_000;

/**
 * Computes how many milliseconds before its end a token is no longer used, so that it does not expire on its way. These are 30
 * seconds, or half of the lifetime of the token if that is less.
 *
 * @param lifetimeMs how long it lasts from when it was asked for; `Infinity` if that is not known
 */
export function computeEndMargin(lifetimeMs: number): number {
  return Math.min(LONGEST_MARGIN_MS, Math.max(0, lifetimeMs) / 2);
}
