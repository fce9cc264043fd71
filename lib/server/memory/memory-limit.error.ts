import { ErrorCode } from '../../core/protocol/error-codes.js';
import { McpError } from '../../core/protocol/mcp.error.js';

/** Who has the memory that is taken. */
export type MemoryLimitScope = 'caller' | 'process';

/** There is no room for what a caller makes the server keep: at the moment, or ever. */
export class MemoryLimitError extends McpError {
  override readonly retryAfterSeconds?: number;

  /**
   * @param retryAfterSeconds when some of what takes the room ends by itself; absent if there never is room
   * @param scope whose room is taken. A caller alone must not cause what looks like a failure of the server
   */
  constructor(retryAfterSeconds?: number, scope: MemoryLimitScope = 'caller') {
    if (retryAfterSeconds === undefined) super(ErrorCode.InvalidRequest, TOO_LARGE, undefined, 413);
    else if (scope === 'process') super(ErrorCode.InternalError, FULL, { retryAfterSeconds }, 503);
    else super(ErrorCode.RateLimited, USED_UP, { retryAfterMs: retryAfterSeconds * 1000 }, 429);
    if (retryAfterSeconds !== undefined) this.retryAfterSeconds = retryAfterSeconds;
  }
}

const TOO_LARGE =
  'Invalid request: this takes more memory than one caller may have: send less, or have "memory" raised';

const FULL =
  'The server has no memory left for this: wait for answers, end what is not needed, or try again later';

const USED_UP =
  'You use all the memory that you may have: wait for answers, end what is not needed, or try again later';
