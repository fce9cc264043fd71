/** Returns whether a value is a promise, including promises of other libraries and Node contexts, which are not instances of `Promise`. */
export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/**
 * Shares the result of one piece of work among all current and later callers. A failure is not cached: all current
 * callers receive the error, and the next caller restarts the work.
 */
export class CachedPromise<Result> {
  #current: Promise<Result> | undefined;

  constructor(private readonly work: () => Promise<Result>) {}

  /** The work's result; `undefined` if it was not requested, failed, or was discarded. */
  get current(): Promise<Result> | undefined {
    return this.#current;
  }

  /** Returns the work's result, starting it if necessary. */
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

  /** Discards the result. The next caller restarts the work. Current callers still receive it. */
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
