/** How much somebody may do. */
export interface Allowance {
  /** So much at once. */
  readonly atOnce: number;
  /** So much a second in the long run. */
  readonly perSecond: number;
}

/** The most names that are remembered. All further names share one allowance. */
const MOST_NAMES = 10_000;

const OTHERS = '';

/**
 * Says who may do something once more. After a pause, each name may do it several times at once; in the long run, only so often
 * a second.
 *
 * @example
 * const allowances = new Allowances({ atOnce: 100, perSecond: 5 });
 * if (allowances.take(caller)) tell();
 */
export class Allowances {
  /** By name, the time at which the full allowance is back, by `performance.now()`. */
  readonly #ends = new Map<string, number>();
  readonly #msForOne: number;
  readonly #mostMs: number;

  constructor({ atOnce, perSecond }: Allowance) {
    this.#msForOne = 1000 / perSecond;
    this.#mostMs = atOnce * this.#msForOne;
  }

  /**
   * Takes the cost of an operation if the allowance is enough. Tells whether it is.
   *
   * @param cost @default 1
   */
  take(name: string, cost = 1): boolean {
    const now = performance.now();
    const known = this.#ends.has(name) || this.#hasRoom(now) ? name : OTHERS;
    const end = Math.max(this.#ends.get(known) ?? 0, now) + cost * this.#msForOne;
    if (end - now > this.#mostMs) return false;
    this.#ends.set(known, end);
    return true;
  }

  /** An owner with the full allowance need not be remembered. */
  #hasRoom(now: number): boolean {
    if (this.#ends.size < MOST_NAMES) return true;
    for (const [name, end] of this.#ends) if (end <= now) this.#ends.delete(name);
    return this.#ends.size < MOST_NAMES;
  }
}
