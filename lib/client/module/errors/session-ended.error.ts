import { McpClientError } from './mcp-client.error.js';

/** The server does not know the session any more; the client begins another. */
export class SessionEndedError extends McpClientError {
  override readonly name = 'SessionEndedError';
  readonly code = 'session_ended';

  constructor(client: string) {
    super(client, `The server has ended the session of the client "${client}": another is begun`);
  }
}
