/** A timer that is later than this shows that the process stood still. */
const LATE_MS = 50;

/** After the process stood still, however long, what waited for it is heard within this time. */
const LONGEST_GRACE_MS = 1000;

/**
 * Calls a function after a time, and gives what stops the clock. It does not keep the process alive.
 *
 * Node runs what is due before it reads what has arrived. If the timer is late, the process heard nobody meanwhile, so what
 * waited to be heard gets as much time again.
 */
export function actAfter(milliseconds: number, act: () => void): () => void {
  const due = performance.now() + milliseconds;
  let timer = setTimeout(() => {
    const lateMs = performance.now() - due;
    if (lateMs < LATE_MS) return act();
    timer = setTimeout(act, Math.min(lateMs, LONGEST_GRACE_MS)).unref();
  }, milliseconds).unref();
  return () => clearTimeout(timer);
}
