import { filter } from 'rxjs';
import { Logger } from '../../../../core/logger/logger.js';
import type { ClientRequest } from '../../../../core/protocol/client-requests.js';
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

/** One question of a task. */
interface TaskQuestion {
  readonly task: TaskRecord;
  readonly key: string;
  readonly request: ClientRequest;
}

/** A question that a client is asked. */
interface AskedQuestion extends Pick<TaskQuestion, 'task' | 'key'> {
  readonly context: ExtensionContext;
}

/**
 * Asks what tasks ask, on the stream of somebody who waits for the result.
 *
 * @see MCP 2025-11-25 basic/utilities/tasks, "Input Required Status"
 */
export class TaskQuestions {
  /** The waiting requests by task, in the order of their arrival. */
  readonly #waiting = new Map<string, Set<ExtensionContext>>();
  /** Stops the work for waiting requests, by task. The signal is aborted when nobody waits. */
  readonly #presence = new Map<string, AbortController>();
  /** Questions that somebody is being asked now. */
  readonly #asked = new Set<string>();
  readonly #logger = new Logger('McpTasks');

  constructor(
    private readonly ledger: TaskLedger,
    private readonly access: TaskAccess,
    private readonly turns: QuestionTurns,
  ) {}

  /** Counts a request among those that wait for a task. Returns a function that removes it. */
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

  /** Asks each question of a task that nobody is being asked. */
  ask(task: TaskRecord): void {
    for (const [key, request] of Object.entries(task.inputRequests)) void this.#ask({ task, key, request });
  }

  /** Asks one waiting request after another until one answers. Requests that come later are asked again. */
  async #ask(question: TaskQuestion): Promise<void> {
    const name = JSON.stringify([question.task.taskId, question.key]);
    if (this.#asked.has(name)) return;
    this.#asked.add(name);
    await this.#takeTurn(question);
    this.#asked.delete(name);
  }

  /** Another process may be asking somebody who waits there. */
  async #takeTurn(question: TaskQuestion): Promise<void> {
    const { task, key } = question;
    const { taskId } = task;
    const presence = this.#presence.get(taskId);
    if (presence === undefined) return;
    const end = await this.turns.take({ taskId, key }, presence.signal);
    if (end === undefined) return;
    // It may have been answered there.
    if (!this.turns.isShared || (await this.#isOpen(question))) await this.#askInTurn(question);
    end();
  }

  async #askInTurn(question: TaskQuestion): Promise<void> {
    const passed = new Set<ExtensionContext>();
    for (;;) {
      const next = this.#findNext(question.task, passed);
      if (next === undefined || (await this.#isSettledBy(next, question))) return;
      passed.add(next);
      // It may have been answered elsewhere in the meantime.
      if (!(await this.#isOpen(question))) return;
    }
  }

  /** A later request asks a failing store again. */
  async #isOpen({ task, key }: TaskQuestion): Promise<boolean> {
    const record = await this.ledger.find(task.taskId).catch(() => undefined);
    return record !== undefined && Object.hasOwn(record.inputRequests, key);
  }

  /** Who came last is the likeliest to be there still. */
  #findNext(task: TaskRecord, passed: ReadonlySet<ExtensionContext>): ExtensionContext | undefined {
    const waiting = [...(this.#waiting.get(task.taskId) ?? [])].filter(({ auth }) =>
      this.access.allows(task, auth),
    );
    return waiting.findLast((context) => !passed.has(context) && !context.signal.aborted);
  }

  /** Asks one client. A client that gives no answer, or cannot be asked, settles nothing. It never rejects. */
  async #isSettledBy(context: ExtensionContext, { task, key, request }: TaskQuestion): Promise<boolean> {
    const { taskId } = task;
    const { method, params } = request;
    const related = { ...params, _meta: { [MetaKey.relatedTask]: { taskId } } };
    try {
      const answer = await context.request({ method, params: related });
      return await this.#give({ task, key, context }, answer);
    } catch (error) {
      return error instanceof ClientResponseError && this.#withdraw({ task, key, context });
    }
  }

  /** The handler gets the client's answer. */
  #give(asked: AskedQuestion, answer: unknown): Promise<boolean> {
    return this.ledger.change(asked.task.taskId, giveInput({ [asked.key]: answer })).then(
      () => true,
      (error: unknown) => this.#fail('The answer of a client could not be stored', error, asked),
    );
  }

  /** The handler learns that the client refused. */
  #withdraw(asked: AskedQuestion): Promise<boolean> {
    return this.ledger.change(asked.task.taskId, withdrawInput(asked.key)).then(
      () => true,
      (error: unknown) => this.#fail('The refusal of a client could not be stored', error, asked),
    );
  }

  #fail(what: string, failure: unknown, { context, task }: AskedQuestion): false {
    const { auth, http, session, method, params } = context;
    const subject = { auth, http, session, method, params, taskId: task.taskId };
    logFailure(this.#logger, what, { failure, subject });
    return false;
  }
}

/** The task and the question. */
interface QuestionName {
  readonly taskId: string;
  readonly key: string;
}

/** Has one process of the server at a time ask a question: clients that wait in several would be asked it several times. */
export class QuestionTurns {
  constructor(
    private readonly bus: ClusterBus,
    private readonly ledger: TaskLedger,
  ) {}

  /** Whether other processes may ask too. */
  get isShared(): boolean {
    return this.bus.isShared;
  }

  /**
   * Waits for the turn to ask, which comes at once if no other process can be asked.
   *
   * @param signal is aborted when nobody is left here who could be asked
   * @returns a function that ends the turn, or `undefined` if the question is settled by then, or nobody is left
   */
  async take({ taskId, key }: QuestionName, signal: AbortSignal): Promise<(() => void) | undefined> {
    const { bus } = this;
    if (bus.shared === undefined || !bus.isConnected) return () => undefined;
    let settle: (isOurs: boolean) => void = () => undefined;
    const decided = new Promise<boolean>((resolve) => (settle = resolve));
    const lease = new Lease(bus, `question:${taskId}:${key}`, (isHeld) => isHeld && settle(true));
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
