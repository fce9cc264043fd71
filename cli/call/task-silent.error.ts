import { formatMoreTime } from '../server/format-more-time.js';
import { quoteVisible } from '../visible-text.js';

/** Is thrown if a task shows no sign of life for longer than its user wants to wait. */
export class TaskSilentError extends Error {
  override readonly name = 'TaskSilentError';

  constructor(
    readonly taskId: string,
    readonly limitMs: number,
  ) {
    super(`The task ${quoteVisible(taskId)} got no further within ${limitMs} ms: ${formatMoreTime(limitMs)}`);
  }
}
