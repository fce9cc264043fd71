/** Is thrown if a server cannot be connected to, or gives no answer. Says which one it was. */
export class ServerFailureError extends Error {
  override readonly name = 'ServerFailureError';

  constructor(
    /** Its URL, or the command that started it. */
    readonly place: string,
    cause: unknown,
  ) {
    super(`The server at "${place}" failed`, { cause });
  }
}
