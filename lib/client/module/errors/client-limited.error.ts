import type { RateLimit } from '../../../core/protocol/rate-limited.error.js';
import { McpClientError } from './mcp-client.error.js';

/** Is thrown if the server limits how often it may be called, or how many calls may run at once. It has not run the call. */
export class McpClientLimitedError extends McpClientError {
  override readonly name = 'McpClientLimitedError';
  readonly code = 'client_limited';
  /** Milliseconds after which the server takes requests again; 0 if it did not say. */
  readonly retryAfterMs: number;

  constructor(
    client: string,
    /** What the server says of its limit. */
    readonly rateLimit: RateLimit,
    cause: unknown,
  ) {
    const { retryAfterMs } = rateLimit;
    super(
      client,
      `The server of the client "${client}" limits requests: try again in ${retryAfterMs} ms, or let calls wait ("limitWaitMs")`,
      { cause },
    );
    this.retryAfterMs = retryAfterMs;
  }
}
