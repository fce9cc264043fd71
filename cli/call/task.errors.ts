import { formatTimeoutHint } from '../server/parse-timeout.js';
import { quoteVisible } from '../visible-text.js';

/** Is thrown if a task ends without a result. */
export class TaskEndedError extends Error {
  override readonly name = 'TaskEndedError';

  constructor(
    readonly taskId: string,
    /** Its last status; `lost` if the server answers for it with something else. */
    readonly status: string,
    reason: string | undefined,
  ) {
    const why = reason === undefined ? '' : `: ${quoteVisible(reason)}`;
    super(`The task ${quoteVisible(taskId)} has no result, it is ${quoteVisible(status)}${why}`);
  }
}

/** Is thrown if a task shows no sign of life for longer than its user wants to wait. */
export class TaskStalledError extends Error {
  override readonly name = 'TaskStalledError';

  constructor(
    readonly taskId: string,
    readonly limitMs: number,
  ) {
    super(
      `The task ${quoteVisible(taskId)} got no further within ${limitMs} ms: ${formatTimeoutHint(limitMs)}`,
    );
  }
}
