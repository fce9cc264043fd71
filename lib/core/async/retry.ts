/** The limits on the delay between attempts. */
export interface BackOff {
  readonly initialDelayMs: number;
  readonly maxDelayMs: number;
}

interface DelayOptions {
  /** The pause that the other side requests, in milliseconds. @default 0 */
  readonly retryAfterMs?: number | undefined;
  /** @default Math.random */
  readonly random?: () => number;
}

/**
 * Computes the milliseconds to wait after an attempt: twice as long each time. Up to half of the wait is random, so
 * that clients that lost a server at the same time do not reconnect at the same time. If the other side requests a
 * longer wait, it is at least that long. No wait is longer than `maxDelayMs`.
 *
 * @param attempt the number of attempts that failed before this one
 */
export function computeDelay(
  { initialDelayMs, maxDelayMs }: BackOff,
  attempt: number,
  { retryAfterMs = 0, random = Math.random }: DelayOptions = {},
): number {
  const full = Math.min(maxDelayMs, initialDelayMs * 2 ** attempt);
  const chance = (full / 2) * random();
  return Math.min(Math.round(Math.max(full - chance, retryAfterMs + chance)), maxDelayMs);
}

const INITIAL_MS = 500;

/** The pause before the next attempt: half a second after a failure, then twice as long each time, up to a limit. */
export class RetryPause {
  #failures = 0;
  #endsAt = -Infinity;

  constructor(private readonly maxMs: number) {}

  /** Milliseconds until the next attempt may start. */
  get leftMs(): number {
    return Math.max(0, this.#endsAt - performance.now());
  }

  /** That time in whole seconds, for `Retry-After` (RFC 9110 §10.2.3). */
  get leftSeconds(): number {
    return Math.max(1, Math.ceil(this.leftMs / 1000));
  }

  /** Starts a pause after a failed attempt. */
  fail(): void {
    const limits = { initialDelayMs: INITIAL_MS, maxDelayMs: this.maxMs };
    this.#endsAt = performance.now() + computeDelay(limits, this.#failures, { random: () => 0 });
    this.#failures += 1;
  }

  /** Starts a pause after a successful attempt. */
  succeed(pauseMs: number): void {
    this.#failures = 0;
    this.#endsAt = performance.now() + pauseMs;
  }

  /** Ends the pause. */
  end(): void {
    this.#endsAt = -Infinity;
  }
}

/**
 * A tenth of each wait is random, so that clients that hit a limit at the same time do not retry at the same time.
 */
const CHANCE = 0.1;

/** A shorter wait is pointless. */
const SHORTEST_MS = 250;

/** The longest delay that timers accept. */
const LONGEST_MS = 2 ** 31 - 1;

/** The total time that a caller is willing to wait for a server that limits requests. */
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
