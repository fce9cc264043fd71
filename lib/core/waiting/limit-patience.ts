/** A tenth of each wait is random, so that clients that hit a limit together do not retry together. */
const CHANCE = 0.1;

/** A shorter wait is pointless. */
const SHORTEST_MS = 250;

/** The longest delay that timers accept. */
const LONGEST_MS = 2 ** 31 - 1;

/** The total time that a caller is prepared to wait for a server that limits requests. */
export class RetryBudget {
  #leftMs: number;

  constructor(
    longestMs: number,
    private readonly random: () => number = Math.random,
  ) {
    this.#leftMs = Math.min(longestMs, LONGEST_MS);
  }

  /** Reserves the wait until the next attempt, in milliseconds. Returns `undefined` if it exceeds the budget. */
  take(retryAfterMs: number): number | undefined {
    const asked = Math.max(retryAfterMs, SHORTEST_MS);
    // A value that is not a number means no timeout.
    if (!(asked <= this.#leftMs)) return undefined;
    const waitMs = Math.min(Math.ceil(asked * (1 + CHANCE * this.random())), this.#leftMs);
    this.#leftMs -= waitMs;
    return waitMs;
  }
}
