import { ErrorCode } from '../../core/protocol/error-codes.js';
import { McpError } from '../../core/protocol/mcp.error.js';

/** The server has as many sessions as it may: the client can try again later. */
export class SessionLimitError extends McpError {
  constructor() {
    super(
      ErrorCode.InternalError,
      'The server has reached its limit of sessions: try again later',
      undefined,
      503,
    );
  }
}
