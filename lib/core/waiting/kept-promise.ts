/**
 * Shares the result of one piece of work among all callers, also afterwards. A failure is not cached: all current
 * callers get the error, and the next caller starts the work again.
 */
export class CachedPromise<Result> {
  #current: Promise<Result> | undefined;

  constructor(private readonly work: () => Promise<Result>) {}

  /** The result of the work; `undefined` if it was not requested, failed, or was discarded. */
  get current(): Promise<Result> | undefined {
    return this.#current;
  }

  /** Returns the result of the work, starting it if necessary. */
  get(): Promise<Result> {
    if (this.#current !== undefined) return this.#current;
    const begun = this.work();
    this.#current = begun;
    // Registered first, so that callers can retry as soon as they see the failure.
    begun.catch(() => {
      if (this.#current === begun) this.#current = undefined;
    });
    return begun;
  }

  /** Discards the result, so that the next caller starts the work again. Current callers still get it. */
  forget(): void {
    this.#current = undefined;
  }
}
