import type { MemoryAccount } from '../../../memory/memory-account.js';
import type { MemoryBudget, MemoryKeeper } from '../../../memory/memory-budget.js';
import { HeapCost } from '../../../memory/heap-costs.js';
import type { MemoryHold, MemoryNeed } from '../../../memory/memory-hold.js';
import { MemoryLimitError } from '../../../memory/memory-limit.error.js';
import type {
  TaskRecord,
  TaskSelection,
  TaskStore,
} from '../../../settings/extensions/task-store.interface.js';
import { EndedTasks, type EndedTaskBounds } from './ended-tasks.js';
import { KeptTask } from './kept-task.js';

/** Keeps tasks in this process: they are gone with it. */
export class MemoryTaskStore implements TaskStore, MemoryKeeper {
  readonly #tasks = new Map<string, KeptTask>();
  readonly #ended: EndedTasks;
  /** Count what the tasks of each owner take. */
  readonly #holds = new Map<string | undefined, MemoryHold>();

  /**
   * @param bounds how many tasks are kept that are over
   * @param memory bounds what they take
   */
  constructor(
    { all = 10_000, perOwner = all }: Partial<EndedTaskBounds> = {},
    private readonly memory?: MemoryBudget,
  ) {
    this.#ended = new EndedTasks({ all, perOwner });
    memory?.addKeeper(this);
  }

  /** @throws {MemoryLimitError} where there is no memory for it */
  async create(record: TaskRecord): Promise<void> {
    this.#keep(record);
  }

  async find(taskId: string): Promise<TaskRecord | undefined> {
    return this.#tasks.get(taskId)?.record;
  }

  /** @throws {MemoryLimitError} where there is no memory for it */
  async replace(record: TaskRecord): Promise<boolean> {
    if (this.#tasks.get(record.taskId)?.version !== record.version - 1) return false;
    this.#keep(record);
    return true;
  }

  async list({ owner, sessionId, scopes, after, limit }: TaskSelection): Promise<readonly TaskRecord[]> {
    return [...this.#tasks.values()]
      .filter((task) =>
        owner === undefined ? task.owner === undefined && task.sessionId === sessionId : task.owner === owner,
      )
      .filter((task) => !isBeyond(task, scopes))
      .filter((task) => after === undefined || compare(task, after) > 0)
      .toSorted(compare)
      .slice(0, limit)
      .map(({ record }) => record);
  }

  async listOpen(): Promise<readonly TaskRecord[]> {
    return [...this.#tasks.values()].filter((task) => !task.isOver).map(({ record }) => record);
  }

  async removeExpired(before: number): Promise<void> {
    for (const { taskId, expires } of this.#tasks.values()) {
      if (expires < before) this.#remove(taskId);
    }
  }

  /** Gives up tasks that are over, the oldest first of whoever has most. */
  giveUp(account: MemoryAccount, { bytes }: MemoryNeed): void {
    const owners = [...this.#holds]
      .filter(([, hold]) => hold.account.isWithin(account))
      .toSorted(([, one], [, other]) => other.bytes - one.bytes);
    for (const [owner] of owners) {
      for (
        let oldest = this.#ended.findOldest({ owner });
        oldest;
        oldest = this.#ended.findOldest({ owner })
      ) {
        if (account.hasRoomFor(bytes)) return;
        this.#remove(oldest);
      }
    }
  }

  findEnd(account: MemoryAccount): number | undefined {
    let end: number | undefined;
    for (const { expires, owner } of this.#tasks.values()) {
      const isCounted = this.#holds.get(owner)?.account.isWithin(account) === true;
      if (isCounted) end = Math.min(end ?? expires, expires);
    }
    return end;
  }

  #keep(record: TaskRecord): void {
    const { taskId, owner } = record;
    const task = new KeptTask(record);
    this.#makeRoom(owner, countChange(this.#tasks.get(taskId), task));
    this.#tasks.set(taskId, task);
    if (!task.isOver) return;
    const surplus = this.#ended.add(task);
    if (surplus !== undefined) this.#remove(surplus);
  }

  #add(owner: string | undefined, bytes: number): void {
    const hold = this.#holds.get(owner);
    if (hold !== undefined) hold.add(bytes);
    else if (this.memory !== undefined) this.#holds.set(owner, this.memory.hold({ identity: owner }, bytes));
  }

  /** Counts memory; if there is none, the oldest tasks of the same owner that are over make room. */
  #makeRoom(owner: string | undefined, bytes: number): void {
    for (;;) {
      try {
        return this.#add(owner, bytes);
      } catch (error) {
        const oldest = isPassing(error) ? this.#ended.findOldest({ owner }) : undefined;
        if (oldest === undefined) throw error;
        this.#remove(oldest);
      }
    }
  }

  #give(owner: string | undefined, bytes: number): void {
    const hold = this.#holds.get(owner);
    hold?.add(bytes);
    if (hold?.bytes !== 0) return;
    hold.release();
    this.#holds.delete(owner);
  }

  #remove(taskId: string): void {
    const task = this.#tasks.get(taskId);
    if (task === undefined) return;
    this.#tasks.delete(taskId);
    this.#ended.remove(task);
    this.#give(task.owner, countChange(task, undefined));
  }
}

/** Tells whether there will be memory once others have less. */
function isPassing(error: unknown): boolean {
  return error instanceof MemoryLimitError && error.retryAfterSeconds !== undefined;
}

/** Counts what a change of a task takes more, or less. */
function countChange(before: KeptTask | undefined, after: KeptTask | undefined): number {
  const count = (task: KeptTask | undefined): number => (task === undefined ? 0 : HeapCost.task + task.bytes);
  return count(after) - count(before);
}

/** Tells whether a task requires more than some scopes. */
function isBeyond({ scopes }: KeptTask, held: TaskSelection['scopes']): boolean {
  return held !== undefined && scopes?.some((scope) => !held.includes(scope)) === true;
}

type Position = NonNullable<TaskSelection['after']>;

/** Orders tasks by when they were created. */
function compare(one: Position, other: Position): number {
  if (one.createdAt !== other.createdAt) return one.createdAt < other.createdAt ? -1 : 1;
  if (one.taskId === other.taskId) return 0;
  return one.taskId < other.taskId ? -1 : 1;
}
