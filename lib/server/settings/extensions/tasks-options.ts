import { methods, milliseconds, positive } from '../../../core/checks/option-checks.js';
import { optionGroup, type Settings } from '../../../core/checks/option-group.js';
import type { TaskStore } from './task-store.interface.js';

/** Runs tasks in turn. */
export interface TaskQueue {
  /** Begins to take tasks. It is called once, when the application starts. `run` never rejects. */
  start(run: (taskId: string) => Promise<void>): void | Promise<void>;
  /** Takes a task that has just been created. */
  add(taskId: string): void | Promise<void>;
  /** Stops taking tasks. The server ends the running ones. */
  stop(): void | Promise<void>;
  /** Whether waiting tasks outlive the process. @default false */
  readonly isDurable?: boolean;
}

/** Lets tools run as tasks (MCP extension `io.modelcontextprotocol/tasks`). */
export interface TasksOptions {
  /** Milliseconds for which a task is kept after its creation, unless its tool sets another time. @default 3_600_000 */
  readonly ttlMs?: number;
  /** The longest time to live that a client may ask for, in milliseconds. @default 86_400_000 */
  readonly maxTtlMs?: number;
  /** Milliseconds between two polls of a client. @default 1_000 */
  readonly pollIntervalMs?: number;
  /** Tasks that run at once in this process. Others wait. @default 32 */
  readonly concurrency?: number;
  /** The most unfinished tasks in this process. In memory, the same number of finished tasks is kept too. @default 10_000 */
  readonly maxTasks?: number;
  /**
   * The most unfinished tasks of one caller, or of all unknown callers at one address. In memory, the same number of
   * finished tasks is kept too.
   * @default 1_000
   */
  readonly maxTasksPerCaller?: number;
  /** Milliseconds without a sign of life after which the tasks of a process fail, if the store outlives the process. @default 30_000 */
  readonly workerTimeoutMs?: number;
  /**
   * Milliseconds that one operation of the store or the queue may take, at most `callTimeoutMs`. After that, callers
   * get 503.
   * @default 10_000
   */
  readonly storeTimeoutMs?: number;
  /** Milliseconds that the queue and the store may take to end when the application shuts down. @default 5_000 */
  readonly closeTimeoutMs?: number;
  /** Keeps the tasks. @default with the engine of `cluster`, without one in memory @see docs/tasks.md, "Your own store" */
  readonly store?: TaskStore;
  /** Runs the tasks. @default in this process, in the order of their creation @see docs/tasks.md, "Your own queue" */
  readonly queue?: TaskQueue;
}

/** The options of tasks with every default filled in. A missing store or queue is created. */
export type TasksSettings = Settings<TasksOptions, 'store' | 'queue'>;

export const TASKS = optionGroup<TasksOptions, 'store' | 'queue'>({
  ttlMs: [positive, 60 * 60_000],
  maxTtlMs: [positive, 24 * 60 * 60_000],
  pollIntervalMs: [milliseconds, 1000],
  concurrency: [positive, 32],
  maxTasks: [positive, 10_000],
  maxTasksPerCaller: [positive, 1000],
  workerTimeoutMs: [milliseconds, 30_000],
  storeTimeoutMs: [milliseconds, 10_000],
  closeTimeoutMs: [milliseconds, 5000],
  store: methods('create', 'find', 'replace', 'list', 'listOpen', 'removeExpired'),
  queue: methods('start', 'add', 'stop'),
});
