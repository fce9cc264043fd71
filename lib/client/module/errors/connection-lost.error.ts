import { McpClientError } from './mcp-client.error.js';

/** Is thrown if the connection was lost during a call. It is not known whether the server has done what it was asked. */
export class McpConnectionLostError extends McpClientError {
  override readonly name = 'McpConnectionLostError';
  readonly code = 'connection_lost';

  constructor(client: string, cause: unknown) {
    super(
      client,
      `The client "${client}" lost its connection before the answer came: call again if the server may do it twice`,
      { cause },
    );
  }
}
