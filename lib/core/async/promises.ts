/** Returns whether a value is a promise, including promises of other libraries and Node contexts, which are not instances of `Promise`. */
export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

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

/** Waits for a shared promise until a signal is aborted. */
export async function untilAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | null | undefined,
): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    void promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
