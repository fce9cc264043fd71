import type { TaskStore } from './task-store.interface.js';

/** Runs tasks in turn. */
export interface TaskQueue {
  /** Begins to take tasks, once, when the application starts. `run` never rejects. */
  start(run: (taskId: string) => Promise<void>): void | Promise<void>;
  /** Takes a task; it is created when this is called. */
  add(taskId: string): void | Promise<void>;
  /** Takes no more tasks; running ones are being ended. */
  stop(): void | Promise<void>;
  /** Whether waiting tasks outlive the process. @default false */
  readonly isDurable?: boolean;
}

/** Lets tools run as tasks (MCP extension `io.modelcontextprotocol/tasks`). */
export interface TasksOptions {
  /** Milliseconds for which a task is kept after its creation, unless its tool says otherwise. @default 3_600_000 */
  readonly ttlMs?: number;
  /** The longest time to live that a client may ask for, in milliseconds. @default 86_400_000 */
  readonly maximumTtlMs?: number;
  /** Milliseconds between two polls of a client. @default 1_000 */
  readonly pollIntervalMs?: number;
  /** Tasks that run at once in this process; the others wait. @default 32 */
  readonly concurrency?: number;
  /** Unfinished tasks in this process; in memory, as many finished ones are kept too. @default 10_000 */
  readonly maximumTasks?: number;
  /** Unfinished tasks of one identity, or of the strangers at one address; in memory, as many finished ones are kept too. @default 1_000 */
  readonly maximumTasksPerIdentity?: number;
  /** Milliseconds without a sign of life after which the tasks of a process fail, in a store that outlives it. @default 30_000 */
  readonly holderTimeoutMs?: number;
  /** Milliseconds that one operation of the store or the queue may take, at most `callTimeoutMs`; then callers get 503. @default 10_000 */
  readonly storeTimeoutMs?: number;
  /** Milliseconds that the queue and the store have to end when the application shuts down. @default 5_000 */
  readonly closeTimeoutMs?: number;
  /** Keeps the tasks. @default with the engine of `cluster`, without one in memory */
  readonly store?: TaskStore;
  /** Runs the tasks. @default in this process, in the order of their creation */
  readonly queue?: TaskQueue;
}
