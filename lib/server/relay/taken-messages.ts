/** Who sent a message, which of theirs it is, and until when it counts. */
interface Numbered {
  readonly from: string;
  readonly id: number;
  /** Milliseconds of the epoch, by a clock that all processes share. */
  readonly until: number;
}

/** The newest messages that are remembered. */
const MOST_REMEMBERED = 16_384;

/** Remembers which messages were taken: whoever can write into the engine can send one again, as long as it counts. */
export class TakenMessages {
  /** Until when each counts, in the order in which they came. */
  readonly #ends = new Map<string, number>();

  /** Tells whether a message still counts and is taken for the first time. */
  take({ from, id, until }: Numbered, now: number): boolean {
    const key = `${from}:${id}`;
    if (now > until || this.#ends.has(key)) return false;
    this.#forget(now);
    this.#ends.set(key, until);
    return true;
  }

  #forget(now: number): void {
    for (const [key, until] of this.#ends) {
      if (until >= now && this.#ends.size < MOST_REMEMBERED) return;
      this.#ends.delete(key);
    }
  }
}
