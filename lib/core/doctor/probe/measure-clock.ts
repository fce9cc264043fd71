import type { AnswerHeaders } from './probe-wire.interface.js';

/** What clocks may differ by before it matters, in seconds. */
export const CLOCK_TOLERANCE_SECONDS = 60;

/**
 * Tells by how many seconds the clock of whoever wrote an answer is ahead of this machine's, as the answer comes; nothing if it does not
 * say its time.
 *
 * @see RFC 9110 §6.6.1, "Date"; RFC 9111 §5.1, "Age"
 */
export function measureClock({ date = '', age }: AnswerHeaders): number | undefined {
  const writtenAt = Date.parse(date);
  if (Number.isNaN(writtenAt)) return undefined;
  const heldMs = /^\d{1,9}$/.test(age ?? '') ? Number(age) * 1000 : 0;
  return Math.round((writtenAt + heldMs - Date.now()) / 1000);
}
