import { selectTasks } from '../../../../core/protocol/select-tasks.js';
import type { MemoryAccount, MemoryHold, MemoryNeed } from '../../../memory/memory-hold.js';
import type { MemoryBudget, MemoryKeeper } from '../../../memory/memory-budget.js';
import { HeapCost } from '../../../memory/heap-costs.js';
import { MemoryLimitError } from '../../../memory/memory-limit.error.js';
import { nameAccount } from '../../../memory/name-account.js';
import type {
  TaskRecord,
  TaskSelection,
  TaskStore,
} from '../../../settings/extensions/task-store.interface.js';
import { type EndedTaskBounds, EndedTasks, type TaskOwner } from './ended-tasks.js';
import { KeptTask } from './kept-task.js';

/** Keeps tasks in this process: they are gone with it. */
export class MemoryTaskStore implements TaskStore, MemoryKeeper {
  readonly #tasks = new Map<string, KeptTask>();
  readonly #ended: EndedTasks;
  /** Count what the tasks of each owner take. */
  readonly #holds = new Map<string, OwnerHold>();

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

  /**
   * @param address where an owner without a token is: it counts for that
   * @throws {MemoryLimitError} if there is not enough memory for it
   */
  async create(record: TaskRecord, address?: string): Promise<void> {
    this.#keep(new KeptTask(record, address));
  }

  async find(taskId: string): Promise<TaskRecord | undefined> {
    return this.#tasks.get(taskId)?.record;
  }

  /** @throws {MemoryLimitError} if there is not enough memory for it */
  async replace(record: TaskRecord): Promise<boolean> {
    const known = this.#tasks.get(record.taskId);
    if (known?.version !== record.version - 1) return false;
    this.#keep(new KeptTask(record, known.address));
    return true;
  }

  async list({ scopes, ...part }: TaskSelection): Promise<readonly TaskRecord[]> {
    const visible = [...this.#tasks.values()].filter((task) => !isBeyond(task, scopes));
    return selectTasks(visible, part).map(({ record }) => record);
  }

  async listOpen(): Promise<readonly TaskRecord[]> {
    return [...this.#tasks.values()].filter((task) => !task.isOver).map(({ record }) => record);
  }

  async removeExpired(before: number): Promise<void> {
    for (const { taskId, expires } of this.#tasks.values()) {
      if (expires < before) this.#remove(taskId);
    }
  }

  /** Removes finished tasks. The oldest task of the owner with the most goes first. */
  giveUp(account: MemoryAccount, { bytes }: MemoryNeed): void {
    const holds = [...this.#holds.values()]
      .filter(({ hold }) => hold.account.isWithin(account))
      .toSorted((one, other) => other.hold.bytes - one.hold.bytes);
    for (const { owner } of holds) {
      for (let oldest = this.#ended.findOldest(owner); oldest; oldest = this.#ended.findOldest(owner)) {
        if (account.hasRoomFor(bytes)) return;
        this.#remove(oldest);
      }
    }
  }

  findEnd(account: MemoryAccount): number | undefined {
    let end: number | undefined;
    for (const task of this.#tasks.values()) {
      const isCounted = this.#findHold(task)?.account.isWithin(account) === true;
      if (isCounted) end = Math.min(end ?? task.expires, task.expires);
    }
    return end;
  }

  #keep(task: KeptTask): void {
    const { taskId } = task;
    this.#makeRoom(task, countChange(this.#tasks.get(taskId), task));
    this.#tasks.set(taskId, task);
    if (!task.isOver) return;
    const surplus = this.#ended.add(task);
    if (surplus !== undefined) this.#remove(surplus);
  }

  #findHold(owner: TaskOwner): MemoryHold | undefined {
    return this.#holds.get(nameOwner(owner))?.hold;
  }

  #add({ owner, address }: TaskOwner, bytes: number): void {
    const hold = this.#findHold({ owner, address });
    if (hold !== undefined) return hold.add(bytes);
    const taken = this.memory?.hold({ identity: owner, address }, bytes);
    if (taken !== undefined)
      this.#holds.set(nameOwner({ owner, address }), { owner: { owner, address }, hold: taken });
  }

  /** Counts memory; if there is none, the oldest tasks of the same owner that are over make room. */
  #makeRoom(owner: TaskOwner, bytes: number): void {
    for (;;) {
      try {
        return this.#add(owner, bytes);
      } catch (error) {
        const oldest = isPassing(error) ? this.#ended.findOldest(owner) : undefined;
        if (oldest === undefined) throw error;
        this.#remove(oldest);
      }
    }
  }

  #give(owner: TaskOwner, bytes: number): void {
    const hold = this.#findHold(owner);
    hold?.add(bytes);
    if (hold?.bytes !== 0) return;
    hold.release();
    this.#holds.delete(nameOwner(owner));
  }

  #remove(taskId: string): void {
    const task = this.#tasks.get(taskId);
    if (task === undefined) return;
    this.#tasks.delete(taskId);
    this.#ended.remove(task);
    this.#give(task, countChange(task, undefined));
  }
}

/** Counts what the tasks of one owner take. */
interface OwnerHold {
  readonly owner: TaskOwner;
  readonly hold: MemoryHold;
}

function nameOwner({ owner, address = '' }: TaskOwner): string {
  return owner === undefined ? `address ${address}` : `identity ${nameAccount(owner)}`;
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
