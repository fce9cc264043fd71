import type { Observable } from 'rxjs';
import type { CallToolResult } from '../../../core/protocol/results.js';
import type { McpContext } from '../../context/mcp-context.interface.js';
import type { ExtensionContext } from '../../dispatch/extension.interface.js';
import type { TaskRecord } from '../../settings/extensions/task-store.interface.js';
import type { ExtensionLink } from './extension-link.js';
import { findProfile } from './encoders/select-profile.js';
import { cancel } from './ledger/task-changes.js';
import type { TaskCreation, TaskTimes } from './ledger/task-creation.js';
import type { TaskLedger } from './ledger/task-ledger.js';
import type { TaskRunner } from './running/task-runner.js';

/**
 * The placeholder for the result of a call that became a task. It is an error, so it is not validated against the
 * output schema.
 */
const STARTED: CallToolResult = { content: [], isError: true };

/**
 * Gives the application access to a server's tasks.
 *
 * @example
 * constructor(tasks: McpTasks) {
 *   tasks.changes$.subscribe(({ taskId, status }) => this.logger.log(`${taskId} is ${status}`));
 * }
 */
export class McpTasks {
  readonly #started = new WeakMap<McpContext, TaskRecord>();

  constructor(
    private readonly ledger: TaskLedger,
    private readonly creation: TaskCreation,
    private readonly runner: TaskRunner,
    private readonly link: ExtensionLink,
  ) {}

  /** Emits each new or changed task. */
  get changes$(): Observable<TaskRecord> {
    return this.ledger.allChanges$;
  }

  /** Finds any owner's task. */
  find(taskId: string): Promise<TaskRecord | undefined> {
    return this.ledger.find(taskId);
  }

  /** Cancels a task, and returns its new state. A finished task does not change. */
  cancel(taskId: string): Promise<TaskRecord | undefined> {
    return this.ledger.change(taskId, cancel);
  }

  /**
   * Continues a call as a task, or within the call if the client does not support tasks. Input that the handler
   * requests before this is requested within the call. The handler must return this method's result.
   *
   * @throws {McpError} -32603 if there are too many unfinished tasks
   * @example
   * async export({ table }: { table: string }, context: McpContext) {
   *   const { action } = await context.elicit({ message: `Export ${table}?`, schema: Consent });
   *   return this.tasks.start(context, (task) => this.exports.run(table, task.signal));
   * }
   */
  async start<Result>(
    context: McpContext,
    work: (context: McpContext) => Result | Promise<Result>,
    times: TaskTimes = {},
  ): Promise<Result | CallToolResult> {
    const call = context as ExtensionContext;
    const profile = context.task === undefined && this.link.isOpen ? findProfile(call) : undefined;
    if (profile === undefined) return work(context);
    const record = await this.creation.create(call, profile, { ...times, isLocal: true });
    this.#started.set(context, record);
    await this.runner.add(record, { origin: call, work });
    return STARTED;
  }

  /** Returns the task that a handler started for a call. */
  findStarted(context: McpContext): TaskRecord | undefined {
    return this.#started.get(context);
  }
}
