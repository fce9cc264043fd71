import { formatTimeoutHint } from '../server/parse-timeout.js';
import { quoteVisible } from '../visible-text.js';

/** Thrown if a task ends without a result. */
export class TaskEndedError extends Error {
  override readonly name = 'TaskEndedError';

  constructor(
    readonly taskId: string,
    /** Its last status; `lost` if the server responds with something else. */
    readonly status: string,
    reason: string | undefined,
  ) {
    const why = reason === undefined ? '' : `: ${quoteVisible(reason)}`;
    super(`The task ${quoteVisible(taskId)} has no result: its status is ${quoteVisible(status)}${why}`);
  }
}

/** Thrown if a task makes no progress within the timeout. */
export class TaskStalledError extends Error {
  override readonly name = 'TaskStalledError';

  constructor(
    readonly taskId: string,
    readonly limitMs: number,
  ) {
    super(
      `The task ${quoteVisible(taskId)} made no progress within ${limitMs} ms: ${formatTimeoutHint(limitMs)}`,
    );
  }
}
