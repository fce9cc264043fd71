import { McpClientError } from './mcp-client.error.js';

/** Is thrown if the server wants a token, and the client has none or the server refused the client's token. */
export class McpClientUnauthorizedError extends McpClientError {
  override readonly name = 'McpClientUnauthorizedError';
  readonly code = 'client_unauthorized';

  constructor(client: string, hasToken: boolean, cause: unknown) {
    const reason = hasToken
      ? 'refused the token of the client, with status 401: check that "auth" gives one that is meant for this server and has not expired'
      : 'wants a token, and the client sends none: set "auth", for example to new StaticTokenSource(token)';
    super(client, `The server of the client "${client}" ${reason}`, { cause });
  }
}
