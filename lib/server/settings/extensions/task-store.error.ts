/**
 * Reject with this error in a {@link TaskStore} while it is unavailable. Callers get HTTP 503.
 *
 * @example
 * if (!database.isConnected) throw new TaskStoreUnavailableError('The database is unavailable');
 */
export class TaskStoreUnavailableError extends Error {
  override readonly name = 'TaskStoreUnavailableError';
}

/**
 * Reject with this error in a {@link TaskStore} if a task exceeds its owner's quota. The caller gets HTTP 429 with a
 * time to retry, or HTTP 413. A running task whose result does not fit fails.
 *
 * @example
 * if (await this.countBytes(owner) > 10_000_000) throw new TaskStoreFullError(60);
 */
export class TaskStoreFullError extends Error {
  override readonly name = 'TaskStoreFullError';

  constructor(
    /** Seconds until some of the owner's tasks may be gone; absent if the task can never fit. */
    readonly retryAfterSeconds?: number,
  ) {
    super("The task exceeds its owner's quota");
  }
}
