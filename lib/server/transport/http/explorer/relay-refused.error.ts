/** Says why the server does not send, or did not get an answer to, a request of the page's login. */
export class RelayRefusedError extends Error {
  override readonly name = 'RelayRefusedError';

  constructor(
    /** What the page is answered with. */
    readonly status: number,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
