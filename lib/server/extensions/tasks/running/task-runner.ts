import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { OnModuleDestroy } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { logFault } from '../../../../core/log/log-fault.js';
import { Logger } from '../../../../core/logger/logger.js';
import { McpError } from '../../../../core/protocol/mcp.error.js';
import { callAt } from '../../../../core/waiting/call-at.js';
import { inTime } from '../../../../core/waiting/in-time.js';
import { settleWithin } from '../../../../core/waiting/settle-within.js';
import { findAnonymousAddress } from '../../../context/caller-identity.js';
import type { McpContext } from '../../../context/mcp-context.interface.js';
import type { CallHost, CallOrigin, CallOutcome } from '../../../dispatch/extension.interface.js';
import { logFailure } from '../../../log/log-failure.js';
import { nameAccount } from '../../../memory/memory-account.js';
import type { TaskRecord } from '../../../settings/extensions/task-store.interface.js';
import type { TaskQueue, TasksSettings } from '../../../settings/extensions/tasks-options.js';
import type { Draining } from '../../../shutdown/draining.js';
import type { ExtensionLink } from '../extension-link.js';
import type { TaskAccess } from '../ledger/caller-tasks.js';
import { cancel, complete, expire, fail, giveUp, isOver, type TaskChange } from '../ledger/task-changes.js';
import type { TaskCreation, TaskHolder } from '../ledger/task-creation.js';
import type { TaskLedger } from '../ledger/task-ledger.js';
import { isOutOfRoom, TasksUnavailableError } from '../ledger/tasks.error.js';
import type { TaskTeller } from '../methods/task-notifications.js';
import { InProcessTaskQueue } from './in-process-task-queue.js';
import { RunningTask } from './running-task.js';
import { restoreOrigin } from './task-call.js';

/** Milliseconds between attempts to write down what came of a task, if the store fails. */
const PAUSES_MS = [50, 250, 1000, 5000];
const LONGEST_PAUSE_MS = 5000;

/** Writes down what comes of tasks, though their store fails now and then. */
class StoredChanges {
  /** @param stopping is aborted when the process ends: nothing is waited for then */
  constructor(
    private readonly ledger: TaskLedger,
    private readonly stopping: AbortSignal,
  ) {
    // Each task that waits listens for itself, and Node warns of more than a few.
    setMaxListeners(0, stopping);
  }

  /**
   * Changes a task; a store that fails is asked again. One that is out of reach is waited for longer.
   *
   * @param until how long that is, in milliseconds of the epoch
   */
  async make(taskId: string, change: TaskChange, until = 0): Promise<TaskRecord | undefined> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.ledger.change(taskId, change);
      } catch (error) {
        const isLast = attempt >= PAUSES_MS.length && !this.#isWaitedFor(error, until);
        if (isOutOfRoom(error) || isLast) throw error;
        await this.#pause(PAUSES_MS[attempt] ?? LONGEST_PAUSE_MS);
      }
    }
  }

  #isWaitedFor(error: unknown, until: number): boolean {
    return error instanceof TasksUnavailableError && Date.now() < until && !this.stopping.aborted;
  }

  async #pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.stopping }).catch(() => undefined);
  }
}

/** Ends a task whose result finds no room. */
const NO_MEMORY = giveUp('The server has no memory left for the result of the task');

/** Ends a task with what came of its call. */
function settle(outcome: NonNullable<CallOutcome>): TaskChange {
  return 'error' in outcome ? fail(outcome.error) : complete(outcome.result);
}

/** What only the process knows of a task that created it. */
export interface LiveCall {
  readonly origin: CallOrigin & {
    /** Is aborted if the call is cancelled before it is answered. */
    readonly signal: AbortSignal;
  };
  /** Runs instead of the tool's handler. */
  readonly work?: (context: McpContext) => unknown;
}

/** What there is of tasks, whether they run or not. */
interface TaskParts {
  readonly ledger: TaskLedger;
  readonly holder: TaskHolder;
  readonly creation: TaskCreation;
  readonly access: TaskAccess;
}

/** Runs tasks as their queue gives them, and writes down what comes of them. */
export class TaskRunner implements OnModuleDestroy {
  readonly #logger = new Logger('McpTasks');
  readonly #live = new Map<string, LiveCall>();
  readonly #running = new Map<string, RunningTask>();
  readonly #queue: TaskQueue;
  /** Runs what this process alone can run. */
  readonly #localQueue: InProcessTaskQueue;
  readonly #stopping = new AbortController();
  readonly #changes: StoredChanges;
  #subscription: Subscription | undefined;

  constructor(
    private readonly tasks: TaskParts,
    private readonly link: ExtensionLink,
    private readonly teller: TaskTeller,
    private readonly settings: TasksSettings,
    private readonly draining?: Draining,
  ) {
    this.#changes = new StoredChanges(tasks.ledger, this.#stopping.signal);
    this.#localQueue = new InProcessTaskQueue(settings.concurrency);
    this.#queue = settings.queue ?? this.#localQueue;
  }

  /** Begins to run tasks. */
  async start(): Promise<void> {
    this.#subscription = this.tasks.ledger.changes$.subscribe((record) => this.#observe(record));
    const run = (taskId: string): Promise<void> => this.#run(taskId);
    this.#localQueue.start(run);
    if (this.#queue !== this.#localQueue) await this.#queue.start(run);
  }

  /**
   * Takes a task that was created. If its queue refuses it, it fails. If its call was cancelled meanwhile, it is cancelled,
   * since nobody will be told about it.
   */
  async add(record: TaskRecord, live: LiveCall): Promise<void> {
    const { taskId } = record;
    const { signal } = live.origin;
    this.#live.set(taskId, live);
    try {
      if (this.#stopping.signal.aborted) throw McpError.shuttingDown();
      signal.throwIfAborted();
      await this.#enqueue(record, live);
      signal.throwIfAborted();
    } catch (error) {
      this.#live.delete(taskId);
      await this.#write(taskId, signal.aborted ? cancel : giveUp('The task could not be queued'));
      throw error;
    }
  }

  async #enqueue(task: TaskRecord, { origin }: LiveCall): Promise<void> {
    const { taskId, call } = task;
    const isLocal = call.isLocal === true || this.#queue === this.#localQueue;
    if (isLocal) return this.#localQueue.add(taskId, nameTurn(task, origin));
    const added = Promise.resolve(this.#queue.add(taskId));
    return inTime(added, this.settings.storeTimeoutMs, () => new TasksUnavailableError());
  }

  /** Tells whether a task runs here, or waits for it. */
  has(taskId: string): boolean {
    return this.#live.has(taskId) || this.#running.has(taskId);
  }

  /** Tells whether the call of a task runs here. */
  isRunning(taskId: string): boolean {
    return this.#running.get(taskId)?.hasBegun === true;
  }

  /** Forgets a task that its store no longer lists. A task that runs or waits here is forgotten after its run. */
  forget(taskId: string): void {
    if (this.#running.has(taskId) || this.#localQueue.has(taskId)) return;
    this.#live.delete(taskId);
    this.tasks.creation.forget(taskId);
  }

  /** Gives up the tasks that run here or wait only here, while clients can still be told. Nobody else would finish them. */
  async onModuleDestroy(): Promise<void> {
    if (this.#subscription === undefined) return;
    await this.draining?.drain();
    this.#stopping.abort();
    const { closeTimeoutMs } = this.settings;
    const queues = new Set([this.#localQueue, this.#queue]);
    const ending = Promise.all([...[...queues].map((queue) => this.#stop(queue)), ...this.#giveUpAll()]);
    const isDone = await settleWithin(ending, closeTimeoutMs);
    if (!isDone)
      this.#logger.warn(`The queue or the store of tasks took longer than ${closeTimeoutMs} ms to end`);
    this.#subscription.unsubscribe();
  }

  /** Never rejects: a queue that cannot be stopped must not keep the server from it. */
  async #stop(queue: TaskQueue): Promise<void> {
    try {
      await queue.stop();
    } catch (error) {
      logFault(this.#logger, error, 'The queue of tasks could not be stopped');
    }
  }

  #giveUpAll(): readonly Promise<void>[] {
    const giveUpOwn: TaskChange = (record) =>
      record.holder === this.tasks.holder.id ? giveUp('The server was shut down')(record) : undefined;
    const lost = [...this.#live.keys(), ...this.#running.keys()];
    return lost.map((taskId) => this.#write(taskId, giveUpOwn));
  }

  #observe(record: TaskRecord): void {
    const { taskId } = record;
    if (isOver(record)) {
      this.#live.delete(taskId);
      this.#localQueue.remove(taskId);
    }
    this.#running.get(taskId)?.observe(record);
  }

  /** Never rejects: what goes wrong is written down, and logged if it cannot be. */
  async #run(taskId: string): Promise<void> {
    // A queue may give again what it believes to be lost.
    if (this.#running.has(taskId)) return;
    const running = new RunningTask(taskId, this.tasks.ledger);
    // It may be cancelled elsewhere as soon as it is taken.
    this.#running.set(taskId, running);
    const unfollow = this.tasks.ledger.follow(taskId);
    let taken: TaskRecord | undefined;
    try {
      const until = Date.now() + this.settings.ttlMs;
      const record = await this.#changes.make(taskId, (waiting) => this.#take(waiting), until);
      if (record === undefined || isOver(record) || this.tasks.ledger.isSuperseded(record)) return;
      taken = record;
      const outcome = await this.#call(record, running);
      await this.#settle(record, outcome === undefined ? cancel : running.noteScopes(settle(outcome)));
    } catch (error) {
      logTaskFailure(this.#logger, 'A task could not be run', { failure: error, taskId, record: taken });
      await this.#write(taskId, giveUp('The task could not be run'), taken);
    } finally {
      unfollow();
      this.#live.delete(taskId);
      this.#running.delete(taskId);
      this.tasks.creation.forget(taskId);
    }
  }

  /**
   * Stores the result of a call. The call's memory is released first, so that the result can use it. What there is no
   * memory for is not kept, and the client learns of it.
   */
  async #settle(record: TaskRecord, change: TaskChange): Promise<void> {
    const { taskId, expires } = record;
    const end: TaskChange = (current) => {
      this.tasks.creation.endCall(taskId);
      return change(current);
    };
    try {
      await this.#changes.make(taskId, end, expires);
    } catch (error) {
      if (isOutOfRoom(error)) await this.#write(taskId, NO_MEMORY, record);
      else this.#logUnstored({ failure: error, taskId, record });
    }
  }

  /** From now on this process answers for the task. */
  #take(record: TaskRecord): TaskRecord | undefined {
    if (record.holder === this.tasks.holder.id || this.tasks.ledger.isSuperseded(record)) return undefined;
    const scopes = this.tasks.access.findScopes(record);
    return { ...record, holder: this.tasks.holder.id, ...(scopes && { scopes }) };
  }

  async #call(record: TaskRecord, running: RunningTask): Promise<CallOutcome> {
    const { taskId, call } = record;
    const live = this.#live.get(taskId);
    if (live === undefined && call.isLocal === true) throw new TypeError('The work of the task is not here');
    const { params } = call;
    const task = { id: taskId, setStatusMessage: (message: string) => running.setStatusMessage(message) };
    const origin = live?.origin ?? restoreOrigin(record);
    const host: CallHost = {
      notify: (...telling) => this.teller.tell(running.describe(record), ...telling),
      ask: (...question) => running.ask(...question),
    };
    const begun = this.link.handle.callTool({ params, origin, task, work: live?.work }, host);
    running.hold(begun);
    const stopClock = this.#endInTime(record, running);
    return begun.outcome.finally(stopClock);
  }

  /** Ends a task when its time to live is over, even if the store has lost it. Returns a function that stops the timer. */
  #endInTime({ taskId, expires }: TaskRecord, running: RunningTask): () => void {
    const end = () => running.end('The task took longer than its time to live');
    return callAt(expires, () => void this.#write(taskId, expire).then(end));
  }

  /** Never rejects: what the store does not take is logged. */
  async #write(taskId: string, change: TaskChange, record?: TaskRecord): Promise<void> {
    try {
      await this.#changes.make(taskId, change);
    } catch (error) {
      this.#logUnstored({ failure: error, taskId, record });
    }
  }

  #logUnstored(failed: TaskFailure): void {
    logTaskFailure(this.#logger, 'The result of a task could not be stored', failed);
  }
}

/** What went wrong with a task. */
interface TaskFailure {
  readonly failure: unknown;
  readonly taskId: string;
  /** The task, if it could be read. */
  readonly record: TaskRecord | undefined;
}

/** Tells the log of it, with what the log says of each call. */
function logTaskFailure(
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

/** Names whose turn a task takes: strangers have one for each address, since anybody begins as many sessions as they like. */
function nameTurn(
  { owner, sessionId }: Pick<TaskRecord, 'owner' | 'sessionId'>,
  origin: CallOrigin,
): string | undefined {
  return owner === undefined ? (findAnonymousAddress(origin) ?? sessionId) : nameAccount(owner);
}
