/** How many there may be. */
export interface LeftBounds {
  readonly total: number;
  readonly perCaller: number;
}

/**
 * Handlers that still run long after their calls have ended, and whose places others have. Their bound is the same as for
 * running handlers. Otherwise a caller could cancel one call after another and keep any number at work.
 */
export class LeftHandlers {
  readonly #byCaller = new Map<string, number>();
  #size = 0;

  constructor(private readonly bounds: LeftBounds) {}

  /** Counts one more abandoned handler, if the bound allows it. Tells whether it does. */
  add(caller: string): boolean {
    const own = this.#byCaller.get(caller) ?? 0;
    if (own >= this.bounds.perCaller || this.#size >= this.bounds.total) return false;
    this.#byCaller.set(caller, own + 1);
    this.#size += 1;
    return true;
  }

  /** Notes that one has ended. */
  remove(caller: string): void {
    const own = (this.#byCaller.get(caller) ?? 0) - 1;
    if (own > 0) this.#byCaller.set(caller, own);
    else this.#byCaller.delete(caller);
    this.#size -= 1;
  }
}
