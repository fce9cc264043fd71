/** Is thrown if a server takes nobody in: its status says to the commands' explanations why. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';

  constructor(readonly status: number) {
    super(`The server answered with status ${status}`);
  }
}
