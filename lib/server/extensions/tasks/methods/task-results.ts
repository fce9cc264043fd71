import { filter, firstValueFrom, takeUntil, Subject } from 'rxjs';
import type { OpenObject } from '../../../../core/protocol/capabilities.js';
import { McpError } from '../../../../core/protocol/mcp.error.js';
import { MetaKey } from '../../../../core/protocol/meta-keys.js';
import type { ExtensionContext } from '../../../dispatch/extension.interface.js';
import type { TaskRecord } from '../../../settings/extensions/task-store.interface.js';
import type { OwnedTasks } from '../ledger/owned-tasks.js';
import { isOver } from '../ledger/task-changes.js';
import type { TaskLedger } from '../ledger/task-ledger.js';
import type { TaskQuestions } from './task-questions.js';

/**
 * Gives clients of 2025-11-25 what their tasks came to, when they come to it. Until then, the waiting client gets the
 * questions of the task.
 *
 * @see MCP 2025-11-25 basic/utilities/tasks, "Result Retrieval"
 */
export class TaskResults {
  constructor(
    private readonly ledger: TaskLedger,
    private readonly tasks: OwnedTasks,
    private readonly questions: TaskQuestions,
  ) {}

  /** Returns the result of the task's call, or throws its error. */
  async wait(context: ExtensionContext): Promise<OpenObject> {
    const record = await this.#waitForEnd(context, await this.tasks.get(context));
    // Its handler may have required more in the meantime.
    this.tasks.assertAllowed([record], context);
    const { status, taskId, result, error } = record;
    if (error !== undefined) throw new McpError(error.code, error.message, error.data);
    if (result === undefined) throw McpError.invalidParams(`The task has no result: it is ${status}`);
    const meta = result['_meta'] as OpenObject | undefined;
    return { ...result, _meta: { ...meta, [MetaKey.relatedTask]: { taskId } } };
  }

  async #waitForEnd(context: ExtensionContext, found: TaskRecord): Promise<TaskRecord> {
    const { taskId } = found;
    const { signal } = context;
    // Who waits may have given up while the task was looked up.
    signal.throwIfAborted();
    const left = new Subject<void>();
    signal.addEventListener('abort', () => left.next(), { once: true });
    const changes$ = this.ledger.changes$.pipe(
      filter((record) => record.taskId === taskId),
      takeUntil(left),
    );
    const unfollow = this.ledger.follow(taskId);
    const leave = this.questions.join(taskId, context);
    const asking = changes$.subscribe((record) => this.questions.ask(record));
    const ended = firstValueFrom(changes$.pipe(filter(isOver)));
    ended.catch(() => undefined);
    try {
      // It may have changed since it was found.
      const record = (await this.tasks.find(taskId, context)) ?? found;
      this.questions.ask(record);
      return isOver(record) ? record : await ended;
    } finally {
      unfollow();
      leave();
      asking.unsubscribe();
      left.next();
    }
  }
}
