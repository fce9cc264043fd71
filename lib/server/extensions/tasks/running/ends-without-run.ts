import { filter, merge, type Observable } from 'rxjs';
import type { TaskRecord } from '../../../settings/extensions/task-store.interface.js';
import { isOver } from '../ledger/task-changes.js';
import type { TaskWorker } from '../ledger/task-creation.js';
import type { TaskLedger } from '../ledger/task-ledger.js';
import type { TaskRunner } from './task-runner.js';

/**
 * Emits each task that ended without a run in this process: it was cancelled before it ran, it expired, or its
 * process is gone. No other process emits the same event.
 */
export function observeEndsWithoutRun(
  ledger: TaskLedger,
  worker: TaskWorker,
  runner: TaskRunner,
): Observable<TaskRecord> {
  const own = ledger.changes$.pipe(filter((task) => task.worker === worker.id));
  const orphans = ledger.localChanges$.pipe(
    // No other process reports these, because the task had no process yet or its process is gone.
    filter((task) => task.worker === undefined || (task.worker !== worker.id && task.status === 'failed')),
  );
  return merge(own, orphans).pipe(filter((task) => isOver(task) && !runner.isRunning(task.taskId)));
}
