/** A timer that is later than this shows that the process was suspended or blocked. */
const LATE_MS = 50;

/** The maximum grace, however long the process was suspended. */
const LONGEST_GRACE_MS = 1000;

/**
 * Computes how many more milliseconds to wait after a late timer; 0 if it was on time.
 *
 * Node runs due timers before it reads what has arrived. A late timer means that the process could not read anything in
 * the meantime, so the awaited event gets as much time again.
 *
 * @param due the `performance.now()` at which the timer was due
 */
export function graceAfter(due: number): number {
  const lateMs = performance.now() - due;
  return lateMs < LATE_MS ? 0 : Math.min(lateMs, LONGEST_GRACE_MS);
}
