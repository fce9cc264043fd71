import { filter, firstValueFrom, takeUntil, Subject } from 'rxjs';
import type { OpenObject } from '../../../../core/protocol/capabilities.js';
import { isObject } from '../../../../core/protocol/json-rpc.js';
import { McpError } from '../../../../core/protocol/mcp.error.js';
import { MetaKey } from '../../../../core/protocol/meta-keys.js';
import type { ExtensionContext, ExtensionMethod } from '../../../dispatch/extension.interface.js';
import type { TaskRecord } from '../../../settings/extensions/task-store.interface.js';
import type { CallerTasks } from '../ledger/caller-tasks.js';
import { cancel, giveInput, isOver } from '../ledger/task-changes.js';
import type { TaskLedger } from '../ledger/task-ledger.js';
import type { TaskSigner, TaskEncoders } from '../encoders/task-encoders.js';
import type { TaskInputRequests } from './task-input-requests.js';

/** The number of tasks on a page. */
const PAGE_SIZE = 100;

/** The methods that read, update, cancel and list tasks. */
export class TasksMethods {
  constructor(
    private readonly ledger: TaskLedger,
    private readonly tasks: CallerTasks,
    private readonly results: TaskResults,
    private readonly encoders: TaskEncoders,
    private readonly signer: TaskSigner,
  ) {}

  /** Returns the methods to register. */
  build(): readonly ExtensionMethod[] {
    const named = { requiresDeclaration, mcpNameParam: 'taskId' };
    const handshake = { requiresDeclaration, revisions: ['handshake'] } as const;
    return [
      { method: 'tasks/get', ...named, handle: (context) => this.#get(context) },
      {
        method: 'tasks/update',
        ...named,
        requiresDeclaration: true,
        handle: (context) => this.#update(context),
      },
      { method: 'tasks/cancel', ...named, handle: (context) => this.#cancel(context) },
      {
        method: 'tasks/result',
        ...handshake,
        longRunning: true,
        handle: (context) => this.results.wait(context),
      },
      { method: 'tasks/list', ...handshake, handle: (context) => this.#list(context) },
    ];
  }

  /** @see MCP extension tasks, "Task Polling" */
  async #get(context: ExtensionContext): Promise<OpenObject> {
    const record = await this.#find(context);
    return this.encoders.getFor(record, context).encodeTask(record);
  }

  /** @see MCP extension tasks, "Task Update Requests" */
  async #update(context: ExtensionContext): Promise<OpenObject> {
    const { inputResponses } = context.params;
    if (!isObject(inputResponses)) throw McpError.invalidParams('"inputResponses" must be an object');
    const { taskId } = await this.#find(context);
    await this.ledger.change(taskId, giveInput(inputResponses));
    return {};
  }

  /** @see MCP extension tasks, "Task Cancellation"; MCP 2025-11-25 basic/utilities/tasks, "Cancelling a Task" */
  async #cancel(context: ExtensionContext): Promise<OpenObject> {
    const record = await this.#find(context);
    const encoder = this.encoders.getFor(record, context);
    if (isOver(record) && encoder.refusesToCancelTwice === true) {
      throw McpError.invalidParams(`The task has already ended: its status is "${record.status}"`);
    }
    return encoder.encodeCancelled((await this.ledger.change(record.taskId, cancel)) ?? record);
  }

  /** @see MCP 2025-11-25 basic/utilities/tasks, "Listing Tasks" */
  async #list(context: ExtensionContext): Promise<OpenObject> {
    const { identity, session, params } = context;
    if (identity === undefined && session === undefined) throw McpError.methodNotFound(context.method);
    const position = this.signer.parseCursor(params['cursor']);
    const records = await this.tasks.list(context, { ...position, limit: PAGE_SIZE + 1 });
    const page = records.slice(0, PAGE_SIZE);
    const last = page.at(-1);
    return {
      tasks: page.map((record) => this.encoders.getFor(record, context).encodeTask(record)),
      ...(records.length > PAGE_SIZE && last && { nextCursor: this.signer.formatCursor(last) }),
    };
  }

  async #find(context: ExtensionContext): Promise<Awaited<ReturnType<CallerTasks['get']>>> {
    const record = await this.tasks.get(context);
    this.signer.assertState(record.taskId, context.params['requestState']);
    return record;
  }
}

/** 2025-11-25 has its own form of tasks, which clients do not have to declare. */
function requiresDeclaration({ revision }: ExtensionContext): boolean {
  return !revision.defines.tasksCapability;
}

/**
 * Returns tasks' results to 2025-11-25 clients once they finish. Until then, the waiting client receives the task's
 * input requests.
 *
 * @see MCP 2025-11-25 basic/utilities/tasks, "Result Retrieval"
 */
export class TaskResults {
  constructor(
    private readonly ledger: TaskLedger,
    private readonly tasks: CallerTasks,
    private readonly inputRequests: TaskInputRequests,
  ) {}

  /** Waits for the task's call and returns its result, or throws its error. */
  async wait(context: ExtensionContext): Promise<OpenObject> {
    const record = await this.#waitForEnd(context, await this.tasks.get(context));
    // The handler may have required more scopes in the meantime.
    this.tasks.assertAllowed([record], context);
    const { status, taskId, result, error } = record;
    if (error !== undefined) throw new McpError(error.code, error.message, error.data);
    if (result === undefined)
      throw McpError.invalidParams(`The task has no result: its status is "${status}"`);
    const meta = result['_meta'] as OpenObject | undefined;
    return { ...result, _meta: { ...meta, [MetaKey.relatedTask]: { taskId } } };
  }

  async #waitForEnd(context: ExtensionContext, found: TaskRecord): Promise<TaskRecord> {
    const { taskId } = found;
    const { signal } = context;
    // The client may have cancelled during the lookup.
    signal.throwIfAborted();
    const left = new Subject<void>();
    signal.addEventListener('abort', () => left.next(), { once: true });
    const changes$ = this.ledger.changes$.pipe(
      filter((record) => record.taskId === taskId),
      takeUntil(left),
    );
    const unfollow = this.ledger.follow(taskId);
    const leave = this.inputRequests.join(taskId, context);
    const sending = changes$.subscribe((record) => this.inputRequests.send(record));
    const ended = firstValueFrom(changes$.pipe(filter(isOver)));
    ended.catch(() => undefined);
    try {
      // The task may have changed since the lookup.
      const record = (await this.tasks.find(taskId, context)) ?? found;
      this.inputRequests.send(record);
      return isOver(record) ? record : await ended;
    } finally {
      unfollow();
      leave();
      sending.unsubscribe();
      left.next();
    }
  }
}
