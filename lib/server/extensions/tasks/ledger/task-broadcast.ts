import { Allowances } from '../../../../core/waiting/allowances.js';
import { nameAccount } from '../../../memory/memory-account.js';
import { type ClusterBus, Topic } from '../../../cluster/cluster-bus.js';
import type { TaskRecord } from '../../../settings/extensions/task-store.interface.js';
import { isOver } from './task-changes.js';

/** A version of a task. */
interface Changed {
  readonly taskId: string;
  readonly version: number;
  /** Whether the task is over. @default not known */
  readonly isEnd?: boolean | undefined;
}

/** That a task changed, and no more: other processes read it where it is kept. */
const CHANGED = new Topic<Changed>('task.changed');

/** That several did. */
const MANY_CHANGED = new Topic<{ readonly tasks: readonly Changed[] }>(
  'tasks.changed',
  ({ tasks }: object & { tasks?: unknown }) => Array.isArray(tasks),
);

/** Log entries that the tasks of one owner may cause, for all keys of the owner together. Further changes are announced together. */
const OF_AN_OWNER = { atOnce: 200, perSecond: 2 };

/** Milliseconds for which changes are collected, and the most tasks in one announcement. */
const COLLECTING_MS = 250;
const AT_ONCE = 1000;

/** Milliseconds between two looks at tasks of whose changes this process may not have been told. */
const LOOK_AGAIN_MS = 1000;

/** The parts that announcements need. */
export interface TaskNewsParts {
  readonly bus: ClusterBus;
  /** Reads a task and tells this process of it; rejects if its store fails. */
  readonly look: (taskId: string) => Promise<void>;
  /** Tells whether this process was told about a version already. */
  readonly isTold: (taskId: string, version: number) => boolean;
  /** Notes which version there is. */
  readonly note: (taskId: string, version: number, isEnd: boolean) => void;
}

/**
 * Tells the other processes of a server that a task changed, and reads their changes of tasks that somebody follows
 * here. If they are out of reach, it looks at these again and again.
 */
export class TaskNews {
  /** How many follow each task. */
  readonly #followed = new Map<string, number>();
  /** Tasks that changed, and could not be read. */
  readonly #missed = new Set<string>();
  readonly #leave: readonly (() => void)[];
  readonly #ofOwners = new Allowances(OF_AN_OWNER);
  /** The newest version of each task that is still to be told about. */
  readonly #collected = new Map<string, Changed>();
  #collecting: NodeJS.Timeout | undefined;
  #followingAll = 0;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;

  constructor(private readonly parts: TaskNewsParts) {
    const { bus } = parts;
    this.#leave = [
      bus.on(CHANGED, (changed) => this.#hear(changed)),
      bus.on(MANY_CHANGED, ({ tasks }) => {
        for (const changed of tasks) this.#hear(changed);
      }),
      bus.onGap(() => this.#missAll()),
    ];
  }

  close(): void {
    for (const leave of this.#leave) leave();
    clearInterval(this.#timer);
    this.#tellCollected();
  }

  /** Tells the other processes, soon if the tasks of the owner change all the time: the last version counts then. */
  tell(record: TaskRecord): void {
    const { bus } = this.parts;
    if (!bus.isShared) return;
    const { taskId, version, owner = '' } = record;
    const changed = { taskId, version, ...(isOver(record) && { isEnd: true }) };
    if (this.#collected.has(taskId) || !this.#ofOwners.take(nameAccount(owner))) this.#collect(changed);
    else bus.publish(CHANGED, changed);
  }

  /** Subscribes to changes of a task by anybody. Returns a function that ends this. */
  follow(taskId: string): () => void {
    if (!this.parts.bus.isShared) return nothing;
    this.#followed.set(taskId, (this.#followed.get(taskId) ?? 0) + 1);
    this.#timer ??= setInterval(() => void this.#lookAgain(), LOOK_AGAIN_MS).unref();
    let isFollowing = true;
    return () => {
      if (isFollowing) this.#unfollow(taskId);
      isFollowing = false;
    };
  }

  /** Subscribes to changes of every task. Returns a function that ends this. */
  followAll(): () => void {
    this.#followingAll += 1;
    return () => void (this.#followingAll -= 1);
  }

  #collect(changed: Changed): void {
    this.#collected.set(changed.taskId, changed);
    if (this.#collected.size >= AT_ONCE) return this.#tellCollected();
    this.#collecting ??= setTimeout(() => this.#tellCollected(), COLLECTING_MS).unref();
  }

  #tellCollected(): void {
    clearTimeout(this.#collecting);
    this.#collecting = undefined;
    if (this.#collected.size === 0) return;
    const tasks = [...this.#collected.values()];
    this.#collected.clear();
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

  #hear({ taskId, version, isEnd = false }: Changed): void {
    this.parts.note(taskId, version, isEnd);
    const isWanted = this.#followingAll > 0 || this.#followed.has(taskId);
    if (!isWanted || this.parts.isTold(taskId, version)) return;
    this.parts.look(taskId).catch(() => this.#miss(taskId));
  }

  #miss(taskId: string): void {
    if (this.#followed.has(taskId)) this.#missed.add(taskId);
  }

  #missAll(): void {
    for (const taskId of this.#followed.keys()) this.#missed.add(taskId);
  }

  /** Looks in turn: a store that fails is not asked for the rest, and what was not read is looked at the next time. */
  async #lookAgain(): Promise<void> {
    if (this.#isLooking) return;
    if (!this.parts.bus.isConnected) this.#missAll();
    this.#isLooking = true;
    try {
      for (const taskId of [...this.#missed]) {
        await this.parts.look(taskId);
        this.#missed.delete(taskId);
      }
    } catch {
      // The store may do better the next time.
    } finally {
      this.#isLooking = false;
    }
  }
}

function nothing(): void {}
