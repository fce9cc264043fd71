import type { OnApplicationShutdown } from '@nestjs/common';
import { Logger } from '../../../../core/logger/logger.js';
import type { TaskWorkers, TaskRecord } from '../../../settings/extensions/task-store.interface.js';
import type { TasksSettings } from '../../../settings/extensions/tasks-options.js';
import type { TaskRunner } from '../running/task-runner.js';
import { expire, giveUp, type TaskChange } from './task-changes.js';
import type { TaskCreation, TaskHolder } from './task-creation.js';
import type { TaskLedger } from './task-ledger.js';
import { logFault } from '../../../../core/log/log-fault.js';

/** Signs of life within the time after which a process is taken for gone. */
const SIGNS_OF_LIFE = 3;

/** Removes tasks that expired, and ends those whose process is gone: nobody would finish them. */
export class TaskSweeper implements OnApplicationShutdown {
  readonly #logger = new Logger('McpTasks');
  #timer: NodeJS.Timeout | undefined;
  /** When this process last said that it lives. */
  #saidAt: number | undefined;
  /** Until when nobody is taken for gone. */
  #sparedUntil = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly ledger: TaskLedger,
    private readonly holder: TaskHolder,
    private readonly runner: TaskRunner,
    private readonly creation: TaskCreation,
    private readonly settings: TasksSettings,
  ) {}

  /** Begins to sweep: once at once, then again and again. */
  async start(): Promise<void> {
    await this.sweep();
    this.#timer = setInterval(() => void this.sweep(), this.settings.workerTimeoutMs / SIGNS_OF_LIFE).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
  }

  /** Sweeps once; it never rejects, since a store that fails now may do better the next time. */
  async sweep(): Promise<void> {
    try {
      const now = Date.now();
      await this.#endLost(now);
      await this.ledger.removeExpired(now);
    } catch (error) {
      logFault(this.#logger, error, 'Tasks that expired, or were lost, could not be ended');
    }
  }

  async #endLost(now: number): Promise<void> {
    const alive = await this.#findAlive(this.ledger.holders, now);
    const failures: unknown[] = [];
    for (const record of await this.#listOpen()) {
      const end = this.#findEnd(record, { now, alive });
      if (end === undefined) continue;
      // What cannot be ended now must not keep others from it, nor be removed unseen.
      await this.ledger.change(record.taskId, end).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0)
      throw new AggregateError(failures, `${failures.length} tasks could not be ended`);
  }

  /** Lists what is not over. A store may lose tasks, and another process end them, without a word: those are forgotten here too. */
  async #listOpen(): Promise<readonly TaskRecord[]> {
    const own = this.creation.listOpen();
    const open = await this.ledger.listOpen();
    const ids = new Set(open.map(({ taskId }) => taskId));
    for (const taskId of own) if (!ids.has(taskId)) this.runner.forget(taskId);
    return open;
  }

  /** Finds out whether a task is to be ended, and how. */
  #findEnd(
    { taskId, holder, expires, lastUpdatedAt }: TaskRecord,
    { now, alive }: { readonly now: number; readonly alive: ReadonlySet<string> | undefined },
  ): TaskChange | undefined {
    const isOrphan = holder !== undefined && alive !== undefined && !alive.has(holder);
    if (isOrphan) return giveUp('The process that ran the task is gone');
    if (expires < now) return expire;
    const isIdle = Date.parse(lastUpdatedAt) < now - this.settings.workerTimeoutMs;
    if (!isIdle || holder !== this.holder.id || this.runner.has(taskId)) return undefined;
    return giveUp('The result of the task could not be stored');
  }

  /** Returns the processes that live, or `undefined` if tasks do not outlive this one, or it is not known. */
  async #findAlive(holders: TaskWorkers | undefined, now: number): Promise<ReadonlySet<string> | undefined> {
    if (holders === undefined) return undefined;
    const { workerTimeoutMs } = this.settings;
    const isKept = await holders.renew(this.holder.id, now + workerTimeoutMs);
    this.#spareAfterSilence();
    // What others said is lost too, also of those that are not known here yet.
    if (isKept === false) this.#sparedUntil = performance.now() + workerTimeoutMs;
    if (performance.now() < this.#sparedUntil) return undefined;
    return new Set([...(await holders.list(now)), this.holder.id]);
  }

  /** While this process could not say that it lives, the others may not have been able to: they get time to say so. */
  #spareAfterSilence(): void {
    const { workerTimeoutMs } = this.settings;
    const now = performance.now();
    const wasSilent = now - (this.#saidAt ?? now) > workerTimeoutMs / 2;
    if (wasSilent) this.#sparedUntil = now + workerTimeoutMs;
    this.#saidAt = now;
  }
}
