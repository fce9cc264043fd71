import { McpClientError } from './mcp-client.error.js';

/** Is thrown if the server does not know the session any more. The client begins another. */
export class SessionEndedError extends McpClientError {
  override readonly name = 'SessionEndedError';
  readonly code = 'session_ended';

  constructor(client: string) {
    super(client, `The server has ended the session of the client "${client}": another is begun`);
  }
}
