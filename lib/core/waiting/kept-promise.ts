/**
 * Has work done once for all who ask, while it is done and afterwards. A failure is not kept. All who wait for the
 * result get the error, and the next caller starts the work again.
 */
export class KeptPromise<Result> {
  #current: Promise<Result> | undefined;

  constructor(private readonly work: () => Promise<Result>) {}

  /** The result of the work. Returns `undefined` if it was not asked for, failed, or was forgotten. */
  get current(): Promise<Result> | undefined {
    return this.#current;
  }

  /** Returns the result of the work, now or when it is done. */
  get(): Promise<Result> {
    if (this.#current !== undefined) return this.#current;
    const begun = this.work();
    this.#current = begun;
    // Before anybody else learns of it, so that they may ask again at once.
    begun.catch(() => {
      if (this.#current === begun) this.#current = undefined;
    });
    return begun;
  }

  /** Makes the next caller start the work again. Those who wait now get the current result. */
  forget(): void {
    this.#current = undefined;
  }
}
