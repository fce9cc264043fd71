import { TokenBuckets } from '../../../../core/async/rate-limits.js';
import { nameAccount } from '../../../memory/memory-account.js';
import { type ClusterBus, Topic } from '../../../cluster/cluster-bus.js';
import type { TaskRecord } from '../../../settings/extensions/task-store.interface.js';
import { isOver } from './task-changes.js';

/** A version of a task. */
interface Changed {
  readonly taskId: string;
  readonly version: number;
  /** Whether the task is finished. @default unknown */
  readonly isEnd?: boolean | undefined;
}

/** Notifies other processes that a task changed. The other processes read it from the store. */
const CHANGED = new Topic<Changed>('task.changed');

/** Notifies other processes that several tasks changed. */
const MANY_CHANGED = new Topic<{ readonly tasks: readonly Changed[] }>(
  'tasks.changed',
  ({ tasks }: object & { tasks?: unknown }) => Array.isArray(tasks),
);

/** The number of log entries that one account's tasks may cause. Further changes are published in batches. */
const CALLER_RATE = { burst: 200, perSecond: 2 };

/** How long changes are collected, in milliseconds, and the maximum number of tasks in a batch. */
const BATCH_MS = 250;
const MAX_BATCH = 1000;

/** Milliseconds between two reads of tasks whose changes this process may have missed. */
const REFRESH_MS = 1000;

/** The parts of a task broadcast. */
export interface TaskBroadcastParts {
  readonly bus: ClusterBus;
  /** Reads a task and publishes it here. Rejects if the store fails. */
  readonly refresh: (taskId: string) => Promise<void>;
  /** Returns whether a version was already published here. */
  readonly isPublished: (taskId: string, version: number) => boolean;
  /** Records a task's newest version. */
  readonly note: (taskId: string, version: number, isEnd: boolean) => void;
}

/**
 * Notifies the server's other processes of changed tasks, and reads their changes to tasks that are followed here.
 * While the cluster is unavailable, followed tasks are polled.
 */
export class TaskBroadcast {
  /** The number of followers of each task. */
  readonly #followed = new Map<string, number>();
  /** Followed tasks that changed but could not be read. */
  readonly #missed = new Set<string>();
  readonly #unsubscribers: readonly (() => void)[];
  readonly #allowances = new TokenBuckets(CALLER_RATE);
  /** The newest unpublished version of each task. */
  readonly #pending = new Map<string, Changed>();
  #pendingTimer: NodeJS.Timeout | undefined;
  #followingAll = 0;
  #timer: NodeJS.Timeout | undefined;
  #isRefreshing = false;

  constructor(private readonly parts: TaskBroadcastParts) {
    const { bus } = parts;
    this.#unsubscribers = [
      bus.on(CHANGED, (changed) => this.#receive(changed)),
      bus.on(MANY_CHANGED, ({ tasks }) => {
        for (const changed of tasks) this.#receive(changed);
      }),
      bus.onGap(() => this.#missAll()),
    ];
  }

  close(): void {
    for (const leave of this.#unsubscribers) leave();
    clearInterval(this.#timer);
    this.#publishPending();
  }

  /**
   * Publishes a change: immediately, or in a batch with only the last version if the owner's tasks change too often.
   */
  publish(record: TaskRecord): void {
    const { bus } = this.parts;
    if (!bus.isShared) return;
    const { taskId, version, owner = '' } = record;
    const changed = { taskId, version, ...(isOver(record) && { isEnd: true }) };
    if (this.#pending.has(taskId) || !this.#allowances.take(nameAccount(owner))) this.#defer(changed);
    else bus.publish(CHANGED, changed);
  }

  /** Subscribes to changes to a task by any process. Returns a function that unsubscribes. */
  follow(taskId: string): () => void {
    if (!this.parts.bus.isShared) return nothing;
    this.#followed.set(taskId, (this.#followed.get(taskId) ?? 0) + 1);
    this.#timer ??= setInterval(() => void this.#refreshMissed(), REFRESH_MS).unref();
    let isFollowing = true;
    return () => {
      if (isFollowing) this.#unfollow(taskId);
      isFollowing = false;
    };
  }

  /** Subscribes to changes to all tasks. Returns a function that unsubscribes. */
  followAll(): () => void {
    this.#followingAll += 1;
    return () => void (this.#followingAll -= 1);
  }

  #defer(changed: Changed): void {
    this.#pending.set(changed.taskId, changed);
    if (this.#pending.size >= MAX_BATCH) return this.#publishPending();
    this.#pendingTimer ??= setTimeout(() => this.#publishPending(), BATCH_MS).unref();
  }

  #publishPending(): void {
    clearTimeout(this.#pendingTimer);
    this.#pendingTimer = undefined;
    if (this.#pending.size === 0) return;
    const tasks = [...this.#pending.values()];
    this.#pending.clear();
    this.parts.bus.publish(MANY_CHANGED, { tasks });
  }

  #unfollow(taskId: string): void {
    const others = (this.#followed.get(taskId) ?? 1) - 1;
    if (others > 0) return void this.#followed.set(taskId, others);
    this.#followed.delete(taskId);
    this.#missed.delete(taskId);
    if (this.#followed.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #receive({ taskId, version, isEnd = false }: Changed): void {
    this.parts.note(taskId, version, isEnd);
    const isWanted = this.#followingAll > 0 || this.#followed.has(taskId);
    if (!isWanted || this.parts.isPublished(taskId, version)) return;
    this.parts.refresh(taskId).catch(() => this.#miss(taskId));
  }

  #miss(taskId: string): void {
    if (this.#followed.has(taskId)) this.#missed.add(taskId);
  }

  #missAll(): void {
    for (const taskId of this.#followed.keys()) this.#missed.add(taskId);
  }

  /** Reads the tasks one at a time. If the store fails, the rest are read the next time. */
  async #refreshMissed(): Promise<void> {
    if (this.#isRefreshing) return;
    if (!this.parts.bus.isConnected) this.#missAll();
    this.#isRefreshing = true;
    try {
      for (const taskId of [...this.#missed]) {
        await this.parts.refresh(taskId);
        this.#missed.delete(taskId);
      }
    } catch {
      // Retried the next time.
    } finally {
      this.#isRefreshing = false;
    }
  }
}

function nothing(): void {}
