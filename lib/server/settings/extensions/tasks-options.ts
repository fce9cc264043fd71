import { methods, milliseconds, positive } from '../../../core/checks/option-checks.js';
import { optionGroup, type Settings } from '../../../core/checks/option-group.js';
import type { TaskStore } from './task-store.interface.js';

/** Decides when tasks run. */
export interface TaskQueue {
  /** Starts the queue. It is called once, when the application starts. `run` never rejects. */
  start(run: (taskId: string) => Promise<void>): void | Promise<void>;
  /** Adds a new task. */
  add(taskId: string): void | Promise<void>;
  /** Stops running tasks. The server ends the running ones. */
  stop(): void | Promise<void>;
  /** Whether waiting tasks outlive the process. @default false */
  readonly isDurable?: boolean;
}

/** Lets tools run as tasks (MCP extension `io.modelcontextprotocol/tasks`). */
export interface TasksOptions {
  /**
   * Milliseconds for which a task is retained after its creation, unless its tool sets another time.
   * @default 3_600_000
   */
  readonly ttlMs?: number;
  /** The longest time to live that a client may request, in milliseconds. @default 86_400_000 */
  readonly maxTtlMs?: number;
  /** Milliseconds between two polls of a client. @default 1_000 */
  readonly pollIntervalMs?: number;
  /** The most tasks that run concurrently in this process. Others wait. @default 32 */
  readonly concurrency?: number;
  /**
   * The most unfinished tasks in this process. In memory, the same number of finished tasks is retained.
   * @default 10_000
   */
  readonly maxTasks?: number;
  /**
   * The most unfinished tasks of one caller, or of all anonymous callers at one address. In memory, the same number of
   * finished tasks is retained.
   * @default 1_000
   */
  readonly maxTasksPerCaller?: number;
  /**
   * Milliseconds after which an unresponsive process counts as gone and its tasks fail, if the store outlives it.
   * @default 30_000
   */
  readonly workerTimeoutMs?: number;
  /**
   * The timeout of one operation of the store or the queue in milliseconds, at most `callTimeoutMs`. Callers then get
   * 503.
   * @default 10_000
   */
  readonly storeTimeoutMs?: number;
  /** The timeout of the queue and the store at shutdown, in milliseconds. @default 5_000 */
  readonly closeTimeoutMs?: number;
  /**
   * The store of tasks.
   * @default the store of the `cluster` backend, or memory without a cluster
   * @see docs/tasks.md, "Your own store"
   */
  readonly store?: TaskStore;
  /** The queue of tasks. @default in this process, in the order of creation @see docs/tasks.md, "Your own queue" */
  readonly queue?: TaskQueue;
}

/** The options of tasks with all defaults applied. A missing store or queue is created later. */
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
