import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { OnModuleDestroy } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { logError } from '../../../../core/log/describe-failure.js';
import { Logger } from '../../../../core/logger/logger.js';
import { McpError } from '../../../../core/protocol/mcp.error.js';
import { callAt } from '../../../../core/async/timers.js';
import { settleWithin, withTimeout } from '../../../../core/async/timeouts.js';
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
import { cancel, complete, expire, fail, failWith, isOver, type TaskChange } from '../ledger/task-changes.js';
import type { TaskCreation, TaskWorker } from '../ledger/task-creation.js';
import type { TaskLedger } from '../ledger/task-ledger.js';
import { isOutOfRoom, TasksUnavailableError } from '../ledger/tasks.error.js';
import type { TaskNotifier } from '../methods/task-notifications.js';
import { InProcessTaskQueue } from './in-process-task-queue.js';
import { RunningTask } from './running-task.js';
import { restoreOrigin } from './task-call.js';

/** Milliseconds between attempts to store a task's outcome. */
const RETRY_DELAYS_MS = [50, 250, 1000, 5000];
const MAX_RETRY_DELAY_MS = 5000;

/** Stores task changes, and retries when the store fails. */
class StoredChanges {
  /** @param stopping aborted when the process shuts down, which ends retries */
  constructor(
    private readonly ledger: TaskLedger,
    private readonly stopping: AbortSignal,
  ) {
    // Every waiting task adds a listener, and Node warns about more than ten.
    setMaxListeners(0, stopping);
  }

  /**
   * Changes a task. Retries if the store fails, and for longer if the store is unavailable.
   *
   * @param until when to stop waiting for an unavailable store, in milliseconds since 1970
   */
  async apply(taskId: string, change: TaskChange, until = 0): Promise<TaskRecord | undefined> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.ledger.change(taskId, change);
      } catch (error) {
        const isLast = attempt >= RETRY_DELAYS_MS.length && !this.#mayRetry(error, until);
        if (isOutOfRoom(error) || isLast) throw error;
        await this.#pause(RETRY_DELAYS_MS[attempt] ?? MAX_RETRY_DELAY_MS);
      }
    }
  }

  #mayRetry(error: unknown, until: number): boolean {
    return error instanceof TasksUnavailableError && Date.now() < until && !this.stopping.aborted;
  }

  async #pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.stopping }).catch(() => undefined);
  }
}

/** Fails a task whose result does not fit in memory. */
const NO_MEMORY = failWith('The server has no memory left for the task result');

/** Ends a task with its call's outcome. */
function settle(outcome: NonNullable<CallOutcome>): TaskChange {
  return 'error' in outcome ? fail(outcome.error) : complete(outcome.result);
}

/** A task's live call, known only to the process that created it. */
export interface LiveCall {
  readonly origin: CallOrigin & {
    /** Aborted if the call is cancelled before its response. */
    readonly signal: AbortSignal;
  };
  /** Runs instead of the tool's handler. */
  readonly work?: (context: McpContext) => unknown;
}

/** The parts that store and create tasks. */
interface TaskParts {
  readonly ledger: TaskLedger;
  readonly worker: TaskWorker;
  readonly creation: TaskCreation;
  readonly access: TaskAccess;
}

/** Runs queued tasks and stores their outcomes. */
export class TaskRunner implements OnModuleDestroy {
  readonly #logger = new Logger('McpTasks');
  readonly #live = new Map<string, LiveCall>();
  readonly #running = new Map<string, RunningTask>();
  readonly #queue: TaskQueue;
  /** Runs tasks that only this process can run. */
  readonly #localQueue: InProcessTaskQueue;
  readonly #stopping = new AbortController();
  readonly #changes: StoredChanges;
  #subscription: Subscription | undefined;

  constructor(
    private readonly tasks: TaskParts,
    private readonly link: ExtensionLink,
    private readonly notifier: TaskNotifier,
    private readonly settings: TasksSettings,
    private readonly draining?: Draining,
  ) {
    this.#changes = new StoredChanges(tasks.ledger, this.#stopping.signal);
    this.#localQueue = new InProcessTaskQueue(settings.concurrency);
    this.#queue = settings.queue ?? this.#localQueue;
  }

  /** Starts the queues. */
  async start(): Promise<void> {
    this.#subscription = this.tasks.ledger.changes$.subscribe((record) => this.#observe(record));
    const run = (taskId: string): Promise<void> => this.#run(taskId);
    this.#localQueue.start(run);
    if (this.#queue !== this.#localQueue) await this.#queue.start(run);
  }

  /**
   * Queues a new task. If the queue refuses it, the task fails. If its call was cancelled, the task is cancelled,
   * because no client learns its id.
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
      await this.#write(taskId, signal.aborted ? cancel : failWith('The task could not be queued'));
      throw error;
    }
  }

  async #enqueue(task: TaskRecord, { origin }: LiveCall): Promise<void> {
    const { taskId, call } = task;
    const isLocal = call.isLocal === true || this.#queue === this.#localQueue;
    if (isLocal) return this.#localQueue.add(taskId, findCaller(task, origin));
    const added = Promise.resolve(this.#queue.add(taskId));
    return withTimeout(added, this.settings.storeTimeoutMs, () => new TasksUnavailableError());
  }

  /** Returns whether a task is running or queued in this process. */
  has(taskId: string): boolean {
    return this.#live.has(taskId) || this.#running.has(taskId);
  }

  /** Returns whether a task's call is running in this process. */
  isRunning(taskId: string): boolean {
    return this.#running.get(taskId)?.hasBegun === true;
  }

  /** Drops a task that the store no longer lists, unless it is running or queued in this process. */
  forget(taskId: string): void {
    if (this.#running.has(taskId) || this.#localQueue.has(taskId)) return;
    this.#live.delete(taskId);
    this.tasks.creation.forget(taskId);
  }

  /** Fails the tasks that only this process could finish, while clients can still be notified. */
  async onModuleDestroy(): Promise<void> {
    if (this.#subscription === undefined) return;
    await this.draining?.drain();
    this.#stopping.abort();
    const { closeTimeoutMs } = this.settings;
    const queues = new Set([this.#localQueue, this.#queue]);
    const ending = Promise.all([...[...queues].map((queue) => this.#stop(queue)), ...this.#failAll()]);
    const isDone = await settleWithin(ending, closeTimeoutMs);
    if (!isDone) this.#logger.warn(`The task queue or store did not close within ${closeTimeoutMs} ms`);
    this.#subscription.unsubscribe();
  }

  /** Never rejects: a failing queue must not block shutdown. */
  async #stop(queue: TaskQueue): Promise<void> {
    try {
      await queue.stop();
    } catch (error) {
      logError(this.#logger, error, 'The task queue could not be stopped');
    }
  }

  #failAll(): readonly Promise<void>[] {
    const failOwn: TaskChange = (record) =>
      record.worker === this.tasks.worker.id ? failWith('The server was shut down')(record) : undefined;
    const lost = [...this.#live.keys(), ...this.#running.keys()];
    return lost.map((taskId) => this.#write(taskId, failOwn));
  }

  #observe(record: TaskRecord): void {
    const { taskId } = record;
    if (isOver(record)) {
      this.#live.delete(taskId);
      this.#localQueue.remove(taskId);
    }
    this.#running.get(taskId)?.observe(record);
  }

  /** Never rejects. A failure is stored with the task, or else logged. */
  async #run(taskId: string): Promise<void> {
    // A queue may redeliver a task that it considers lost.
    if (this.#running.has(taskId)) return;
    const running = new RunningTask(taskId, this.tasks.ledger);
    // Another process may cancel the task as soon as it is claimed.
    this.#running.set(taskId, running);
    const unfollow = this.tasks.ledger.follow(taskId);
    let claimed: TaskRecord | undefined;
    try {
      const until = Date.now() + this.settings.ttlMs;
      const record = await this.#changes.apply(taskId, (waiting) => this.#claim(waiting), until);
      if (record === undefined || isOver(record) || this.tasks.ledger.isSuperseded(record)) return;
      claimed = record;
      const outcome = await this.#call(record, running);
      await this.#settle(record, outcome === undefined ? cancel : running.noteScopes(settle(outcome)));
    } catch (error) {
      logTaskFailure(this.#logger, 'A task could not be run', { failure: error, taskId, record: claimed });
      await this.#write(taskId, failWith('The task could not be run'), claimed);
    } finally {
      unfollow();
      this.#live.delete(taskId);
      this.#running.delete(taskId);
      this.tasks.creation.forget(taskId);
    }
  }

  /**
   * Stores a call's result, whose memory is released first. If the result does not fit, the task fails.
   */
  async #settle(record: TaskRecord, change: TaskChange): Promise<void> {
    const { taskId, expires } = record;
    const end: TaskChange = (current) => {
      this.tasks.creation.endCall(taskId);
      return change(current);
    };
    try {
      await this.#changes.apply(taskId, end, expires);
    } catch (error) {
      if (isOutOfRoom(error)) await this.#write(taskId, NO_MEMORY, record);
      else this.#logUnstored({ failure: error, taskId, record });
    }
  }

  /** Makes this process the worker of the task. */
  #claim(record: TaskRecord): TaskRecord | undefined {
    if (record.worker === this.tasks.worker.id || this.tasks.ledger.isSuperseded(record)) return undefined;
    const scopes = this.tasks.access.findScopes(record);
    return { ...record, worker: this.tasks.worker.id, ...(scopes && { scopes }) };
  }

  async #call(record: TaskRecord, running: RunningTask): Promise<CallOutcome> {
    const { taskId, call } = record;
    const live = this.#live.get(taskId);
    if (live === undefined && call.isLocal === true)
      throw new TypeError('The task can only run in the process that created it');
    const { params } = call;
    const task = { id: taskId, setStatusMessage: (message: string) => running.setStatusMessage(message) };
    const origin = live?.origin ?? restoreOrigin(record);
    const host: CallHost = {
      notify: (...notification) => this.notifier.forward(running.describe(record), ...notification),
      ask: (...request) => running.requestInput(...request),
    };
    const begun = this.link.handle.callTool({ params, origin, task, work: live?.work }, host);
    running.attach(begun);
    const stopClock = this.#endInTime(record, running);
    return begun.outcome.finally(stopClock);
  }

  /**
   * Ends a task when its time to live has passed, even if the store lost it. Returns a function that stops the timer.
   */
  #endInTime({ taskId, expires }: TaskRecord, running: RunningTask): () => void {
    const end = () => running.end('The task exceeded its time to live');
    return callAt(expires, () => void this.#write(taskId, expire).then(end));
  }

  /** Never rejects. A change that cannot be stored is logged. */
  async #write(taskId: string, change: TaskChange, record?: TaskRecord): Promise<void> {
    try {
      await this.#changes.apply(taskId, change);
    } catch (error) {
      this.#logUnstored({ failure: error, taskId, record });
    }
  }

  #logUnstored(failed: TaskFailure): void {
    logTaskFailure(this.#logger, 'A task result could not be stored', failed);
  }
}

/** A task's failure. */
interface TaskFailure {
  readonly failure: unknown;
  readonly taskId: string;
  /** The task, if it could be read. */
  readonly record: TaskRecord | undefined;
}

/** Logs a failure with the properties that log lines about calls have. */
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

/**
 * Identifies the caller for scheduling, where callers take turns. Anonymous callers are distinguished by address,
 * because anyone can open sessions.
 */
function findCaller(
  { owner, sessionId }: Pick<TaskRecord, 'owner' | 'sessionId'>,
  origin: CallOrigin,
): string | undefined {
  return owner === undefined ? (findAnonymousAddress(origin) ?? sessionId) : nameAccount(owner);
}
