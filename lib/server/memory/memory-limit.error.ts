import { ErrorCode } from '../../core/protocol/error-codes.js';
import { McpError } from '../../core/protocol/mcp.error.js';

/** There is no room for what a caller makes the server keep: at the moment, or ever. */
export class MemoryLimitError extends McpError {
  override readonly retryAfterSeconds?: number;

  /** @param retryAfterSeconds when some of what takes the room ends by itself; absent if there never is room */
  constructor(retryAfterSeconds?: number) {
    if (retryAfterSeconds === undefined) super(ErrorCode.InvalidRequest, TOO_LARGE, undefined, 413);
    else {
      super(ErrorCode.InternalError, FULL, { retryAfterSeconds }, 503);
      this.retryAfterSeconds = retryAfterSeconds;
    }
  }
}

const TOO_LARGE =
  'Invalid request: this takes more memory than one caller may have: send less, or have "memory" raised';

const FULL =
  'The server has no memory left for this: wait for answers, end what is not needed, or try again later';
