/**
 * A {@link TaskStore} rejects with this error while it is out of reach. Callers are asked to try again later (HTTP 503).
 *
 * @example
 * if (!database.isConnected) throw new TaskStoreUnavailableError('The database is out of reach');
 */
export class TaskStoreUnavailableError extends Error {
  override readonly name = 'TaskStoreUnavailableError';
}
