/** A {@link TaskStore} rejects with this error while it is out of reach. Callers are asked to try again later (HTTP 503). */
export class TaskStoreUnavailableError extends Error {
  override readonly name = 'TaskStoreUnavailableError';
}
