import { ErrorCode } from '../../../../core/protocol/error-codes.js';
import { McpError } from '../../../../core/protocol/mcp.error.js';
import { MemoryLimitError } from '../../../memory/memory-limits.js';
import type { TaskStoreFullError } from '../../../settings/extensions/task-store.error.js';

/** The application's task store or queue does not respond. */
export class TasksUnavailableError extends McpError {
  constructor({ cause }: ErrorOptions = {}) {
    const text = 'Tasks are temporarily unavailable: try again later';
    super(ErrorCode.InternalError, text, undefined, 503);
    if (cause !== undefined) this.cause = cause;
  }
}

/** The range of `Retry-After`. */
const LEAST_SECONDS = 1;
const MOST_SECONDS = 3600;

/** The task store is full for a caller. */
export class TasksFullError extends McpError {
  override readonly retryAfterSeconds?: number;

  constructor({ retryAfterSeconds }: Pick<TaskStoreFullError, 'retryAfterSeconds'>) {
    if (retryAfterSeconds === undefined) super(ErrorCode.InvalidRequest, TOO_LARGE, undefined, 413);
    else {
      const seconds = Math.min(Math.max(Math.ceil(retryAfterSeconds), LEAST_SECONDS), MOST_SECONDS);
      super(ErrorCode.RateLimited, FULL, { retryAfterMs: seconds * 1000 }, 429);
      this.retryAfterSeconds = seconds;
    }
  }
}

/** Returns whether a task did not fit in memory, in which case an immediate retry would fail too. */
export function isOutOfRoom(error: unknown): boolean {
  return error instanceof TasksFullError || error instanceof MemoryLimitError;
}

const TOO_LARGE =
  'Invalid request: the task exceeds the storage limit per caller: send less data, or ask the operator for a higher limit';

const FULL = 'The caller has reached its storage limit for tasks: wait for a task to expire first';
