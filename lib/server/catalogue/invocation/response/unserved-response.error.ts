/** Code of the application asked the response for something that the answer of a call cannot be. */
export class UnservedResponseError extends Error {
  override readonly name = 'UnservedResponseError';

  constructor(method: string, remedy: string) {
    super(`"response.${method}()" is for routes, and there is none in a call of a handler: ${remedy}`);
  }
}
