/** The token that the environment gives cannot be used: the server does not start. */
export class StdioTokenError extends Error {
  override readonly name = 'StdioTokenError';

  constructor(problem: string, options?: ErrorOptions) {
    super(`The option "token" of "McpStdio.run" ${problem}`, options);
  }
}
