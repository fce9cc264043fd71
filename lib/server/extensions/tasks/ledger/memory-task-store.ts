import type { MemoryAccount } from '../../../memory/memory-account.js';
import type { MemoryBudget, MemoryKeeper } from '../../../memory/memory-budget.js';
import { HeapCost } from '../../../memory/heap-costs.js';
import type { MemoryHold } from '../../../memory/memory-hold.js';
import { MemoryLimitError } from '../../../memory/memory-limit.error.js';
import type {
  TaskRecord,
  TaskSelection,
  TaskStore,
} from '../../../settings/extensions/task-store.interface.js';
import { KeptTask } from './kept-task.js';

/** Keeps tasks in this process: they are gone with it. */
export class MemoryTaskStore implements TaskStore, MemoryKeeper {
  readonly #tasks = new Map<string, KeptTask>();
  /** The tasks that are over, as they ended. */
  readonly #over = new Set<string>();
  /** Count what the tasks of each owner take. */
  readonly #holds = new Map<string | undefined, MemoryHold>();

  /**
   * @param mostOver how many tasks are kept that are over: the oldest of them go first
   * @param memory bounds what they take
   */
  constructor(
    private readonly mostOver = 10_000,
    private readonly memory?: MemoryBudget,
  ) {
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

  async list({ owner, sessionId, after, limit }: TaskSelection): Promise<readonly TaskRecord[]> {
    return [...this.#tasks.values()]
      .filter((task) =>
        owner === undefined ? task.owner === undefined && task.sessionId === sessionId : task.owner === owner,
      )
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
    if (task.isOver) this.#limitOver(taskId);
  }

  #add(owner: string | undefined, bytes: number): void {
    const hold = this.#holds.get(owner);
    if (hold !== undefined) hold.add(bytes);
    else if (this.memory !== undefined) this.#holds.set(owner, this.memory.hold({ identity: owner }, bytes));
  }

  /** Counts memory; where there is none, the oldest tasks of the same owner that are over make room. */
  #makeRoom(owner: string | undefined, bytes: number): void {
    for (;;) {
      try {
        return this.#add(owner, bytes);
      } catch (error) {
        const oldest = isPassing(error) ? this.#findOldestOver(owner) : undefined;
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

  #findOldestOver(owner: string | undefined): string | undefined {
    for (const taskId of this.#over) if (this.#tasks.get(taskId)?.owner === owner) return taskId;
    return undefined;
  }

  #limitOver(taskId: string): void {
    this.#over.add(taskId);
    const [oldest] = this.#over;
    if (this.#over.size > this.mostOver && oldest !== undefined) this.#remove(oldest);
  }

  #remove(taskId: string): void {
    const task = this.#tasks.get(taskId);
    if (task === undefined) return;
    this.#tasks.delete(taskId);
    this.#over.delete(taskId);
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

type Position = NonNullable<TaskSelection['after']>;

/** Orders tasks by when they were created. */
function compare(one: Position, other: Position): number {
  if (one.createdAt !== other.createdAt) return one.createdAt < other.createdAt ? -1 : 1;
  if (one.taskId === other.taskId) return 0;
  return one.taskId < other.taskId ? -1 : 1;
}
