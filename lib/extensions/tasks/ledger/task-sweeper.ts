import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { SERVER_SETTINGS } from '../../../settings/mcp.constants.js';
import type { ServerSettings } from '../../../settings/server-settings.js';
import type { TaskHolders } from '../../../settings/task-store.interface.js';
import { buildTasksSettings } from '../../../settings/tasks-settings.js';
import { HOLDER } from './holder.js';
import { expire, giveUp } from './task-changes.js';
import { TaskLedger } from './task-ledger.js';

/** Signs of life within the time after which a process is taken for gone. */
const SIGNS_OF_LIFE = 3;

/** Removes tasks that expired, and ends those whose process is gone: nobody would finish them. */
@Injectable()
export class TaskSweeper implements OnModuleDestroy {
  readonly #logger = new Logger('McpTasks');
  readonly #holderTimeoutMs: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly ledger: TaskLedger,
    @Inject(SERVER_SETTINGS) { tasks = buildTasksSettings(true) }: ServerSettings,
  ) {
    this.#holderTimeoutMs = tasks.holderTimeoutMs;
  }

  /** Begins to sweep: once at once, then again and again. */
  async start(): Promise<void> {
    await this.sweep();
    this.#timer = setInterval(() => void this.sweep(), this.#holderTimeoutMs / SIGNS_OF_LIFE).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.#timer);
  }

  /** Sweeps once; it never rejects, since a store that fails now may do better the next time. */
  async sweep(): Promise<void> {
    try {
      const now = Date.now();
      await this.#endLost(now);
      await this.ledger.removeExpired();
    } catch (error) {
      this.#logger.error('Tasks that expired could not be removed', error);
    }
  }

  async #endLost(now: number): Promise<void> {
    const alive = await this.#findAlive(this.ledger.holders, now);
    for (const { taskId, expires, holder } of await this.ledger.listOpen()) {
      const isLost = alive !== undefined && holder !== undefined && !alive.has(holder);
      if (isLost) await this.ledger.change(taskId, giveUp('The process that ran the task is gone'));
      else if (expires < now) await this.ledger.change(taskId, expire);
    }
  }

  /** Gives the processes that live; nothing where tasks do not outlive this one. */
  async #findAlive(holders: TaskHolders | undefined, now: number): Promise<ReadonlySet<string> | undefined> {
    if (holders === undefined) return undefined;
    await holders.renew(HOLDER, now + this.#holderTimeoutMs);
    return new Set(await holders.list(now));
  }
}
