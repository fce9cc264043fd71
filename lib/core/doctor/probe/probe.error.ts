/** A server does not respond over HTTP. */
export class ProbeError extends Error {
  override readonly name = 'ProbeError';

  constructor(
    /** What it does instead, to follow its name. */
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`The server ${reason}`, options);
  }
}

/** A request is redirected, and the response cannot be read from here. */
export class RedirectedError extends ProbeError {}

/** A URL cannot be read from here, so that nothing is known about it. */
export class UnreadableError extends ProbeError {}
