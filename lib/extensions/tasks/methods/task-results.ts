import { Injectable, Logger } from '@nestjs/common';
import { filter, firstValueFrom, takeUntil, Subject } from 'rxjs';
import type { ExtensionContext } from '../../../dispatch/extension.interface.js';
import type { OpenObject } from '../../../protocol/capabilities.js';
import type { ClientRequest } from '../../../protocol/client-requests.js';
import { McpError } from '../../../protocol/mcp.error.js';
import { MetaKey } from '../../../protocol/meta-keys.js';
import { ClientResponseError } from '../../../sessions/client-response.error.js';
import type { TaskRecord } from '../../../settings/task-store.interface.js';
import { OwnedTasks } from '../ledger/owned-tasks.js';
import { giveInput, isOver, withdrawInput } from '../ledger/task-changes.js';
import { TaskLedger } from '../ledger/task-ledger.js';

/**
 * Gives clients of 2025-11-25 what their tasks came to, when they come to it. Until then it asks what the tasks ask, on
 * the stream of whoever waits.
 *
 * @see MCP 2025-11-25 basic/utilities/tasks, "Result Retrieval", "Input Required Status"
 */
@Injectable()
export class TaskResults {
  /** Questions that somebody is being asked now. */
  readonly #asked = new Set<string>();
  readonly #logger = new Logger('McpTasks');

  constructor(
    private readonly ledger: TaskLedger,
    private readonly tasks: OwnedTasks,
  ) {}

  /** Gives the result of the task's call, or throws its error. */
  async wait(context: ExtensionContext): Promise<OpenObject> {
    const record = await this.#waitForEnd(context, await this.tasks.get(context));
    const { status, taskId, result, error } = record;
    if (error !== undefined) throw new McpError(error.code, error.message, error.data);
    if (result === undefined) throw McpError.invalidParams(`The task has no result: it is ${status}`);
    const meta = result['_meta'] as OpenObject | undefined;
    return { ...result, _meta: { ...meta, [MetaKey.relatedTask]: { taskId } } };
  }

  async #waitForEnd(context: ExtensionContext, found: TaskRecord): Promise<TaskRecord> {
    const { taskId } = found;
    const left = new Subject<void>();
    context.signal.addEventListener('abort', () => left.next(), { once: true });
    const changes$ = this.ledger.changes$.pipe(
      filter((record) => record.taskId === taskId),
      takeUntil(left),
    );
    const asking = changes$.subscribe((record) => this.#askAll(record, context));
    const ended = firstValueFrom(changes$.pipe(filter(isOver)));
    ended.catch(() => undefined);
    try {
      // It may have changed since it was found.
      const record = (await this.tasks.find(taskId, context)) ?? found;
      this.#askAll(record, context);
      return isOver(record) ? record : await ended;
    } finally {
      asking.unsubscribe();
      left.next();
    }
  }

  #askAll(record: TaskRecord, context: ExtensionContext): void {
    for (const [key, request] of Object.entries(record.inputRequests)) {
      void this.#ask(record.taskId, key, { request, context });
    }
  }

  /** A client that does not answer is asked again by whoever waits for the result next. */
  async #ask(
    taskId: string,
    key: string,
    { request, context }: { readonly request: ClientRequest; readonly context: ExtensionContext },
  ): Promise<void> {
    const name = JSON.stringify([taskId, key]);
    if (this.#asked.has(name)) return;
    this.#asked.add(name);
    const { method, params } = request;
    const related = { ...params, _meta: { [MetaKey.relatedTask]: { taskId } } };
    try {
      const answer = await context.request({ method, params: related });
      await this.#give(taskId, key, answer);
    } catch (error) {
      // Whoever gave no answer at all may yet: the task goes on waiting.
      if (error instanceof ClientResponseError) await this.#withdraw(taskId, key);
    } finally {
      this.#asked.delete(name);
    }
  }

  /** The handler hears what the client answered. */
  async #give(taskId: string, key: string, answer: unknown): Promise<void> {
    await this.ledger.change(taskId, giveInput({ [key]: answer })).catch((error: unknown) => {
      this.#logger.error('What a client answered could not be stored', error);
    });
  }

  /** The handler hears that the client refused. */
  async #withdraw(taskId: string, key: string): Promise<void> {
    await this.ledger.change(taskId, withdrawInput(key)).catch((error: unknown) => {
      this.#logger.error('That a client refused to answer could not be stored', error);
    });
  }
}
