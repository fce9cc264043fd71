import type { TaskStore } from './task-store.interface.js';

/** Runs tasks in turn. */
export interface TaskQueue {
  /** Begins to take tasks, once, when the application starts. `run` never rejects. */
  start(run: (taskId: string) => Promise<void>): void | Promise<void>;
  /** Takes a task; it is created when this is called. */
  add(taskId: string): void | Promise<void>;
  /** Takes no more tasks; those that run are being ended. */
  stop(): void | Promise<void>;
  /** Whether what waits in it outlives the process. @default false */
  readonly isDurable?: boolean;
}

/** Lets tools run as tasks (MCP extension `io.modelcontextprotocol/tasks`). */
export interface TasksOptions {
  /** Milliseconds from its creation that a task is kept, if its tool does not say. @default 3_600_000 */
  readonly ttlMs?: number;
  /** The longest time to live that a client may ask for, in milliseconds. @default 86_400_000 */
  readonly maximumTtlMs?: number;
  /** Milliseconds that clients are asked to leave between two looks at a task. @default 1_000 */
  readonly pollIntervalMs?: number;
  /** Tasks that run at once in this process; the others wait. @default 32 */
  readonly concurrency?: number;
  /** Tasks that may be under way in this process; in memory, so many that are over are kept besides. @default 10_000 */
  readonly maximumTasks?: number;
  /** Tasks that one identity, or the strangers at one address, may have under way; in memory, so many of theirs that are over are kept besides. @default 1_000 */
  readonly maximumTasksPerIdentity?: number;
  /** Milliseconds without a sign of life after which the tasks of a process are taken for lost, in a store that outlives it. @default 30_000 */
  readonly holderTimeoutMs?: number;
  /** Milliseconds that the store or the queue may take for one thing, and `callTimeoutMs` at most; then whoever waits gets 503. @default 10_000 */
  readonly storeTimeoutMs?: number;
  /** Milliseconds that the queue and the store have to end when the application shuts down. @default 5_000 */
  readonly closeTimeoutMs?: number;
  /** Keeps the tasks. @default with the engine of `cluster`, without one in memory */
  readonly store?: TaskStore;
  /** Runs the tasks. @default in this process, in the order of their creation */
  readonly queue?: TaskQueue;
}
