/**
 * Has work done once for all who ask, while it is done and afterwards. What failed is not kept: all who waited for it learn
 * why, and the next who asks has it done again.
 */
export class KeptPromise<Result> {
  #current: Promise<Result> | undefined;

  constructor(private readonly work: () => Promise<Result>) {}

  /** What the work comes to or came to. Returns `undefined` if it was not asked for, failed, or was forgotten. */
  get current(): Promise<Result> | undefined {
    return this.#current;
  }

  /** Gives what the work comes to, or came to. */
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

  /** Has the work done again for the next who asks; who waits for it now gets it as it is. */
  forget(): void {
    this.#current = undefined;
  }
}
