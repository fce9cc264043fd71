import { McpClientError } from './mcp-client.error.js';

/** Is thrown if the official client, which this module needs, is not installed. */
export class OfficialClientMissingError extends McpClientError {
  override readonly name = 'OfficialClientMissingError';
  readonly code = 'official_client_missing';

  constructor(client: string, cause: unknown) {
    super(
      client,
      `The client "${client}" needs the package "@modelcontextprotocol/client": run "npm install @modelcontextprotocol/client"`,
      { cause },
    );
  }
}
