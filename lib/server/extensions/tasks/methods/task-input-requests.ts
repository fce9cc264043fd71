import { filter } from 'rxjs';
import { Logger } from '../../../../core/logger/logger.js';
import type { InputRequest } from '../../../../core/protocol/input-requests.js';
import { MetaKey } from '../../../../core/protocol/meta-keys.js';
import type { ExtensionContext } from '../../../dispatch/extension.interface.js';
import { ClientResponseError } from '../../../sessions/client-response.error.js';
import { logFailure } from '../../../log/log-failure.js';
import type { TaskRecord } from '../../../settings/extensions/task-store.interface.js';
import { Lease } from '../../../cluster/lease.js';
import type { ClusterBus } from '../../../cluster/cluster-bus.js';
import { giveInput, withdrawInput } from '../ledger/task-changes.js';
import type { TaskAccess } from '../ledger/caller-tasks.js';
import type { TaskLedger } from '../ledger/task-ledger.js';

/** A task's input request. */
interface TaskInputRequest {
  readonly task: TaskRecord;
  readonly key: string;
  readonly request: InputRequest;
}

/** An input request that was sent to a client. */
interface SentInputRequest extends Pick<TaskInputRequest, 'task' | 'key'> {
  readonly context: ExtensionContext;
}

/**
 * Sends tasks' input requests on the stream of a client that waits for the result.
 *
 * @see MCP 2025-11-25 basic/utilities/tasks, "Input Required Status"
 */
export class TaskInputRequests {
  /** The waiting `tasks/result` requests by task, in order of arrival. */
  readonly #waiting = new Map<string, Set<ExtensionContext>>();
  /** Aborted when no request is waiting for a task anymore. */
  readonly #presence = new Map<string, AbortController>();
  /** The input requests that are being sent now. */
  readonly #inProgress = new Set<string>();
  readonly #logger = new Logger('McpTasks');

  constructor(
    private readonly ledger: TaskLedger,
    private readonly access: TaskAccess,
    private readonly turns: InputRequestTurns,
  ) {}

  /** Adds a request that waits for a task. Returns a function that removes it. */
  join(taskId: string, context: ExtensionContext): () => void {
    const waiting = this.#waiting.get(taskId) ?? new Set();
    this.#waiting.set(taskId, waiting.add(context));
    if (!this.#presence.has(taskId)) this.#presence.set(taskId, new AbortController());
    return () => {
      waiting.delete(context);
      if (waiting.size > 0 || this.#waiting.get(taskId) !== waiting) return;
      this.#waiting.delete(taskId);
      this.#presence.get(taskId)?.abort();
      this.#presence.delete(taskId);
    };
  }

  /** Sends the task's input requests that are not yet being sent. */
  send(task: TaskRecord): void {
    for (const [key, request] of Object.entries(task.inputRequests)) void this.#send({ task, key, request });
  }

  /** Tries the waiting clients one at a time until one responds. Later requests try again. */
  async #send(input: TaskInputRequest): Promise<void> {
    const name = JSON.stringify([input.task.taskId, input.key]);
    if (this.#inProgress.has(name)) return;
    this.#inProgress.add(name);
    await this.#waitForTurn(input);
    this.#inProgress.delete(name);
  }

  /** Waits while another process sends the request to its clients. */
  async #waitForTurn(input: TaskInputRequest): Promise<void> {
    const { task, key } = input;
    const { taskId } = task;
    const presence = this.#presence.get(taskId);
    if (presence === undefined) return;
    const end = await this.turns.take({ taskId, key }, presence.signal);
    if (end === undefined) return;
    // Another process may have settled it.
    if (!this.turns.isShared || (await this.#isOpen(input))) await this.#sendInTurn(input);
    end();
  }

  async #sendInTurn(input: TaskInputRequest): Promise<void> {
    const tried = new Set<ExtensionContext>();
    for (;;) {
      const next = this.#findNext(input.task, tried);
      if (next === undefined || (await this.#isSettledBy(next, input))) return;
      tried.add(next);
      // Another process may have settled it in the meantime.
      if (!(await this.#isOpen(input))) return;
    }
  }

  /** If the store fails, a later request tries again. */
  async #isOpen({ task, key }: TaskInputRequest): Promise<boolean> {
    const record = await this.ledger.find(task.taskId).catch(() => undefined);
    return record !== undefined && Object.hasOwn(record.inputRequests, key);
  }

  /** The client of the newest request is the most likely to still be connected. */
  #findNext(task: TaskRecord, tried: ReadonlySet<ExtensionContext>): ExtensionContext | undefined {
    const waiting = [...(this.#waiting.get(task.taskId) ?? [])].filter(({ auth }) =>
      this.access.allows(task, auth),
    );
    return waiting.findLast((context) => !tried.has(context) && !context.signal.aborted);
  }

  /** Sends the request to one client. Returns whether the request is settled. Never rejects. */
  async #isSettledBy(context: ExtensionContext, { task, key, request }: TaskInputRequest): Promise<boolean> {
    const { taskId } = task;
    const { method, params } = request;
    const related = { ...params, _meta: { [MetaKey.relatedTask]: { taskId } } };
    try {
      const answer = await context.request({ method, params: related });
      return await this.#storeAnswer({ task, key, context }, answer);
    } catch (error) {
      return error instanceof ClientResponseError && this.#storeRefusal({ task, key, context });
    }
  }

  /** Stores the client's response for the handler. */
  #storeAnswer(sent: SentInputRequest, answer: unknown): Promise<boolean> {
    return this.ledger.change(sent.task.taskId, giveInput({ [sent.key]: answer })).then(
      () => true,
      (error: unknown) => this.#fail('The response from a client could not be stored', error, sent),
    );
  }

  /** Stores the refusal, so the handler receives an error. */
  #storeRefusal(sent: SentInputRequest): Promise<boolean> {
    return this.ledger.change(sent.task.taskId, withdrawInput(sent.key)).then(
      () => true,
      (error: unknown) => this.#fail('The refusal from a client could not be stored', error, sent),
    );
  }

  #fail(what: string, failure: unknown, { context, task }: SentInputRequest): false {
    const { auth, http, session, method, params } = context;
    const subject = { auth, http, session, method, params, taskId: task.taskId };
    logFailure(this.#logger, what, { failure, subject });
    return false;
  }
}

/** Identifies a task's input request. */
interface InputRequestName {
  readonly taskId: string;
  readonly key: string;
}

/**
 * Ensures that one process at a time sends an input request. Otherwise, the clients of several processes would all
 * receive it.
 */
export class InputRequestTurns {
  constructor(
    private readonly bus: ClusterBus,
    private readonly ledger: TaskLedger,
  ) {}

  /** Whether other processes may send it too. */
  get isShared(): boolean {
    return this.bus.isShared;
  }

  /**
   * Waits for this process's turn, which comes immediately if no cluster is connected.
   *
   * @param signal aborted when none of this process's clients is waiting anymore
   * @returns a function that ends the turn, or `undefined` if the request was settled or no client waits
   */
  async take({ taskId, key }: InputRequestName, signal: AbortSignal): Promise<(() => void) | undefined> {
    const { bus } = this;
    if (bus.shared === undefined || !bus.isConnected) return () => undefined;
    let settle: (isOurs: boolean) => void = () => undefined;
    const decided = new Promise<boolean>((resolve) => (settle = resolve));
    const lease = new Lease(bus, `input:${taskId}:${key}`, (isHeld) => isHeld && settle(true));
    const leave = (): void => settle(false);
    const settled = this.ledger.changes$
      .pipe(filter((task) => task.taskId === taskId && !Object.hasOwn(task.inputRequests, key)))
      .subscribe(leave);
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    lease.start();
    const isOurs = await decided;
    settled.unsubscribe();
    signal.removeEventListener('abort', leave);
    const end = (): void => void lease.stop();
    if (isOurs) return end;
    end();
    return undefined;
  }
}
