import { McpClientError } from './mcp-client.error.js';

/** Is thrown if the client is closed. The application ended, its owner closed it, or its caller did not use it for a while. */
export class McpClientClosedError extends McpClientError {
  override readonly name = 'McpClientClosedError';
  readonly code = 'client_closed';

  constructor(client: string) {
    super(client, `The client "${client}" is closed: if it acts for a caller, ask "McpClients" for it again`);
  }
}
