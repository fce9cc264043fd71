/**
 * Parses `Retry-After`, in either of its forms, to milliseconds from now. Returns `undefined` if it says nothing.
 *
 * @see RFC 9110 §10.2.3
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
