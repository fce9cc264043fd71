/** The largest power of two that Node's timers accept. */
const LONGEST_STEP_MS = 2 ** 30;

/**
 * Calls a function at a time, in milliseconds since 1970, and returns a function that cancels the timer. It does not
 * keep the process alive.
 *
 * Node has a list for each timer duration. If its timers do not keep the process alive, the list is retained until the
 * duration has passed, even if all its timers were cancelled long before, so a timer for the rest of an hour costs
 * memory for an hour. Waiting in steps of powers of two shares a few lists.
 */
export function callAt(time: number, act: () => void): () => void {
  let timer = setTimeout(check, findStep(time)).unref();
  return () => clearTimeout(timer);

  function check(): void {
    if (Date.now() >= time) return act();
    timer = setTimeout(check, findStep(time)).unref();
  }
}

/** The longest step that does not exceed the time. */
function findStep(time: number): number {
  const leftMs = Math.min(Math.max(time - Date.now(), 1), LONGEST_STEP_MS);
  return 2 ** Math.floor(Math.log2(leftMs));
}
