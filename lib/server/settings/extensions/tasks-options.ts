import { methods, milliseconds, positive } from '../../../core/checks/option-checks.js';
import { optionGroup, type Settings } from '../../../core/checks/option-group.js';
import type { TaskStore } from './task-store.interface.js';

/** A queue that decides when tasks run. */
export interface TaskQueue {
  /** Starts the queue. It is called once, when the application starts. `run` never rejects. */
  start(run: (taskId: string) => Promise<void>): void | Promise<void>;
  /** Adds a new task. */
  add(taskId: string): void | Promise<void>;
  /** Stops starting tasks. The server ends the running ones. */
  stop(): void | Promise<void>;
  /** Whether waiting tasks outlive the process. @default false */
  readonly isDurable?: boolean;
}

/** Lets tools run as tasks (MCP extension `io.modelcontextprotocol/tasks`). */
export interface TasksOptions {
  /**
   * How long a task is retained after its creation, in milliseconds, unless its tool sets a different time.
   * @default 3_600_000
   */
  readonly ttlMs?: number;
  /** The longest time to live that a client may request, in milliseconds. @default 86_400_000 */
  readonly maxTtlMs?: number;
  /** The polling interval that the server suggests to clients, in milliseconds. @default 1_000 */
  readonly pollIntervalMs?: number;
  /** The maximum number of tasks that run concurrently in this process. Others wait. @default 32 */
  readonly concurrency?: number;
  /**
   * The maximum number of unfinished tasks in this process. In memory, the same number of finished tasks is retained.
   * @default 10_000
   */
  readonly maxTasks?: number;
  /**
   * The maximum number of unfinished tasks per caller, or of all anonymous callers at one address. In memory, the
   * same number of finished tasks is retained.
   * @default 1_000
   */
  readonly maxTasksPerCaller?: number;
  /**
   * Milliseconds after which an unresponsive process is considered gone and its tasks fail, if the store outlives it.
   * @default 30_000
   */
  readonly workerTimeoutMs?: number;
  /**
   * The timeout of one store or queue operation in milliseconds, at most `callTimeoutMs`. When it expires, callers
   * receive 503.
   * @default 10_000
   */
  readonly storeTimeoutMs?: number;
  /** The timeout for the queue and the store at shutdown, in milliseconds. @default 5_000 */
  readonly closeTimeoutMs?: number;
  /**
   * The task store.
   * @default the store of the `cluster` backend, or memory without a cluster
   * @see docs/tasks.md, "Custom task stores"
   */
  readonly store?: TaskStore;
  /** The task queue. @default in this process, in creation order @see docs/tasks.md, "Custom queues" */
  readonly queue?: TaskQueue;
}

/** The task options with all defaults applied. A missing store or queue is created later. */
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
