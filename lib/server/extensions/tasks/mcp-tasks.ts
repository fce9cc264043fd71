import { Injectable } from '@nestjs/common';
import type { Observable } from 'rxjs';
import type { CallToolResult } from '../../../core/protocol/results.js';
import type { McpContext } from '../../context/mcp-context.interface.js';
import type { ExtensionContext } from '../../dispatch/extension.interface.js';
import type { TaskRecord } from '../../settings/extensions/task-store.interface.js';
import { ExtensionLink } from './extension-link.js';
import { findProfile } from './wires/select-profile.js';
import { cancel } from './ledger/task-changes.js';
import { TaskCreation, type TaskTimes } from './ledger/task-creation.js';
import { TaskLedger } from './ledger/task-ledger.js';
import { TaskRunner } from './running/task-runner.js';

/** Stands for the result of a call that became a task: an error, so that no output schema is held against it. */
const STARTED: CallToolResult = { content: [], isError: true };

/**
 * The tasks of a server, for the application itself.
 *
 * @example
 * constructor(tasks: McpTasks) {
 *   tasks.changes$.subscribe(({ taskId, status }) => this.logger.log(`${taskId} is ${status}`));
 * }
 */
@Injectable()
export class McpTasks {
  readonly #started = new WeakMap<McpContext, TaskRecord>();

  constructor(
    private readonly ledger: TaskLedger,
    private readonly creation: TaskCreation,
    private readonly runner: TaskRunner,
    private readonly link: ExtensionLink,
  ) {}

  /** Emits each task that begins or changes, as it is then. */
  get changes$(): Observable<TaskRecord> {
    return this.ledger.allChanges$;
  }

  /** Finds a task, whoever it belongs to. */
  find(taskId: string): Promise<TaskRecord | undefined> {
    return this.ledger.find(taskId);
  }

  /** Cancels a task, and returns it as it is then. A finished task does not change. */
  cancel(taskId: string): Promise<TaskRecord | undefined> {
    return this.ledger.change(taskId, cancel);
  }

  /**
   * Continues a call as a task if its client takes one, and within the call if not. Questions that the handler asks before it
   * starts the task are asked within the call. The handler must return what this method gives.
   *
   * @throws {McpError} -32603 if too many tasks are under way
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

  /** Gives the task that a handler started for a call. */
  findStarted(context: McpContext): TaskRecord | undefined {
    return this.#started.get(context);
  }
}
