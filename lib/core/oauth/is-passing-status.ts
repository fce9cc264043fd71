/** Statuses below 500 after which the same request may succeed later. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429]);

/** Returns whether retrying later may help after a response with this status (RFC 9110 §15.6, RFC 6585 §4, RFC 8470 §5.2). */
export function isTransientStatus(status: number): boolean {
  return status >= 500 || PASSING.has(status);
}
