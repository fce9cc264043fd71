/** Is thrown if a server gives no answer of HTTP. */
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
