const LONGEST_MARGIN_MS = 30_000;

/**
 * Computes how many milliseconds before its expiry a token is no longer used, so that it does not expire in transit: 30
 * seconds, or half of its lifetime if that is less.
 *
 * @param lifetimeMs the lifetime, counted from the request; `Infinity` if unknown
 */
export function computeExpiryMargin(lifetimeMs: number): number {
  return Math.min(LONGEST_MARGIN_MS, Math.max(0, lifetimeMs) / 2);
}
