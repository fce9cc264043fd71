import { McpClientError } from './mcp-client.error.js';

/** Is thrown if a client cannot act for a caller because the caller's token does not say who the caller is. */
export class CallerUnknownError extends McpClientError {
  override readonly name = 'CallerUnknownError';
  readonly code = 'caller_unknown';

  constructor(client: string, missing: string) {
    super(
      client,
      `The client "${client}" cannot act for this caller, ${missing}: ask for it in a call whose token has an issuer and a subject`,
    );
  }
}
