import { McpClientError } from './mcp-client.error.js';

/** Is thrown if the server could not be reached within the time that a call waits. */
export class McpClientUnavailableError extends McpClientError {
  override readonly name = 'McpClientUnavailableError';
  readonly code = 'client_unavailable';

  constructor(
    client: string,
    /** Milliseconds that the call waited. */
    readonly waitedMs: number,
    cause: unknown,
  ) {
    super(
      client,
      `The client "${client}" has no connection after ${waitedMs} ms: see "cause", call again later, or let calls wait longer ("reconnect.waitMs")`,
      { cause },
    );
  }
}
