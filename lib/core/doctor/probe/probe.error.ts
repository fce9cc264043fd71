/** Thrown if a server gives no answer of HTTP. */
export class ProbeError extends Error {
  override readonly name = 'ProbeError';

  constructor(
    /** What it did instead, to be put behind its name. */
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`The server ${reason}`, options);
  }
}

/** Thrown if a request is redirected, and nothing of the answer can be seen from where it was sent. */
export class RedirectedError extends ProbeError {}

/** Thrown if whoever examines may not look at a place, so that nothing can be said of it. */
export class UnseenError extends ProbeError {}
