/** Statuses below 500 that mean that the same request may succeed later. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429]);

/** Tells by the status of an answer whether trying again later may help (RFC 9110 §15.6, RFC 6585 §4, RFC 8470 §5.2). */
export function isPassingStatus(status: number): boolean {
  return status >= 500 || PASSING.has(status);
}
