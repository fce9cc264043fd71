import { ErrorCode } from '../../../../core/protocol/error-codes.js';
import { McpError } from '../../../../core/protocol/mcp.error.js';

/** The store, or the queue, of the application does not answer. */
export class TasksUnavailableError extends McpError {
  constructor({ cause }: ErrorOptions = {}) {
    const text = 'The tasks of the server cannot be reached at the moment: try again later';
    super(ErrorCode.InternalError, text, undefined, 503);
    if (cause !== undefined) this.cause = cause;
  }
}
