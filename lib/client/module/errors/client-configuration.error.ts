/** Is thrown if a client is registered wrongly: the application does not start. */
export class McpClientConfigurationError extends Error {
  override readonly name = 'McpClientConfigurationError';

  constructor(
    /** What is wrong, for example `clients[1].url`. */
    readonly option: string,
    expected: string,
    options?: ErrorOptions,
  ) {
    super(`"${option}" ${expected}`, options);
  }
}
