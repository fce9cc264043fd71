/**
 * A {@link TaskStore} rejects with this error while it is out of reach. Callers are asked to try again later (HTTP 503).
 *
 * @example
 * if (!database.isConnected) throw new TaskStoreUnavailableError('The database is out of reach');
 */
export class TaskStoreUnavailableError extends Error {
  override readonly name = 'TaskStoreUnavailableError';
}

/**
 * A {@link TaskStore} rejects with this error if the owner of a task has no room for it. The caller is asked to try again later
 * (HTTP 429), or to send less (HTTP 413). A running task without room for its result fails.
 *
 * @example
 * if (await this.countBytes(owner) > 10_000_000) throw new TaskStoreFullError(60);
 */
export class TaskStoreFullError extends Error {
  override readonly name = 'TaskStoreFullError';

  constructor(
    /** Seconds until something of the owner may be gone; absent if there never is room. */
    readonly retryAfterSeconds?: number,
  ) {
    super('The owner of the task has no room for it');
  }
}
