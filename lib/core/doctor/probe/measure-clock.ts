import type { ResponseHeaders } from './probe-wire.interface.js';

/** The clock difference that validators tolerate, in seconds. */
export const CLOCK_TOLERANCE_SECONDS = 60;

/**
 * Computes how many seconds the sender's clock is ahead of this machine's, from the headers of a response that has just
 * arrived; nothing without a `Date`.
 *
 * @see RFC 9110 §6.6.1, "Date"; RFC 9111 §5.1, "Age"
 */
export function measureClock({ date = '', age }: ResponseHeaders): number | undefined {
  const writtenAt = Date.parse(date);
  if (Number.isNaN(writtenAt)) return undefined;
  const heldMs = /^\d{1,9}$/.test(age ?? '') ? Number(age) * 1000 : 0;
  return Math.round((writtenAt + heldMs - Date.now()) / 1000);
}
