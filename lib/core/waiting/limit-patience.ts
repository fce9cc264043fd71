/** Those who met a limit together do not come back together: a tenth of each wait is left to chance. */
const CHANCE = 0.1;

/** No limit is so short that coming back at once helps. */
const SHORTEST_MS = 250;

/** Timers take no more. */
const LONGEST_MS = 2 ** 31 - 1;

/** How long a caller is ready to wait, in all, for a server that limits requests. */
export class LimitPatience {
  #leftMs: number;

  constructor(
    longestMs: number,
    private readonly random: () => number = Math.random,
  ) {
    this.#leftMs = Math.min(longestMs, LONGEST_MS);
  }

  /** Takes the milliseconds until the next attempt. Returns `undefined` if they are more than there is patience for. */
  take(retryAfterMs: number): number | undefined {
    const asked = Math.max(retryAfterMs, SHORTEST_MS);
    // A value that is not a number means no time-out.
    if (!(asked <= this.#leftMs)) return undefined;
    const waitMs = Math.min(Math.ceil(asked * (1 + CHANCE * this.random())), this.#leftMs);
    this.#leftMs -= waitMs;
    return waitMs;
  }
}
