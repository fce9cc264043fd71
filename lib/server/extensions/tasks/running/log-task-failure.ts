import type { Logger } from '../../../../core/logger/logger.js';
import { logFailure } from '../../../log/log-failure.js';
import type { TaskRecord } from '../../../settings/extensions/task-store.interface.js';
import { restoreOrigin } from './task-call.js';

/** What went wrong with a task. */
export interface TaskFailure {
  readonly failure: unknown;
  readonly taskId: string;
  /** The task, if it could be read. */
  readonly record: TaskRecord | undefined;
}

/** Tells the log of it, with what the log says of each call. */
export function logTaskFailure(
  logger: Pick<Logger, 'error'>,
  what: string,
  { failure, taskId, record }: TaskFailure,
): void {
  if (record === undefined) return logFailure(logger, what, { failure, subject: { taskId } });
  const { call, sessionId } = record;
  const subject = {
    authentication: restoreOrigin(record).authentication,
    session: sessionId === undefined ? undefined : { id: sessionId },
    method: 'tools/call',
    params: call.params,
    taskId,
  };
  logFailure(logger, what, { failure, subject });
}
