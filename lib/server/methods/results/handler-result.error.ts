/** A handler gave something that cannot be sent as a result. */
export class HandlerResultError extends Error {
  override readonly name = 'HandlerResultError';
}
