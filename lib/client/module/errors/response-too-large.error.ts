import type { ResponseTooLargeError } from '../../../core/network/response-too-large.error.js';
import { McpClientError } from './mcp-client.error.js';

/** Is thrown if the server sends more than the client accepts: bytes, values or levels of nesting. A tool may have run; its result is lost. */
export class McpResponseTooLargeError extends McpClientError {
  override readonly name = 'McpResponseTooLargeError';
  readonly code = 'response_too_large';
  /** The most bytes that the client accepts. */
  readonly maximumBytes: number;

  constructor(client: string, cause: ResponseTooLargeError) {
    super(client, `The server of the client "${client}" ${cause.reason}`, { cause });
    this.maximumBytes = cause.response.maximumBytes;
  }
}
