/** The longest power of two that timers of Node take. */
const LONGEST_STEP_MS = 2 ** 30;

/**
 * Calls a function at a time, in milliseconds since 1970, and gives what stops the clock. It does not keep the process
 * alive.
 *
 * Node has a list for each duration that timers are set to. If they do not keep the process alive, the list stays until the
 * duration has passed, even if all its timers were stopped long before. A timer that is set to what is left of an hour costs
 * memory for an hour. So the time is waited for in steps of powers of two, which share a few lists.
 */
export function callAt(time: number, act: () => void): () => void {
  let timer = setTimeout(look, findStep(time)).unref();
  return () => clearTimeout(timer);

  function look(): void {
    if (Date.now() >= time) return act();
    timer = setTimeout(look, findStep(time)).unref();
  }
}

/** The longest step that does not go beyond a time. */
function findStep(time: number): number {
  const leftMs = Math.min(Math.max(time - Date.now(), 1), LONGEST_STEP_MS);
  return 2 ** Math.floor(Math.log2(leftMs));
}
