/** Thrown if an option is invalid. The application does not start. */
export class McpConfigurationError extends Error {
  override readonly name = 'McpConfigurationError';

  constructor(
    /** The option, for example `sessions.idleTimeoutMs`. */
    readonly option: string,
    expected: string,
    options?: ErrorOptions,
  ) {
    super(`The MCP option "${option}" ${expected}`, options);
  }
}
