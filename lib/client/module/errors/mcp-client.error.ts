import { redactCredentials } from '../../../core/log/redact-credentials.js';

/**
 * Every error of injected clients extends this one. It has a stable code, the client's name, and a text that says what to do.
 *
 * @example
 * if (error instanceof McpClientError && error.code === 'client_unavailable') return this.answerWithoutDesk();
 */
export abstract class McpClientError extends Error {
  /** Names the condition; it stays the same when texts change. */
  abstract readonly code: string;

  constructor(
    /** The name of the client. */
    readonly client: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(redactCredentials(message), options);
  }
}
