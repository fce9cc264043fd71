/** What most commands wait for an answer. */
const USUAL_MS = 60_000;

/** `--timeout` takes no more. */
const LONGEST_MS = 24 * 60 * 60 * 1000;

/** Says how to give an answer twice the time that was not enough, as it is typed. */
export function formatMoreTime(timeoutMs: number = USUAL_MS): string {
  return `give it more time by "--timeout ${Math.min(2 * timeoutMs, LONGEST_MS)}"`;
}
