/** The rate of a token bucket. */
export interface TokenBucket {
  /** The number of operations after a pause. */
  readonly burst: number;
  /** The number of operations per second in the long run. */
  readonly perSecond: number;
}

/** The number of buckets. All other names share one. */
const MOST_NAMES = 10_000;

const OTHERS = '';

/**
 * Token buckets by name. After a pause, each name may perform a burst of operations; in the long run, a number per
 * second.
 *
 * @example
 * const buckets = new TokenBuckets({ burst: 100, perSecond: 5 });
 * if (buckets.take(caller)) notify();
 */
export class TokenBuckets {
  /** By name, the `performance.now()` when the bucket is full again. */
  readonly #ends = new Map<string, number>();
  readonly #msForOne: number;
  readonly #mostMs: number;

  constructor({ burst, perSecond }: TokenBucket) {
    this.#msForOne = 1000 / perSecond;
    this.#mostMs = burst * this.#msForOne;
  }

  /**
   * Removes the cost of an operation from the bucket. Returns whether there was enough.
   *
   * @param cost @default 1
   */
  take(name: string, cost = 1): boolean {
    const now = performance.now();
    const known = this.#ends.has(name) || this.#hasRoom(now) ? name : OTHERS;
    const end = Math.max(this.#ends.get(known) ?? 0, now) + cost * this.#msForOne;
    if (end > now + this.#mostMs) return false;
    this.#ends.set(known, end);
    return true;
  }

  /** Full buckets do not have to be stored. */
  #hasRoom(now: number): boolean {
    if (this.#ends.size < MOST_NAMES) return true;
    for (const [name, end] of this.#ends) if (end <= now) this.#ends.delete(name);
    return this.#ends.size < MOST_NAMES;
  }
}

const MINUTE_MS = 60_000;

/** Limits reports to one per minute and condition. */
export class OncePerMinute {
  readonly #reported = new Map<string, number>();

  /** @param condition one of only a few, because each is stored */
  isDue(condition: string): boolean {
    const now = performance.now();
    const last = this.#reported.get(condition);
    if (last !== undefined && now - last < MINUTE_MS) return false;
    this.#reported.set(condition, now);
    return true;
  }
}
