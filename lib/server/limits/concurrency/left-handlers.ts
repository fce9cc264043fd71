/** How many there may be. */
export interface LeftBounds {
  readonly total: number;
  readonly perCaller: number;
}

/**
 * Handlers that still run long after their calls have ended, and whose places others have. There may be as many of them as
 * may run: whoever cancels one call after the other would have any number at work.
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
