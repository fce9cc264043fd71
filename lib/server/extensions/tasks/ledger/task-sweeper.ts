import type { OnApplicationShutdown } from '@nestjs/common';
import { Logger } from '../../../../core/logger/logger.js';
import type { TaskWorkers, TaskRecord } from '../../../settings/extensions/task-store.interface.js';
import type { TasksSettings } from '../../../settings/extensions/tasks-options.js';
import type { TaskRunner } from '../running/task-runner.js';
import { expire, failWith, type TaskChange } from './task-changes.js';
import type { TaskCreation, TaskWorker } from './task-creation.js';
import type { TaskLedger } from './task-ledger.js';
import { logError } from '../../../../core/log/describe-failure.js';

/** The number of lease renewals within a worker timeout. */
const RENEWALS_PER_TIMEOUT = 3;

/** Removes expired tasks, and fails tasks whose worker has ended. */
export class TaskSweeper implements OnApplicationShutdown {
  readonly #logger = new Logger('McpTasks');
  #timer: NodeJS.Timeout | undefined;
  /** When this process last renewed its lease. */
  #renewedAt: number | undefined;
  /** The time until which no worker is considered gone. */
  #graceUntil = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly ledger: TaskLedger,
    private readonly worker: TaskWorker,
    private readonly runner: TaskRunner,
    private readonly creation: TaskCreation,
    private readonly settings: TasksSettings,
  ) {}

  /** Sweeps immediately, and then at intervals. */
  async start(): Promise<void> {
    await this.sweep();
    this.#timer = setInterval(
      () => void this.sweep(),
      this.settings.workerTimeoutMs / RENEWALS_PER_TIMEOUT,
    ).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
  }

  /** Sweeps once. It never rejects, and the next sweep retries failed changes. */
  async sweep(): Promise<void> {
    try {
      const now = Date.now();
      await this.#endOrphans(now);
      await this.ledger.removeExpired(now);
    } catch (error) {
      logError(this.#logger, error, 'Expired or orphaned tasks could not be ended');
    }
  }

  async #endOrphans(now: number): Promise<void> {
    const alive = await this.#findAlive(this.ledger.workers, now);
    const failures: unknown[] = [];
    for (const record of await this.#listOpen()) {
      const end = this.#findEnd(record, { now, alive });
      if (end === undefined) continue;
      // A failed change must neither block the others nor let the task be removed silently.
      await this.ledger.change(record.taskId, end).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0)
      throw new AggregateError(failures, `${failures.length} tasks could not be ended`);
  }

  /** Lists unfinished tasks. Tasks that the store lost, or that another process ended, are forgotten here too. */
  async #listOpen(): Promise<readonly TaskRecord[]> {
    const own = this.creation.listOpen();
    const open = await this.ledger.listOpen();
    const ids = new Set(open.map(({ taskId }) => taskId));
    for (const taskId of own) if (!ids.has(taskId)) this.runner.forget(taskId);
    return open;
  }

  /** Decides whether and how to end a task. */
  #findEnd(
    { taskId, worker, expires, lastUpdatedAt }: TaskRecord,
    { now, alive }: { readonly now: number; readonly alive: ReadonlySet<string> | undefined },
  ): TaskChange | undefined {
    const isOrphan = worker !== undefined && alive !== undefined && !alive.has(worker);
    if (isOrphan) return failWith('The process that ran the task has ended');
    if (expires < now) return expire;
    const isIdle = Date.parse(lastUpdatedAt) < now - this.settings.workerTimeoutMs;
    if (!isIdle || worker !== this.worker.id || this.runner.has(taskId)) return undefined;
    return failWith('The task result could not be stored');
  }

  /** Returns the live workers, or `undefined` if they are unknown or tasks do not outlive the process. */
  async #findAlive(workers: TaskWorkers | undefined, now: number): Promise<ReadonlySet<string> | undefined> {
    if (workers === undefined) return undefined;
    const { workerTimeoutMs } = this.settings;
    const isIntact = await workers.renew(this.worker.id, now + workerTimeoutMs);
    this.#extendGrace();
    // The other workers' leases are lost too, so they are given time to renew them.
    if (isIntact === false) this.#graceUntil = performance.now() + workerTimeoutMs;
    if (performance.now() < this.#graceUntil) return undefined;
    return new Set([...(await workers.list(now)), this.worker.id]);
  }

  /**
   * If this process could not renew its lease, the others may not have been able to either, so they are given time to
   * renew theirs.
   */
  #extendGrace(): void {
    const { workerTimeoutMs } = this.settings;
    const now = performance.now();
    const wasSilent = now - (this.#renewedAt ?? now) > workerTimeoutMs / 2;
    if (wasSilent) this.#graceUntil = now + workerTimeoutMs;
    this.#renewedAt = now;
  }
}
