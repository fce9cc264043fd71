/** Is thrown if the given token cannot be used: the server does not start. */
export class StdioTokenError extends Error {
  override readonly name = 'StdioTokenError';

  constructor(problem: string, options?: ErrorOptions) {
    super(`The option "token" of "McpStdio.run" ${problem}`, options);
  }
}
