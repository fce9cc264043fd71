/** A timer that is later than this shows that the process stood still. */
const LATE_MS = 50;

/** The longest grace, however long the process stood still. */
const LONGEST_GRACE_MS = 1000;

/**
 * Returns how many more milliseconds to wait if a timer comes late: 0 if it came in time.
 *
 * Node runs what is due before it reads what has arrived. If the timer is late, the process heard nobody meanwhile, so what
 * waited to be heard gets as much time again.
 *
 * @param due when the timer was due, by `performance.now()`
 */
export function graceAfter(due: number): number {
  const lateMs = performance.now() - due;
  return lateMs < LATE_MS ? 0 : Math.min(lateMs, LONGEST_GRACE_MS);
}
