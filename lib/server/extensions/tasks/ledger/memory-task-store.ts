import { selectTasks } from '../../../../core/protocol/select-tasks.js';
import { estimateText } from '../../../../core/protocol/measured-json.js';
import type {
  MemoryBudget,
  MemoryReservation,
  MemoryEvictor,
  MemoryNeed,
} from '../../../memory/memory-budget.js';
import { type MemoryAccount, nameAccount } from '../../../memory/memory-account.js';
import { HeapCost, MemoryLimitError } from '../../../memory/memory-limits.js';
import type {
  TaskRecord,
  TaskSelection,
  TaskStore,
} from '../../../settings/extensions/task-store.interface.js';
import { isOver } from './task-changes.js';

/** Stores tasks in this process's memory. */
export class MemoryTaskStore implements TaskStore, MemoryEvictor {
  readonly #tasks = new Map<string, StoredTask>();
  readonly #finished: FinishedTasks;
  /** The memory of each owner's tasks. */
  readonly #holds = new Map<string, CallerMemory>();

  /**
   * @param limits how many finished tasks to retain
   * @param memory limits their memory
   */
  constructor(
    { all = 10_000, perCaller = all }: Partial<FinishedTaskLimits> = {},
    private readonly memory?: MemoryBudget,
  ) {
    this.#finished = new FinishedTasks({ all, perCaller });
    memory?.addEvictor(this);
  }

  /**
   * @param address an anonymous owner's address, whose limits the task counts toward
   * @throws {MemoryLimitError} if there is not enough memory
   */
  async create(record: TaskRecord, address?: string): Promise<void> {
    this.#store(new StoredTask(record, address));
  }

  async find(taskId: string): Promise<TaskRecord | undefined> {
    return this.#tasks.get(taskId)?.record;
  }

  /** @throws {MemoryLimitError} if there is not enough memory */
  async replace(record: TaskRecord): Promise<boolean> {
    const known = this.#tasks.get(record.taskId);
    if (known?.version !== record.version - 1) return false;
    this.#store(new StoredTask(record, known.address));
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

  /** Evicts finished tasks, starting with the oldest task of the owner that uses the most memory. */
  evict(account: MemoryAccount, { bytes }: MemoryNeed): void {
    const holds = [...this.#holds.values()]
      .filter(({ hold }) => hold.account.isWithin(account))
      .toSorted((one, other) => other.hold.bytes - one.hold.bytes);
    for (const { owner } of holds) {
      for (let oldest = this.#finished.findOldest(owner); oldest; oldest = this.#finished.findOldest(owner)) {
        if (account.hasRoomFor(bytes)) return;
        this.#remove(oldest);
      }
    }
  }

  findExpiry(account: MemoryAccount): number | undefined {
    let end: number | undefined;
    for (const task of this.#tasks.values()) {
      const isCounted = this.#findHold(task)?.account.isWithin(account) === true;
      if (isCounted) end = Math.min(end ?? task.expires, task.expires);
    }
    return end;
  }

  #store(task: StoredTask): void {
    const { taskId } = task;
    this.#makeRoom(task, countChange(this.#tasks.get(taskId), task));
    this.#tasks.set(taskId, task);
    if (!task.isOver) return;
    const surplus = this.#finished.add(task);
    if (surplus !== undefined) this.#remove(surplus);
  }

  #findHold(owner: TaskOwner): MemoryReservation | undefined {
    return this.#holds.get(nameOwner(owner))?.hold;
  }

  #add({ owner, address }: TaskOwner, bytes: number): void {
    const hold = this.#findHold({ owner, address });
    if (hold !== undefined) return hold.add(bytes);
    const taken = this.memory?.hold({ identity: owner, address }, bytes);
    if (taken !== undefined)
      this.#holds.set(nameOwner({ owner, address }), { owner: { owner, address }, hold: taken });
  }

  /** Counts memory. If there is not enough, the oldest finished tasks of the same owner are evicted. */
  #makeRoom(owner: TaskOwner, bytes: number): void {
    for (;;) {
      try {
        return this.#add(owner, bytes);
      } catch (error) {
        const oldest = isPassing(error) ? this.#finished.findOldest(owner) : undefined;
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
    this.#finished.remove(task);
    this.#give(task, countChange(task, undefined));
  }
}

/** The memory that one owner's tasks use. */
interface CallerMemory {
  readonly owner: TaskOwner;
  readonly hold: MemoryReservation;
}

function nameOwner({ owner, address = '' }: TaskOwner): string {
  return owner === undefined ? `address ${address}` : `identity ${nameAccount(owner)}`;
}

/** Returns whether memory may become available later. */
function isPassing(error: unknown): boolean {
  return error instanceof MemoryLimitError && error.retryAfterSeconds !== undefined;
}

/** Computes by how much a change to a task changes its memory use. */
function countChange(before: StoredTask | undefined, after: StoredTask | undefined): number {
  const count = (task: StoredTask | undefined): number =>
    task === undefined ? 0 : HeapCost.task + task.bytes;
  return count(after) - count(before);
}

/** Returns whether a task requires a scope that is missing. */
function isBeyond({ scopes }: StoredTask, held: TaskSelection['scopes']): boolean {
  return held !== undefined && scopes?.some((scope) => !held.includes(scope)) === true;
}

/** The maximum number of finished tasks to retain. */
interface FinishedTaskLimits {
  readonly all: number;
  /** The limit for one owner: an authenticated caller with all its keys, or the anonymous callers at one address. */
  readonly perCaller: number;
}

/** A task's owner. */
type TaskOwner = Pick<StoredTask, 'owner' | 'address'>;

/** A finished task and its owner. */
type FinishedTask = TaskOwner & Pick<StoredTask, 'taskId' | 'sessionId'>;

/** The ids of an owner's tasks, in the order in which they finished. */
type Share = Set<string>;

/**
 * Tracks finished tasks and the order in which to evict them: first the oldest task of an owner above the limit, then
 * the oldest task of the owner with the most tasks. This prevents one owner's many tasks from evicting another
 * owner's results.
 */
class FinishedTasks {
  /** The tasks of authenticated callers, by account. */
  readonly #byCaller = new Map<string, Share>();
  /** The tasks of anonymous callers, by address. */
  readonly #byAddress = new Map<string, Share>();
  /** The tasks of anonymous callers without a known address, by session. */
  readonly #bySession = new Map<string, Share>();
  #size = 0;
  #anonymousSize = 0;

  constructor(private readonly limits: FinishedTaskLimits) {}

  /** Adds a finished task. Returns the task id to evict. */
  add(task: FinishedTask): string | undefined {
    const { shares, name, most } = this.#findShare(task);
    const share: Share = shares.get(name) ?? new Set();
    if (share.has(task.taskId)) return undefined;
    shares.set(name, share.add(task.taskId));
    this.#count(task, 1);
    if (share.size > most) return oldestOf(share);
    return this.#size > this.limits.all ? oldestOf(this.#findLargest()) : undefined;
  }

  remove(task: FinishedTask): void {
    const { shares, name } = this.#findShare(task);
    const share = shares.get(name);
    if (share?.delete(task.taskId) !== true) return;
    this.#count(task, -1);
    if (share.size === 0) shares.delete(name);
  }

  /** Returns the owner's task that finished first. */
  findOldest({ owner, address }: TaskOwner): string | undefined {
    if (owner !== undefined) return oldestOf(this.#byCaller.get(nameAccount(owner)));
    return oldestOf(address === undefined ? largestOf(this.#bySession) : this.#byAddress.get(address));
  }

  #findShare({ owner, address, sessionId = '' }: FinishedTask): {
    readonly shares: Map<string, Share>;
    readonly name: string;
    readonly most: number;
  } {
    const { all, perCaller } = this.limits;
    if (owner !== undefined) return { shares: this.#byCaller, name: nameAccount(owner), most: perCaller };
    if (address !== undefined) return { shares: this.#byAddress, name: address, most: perCaller };
    return { shares: this.#bySession, name: sessionId, most: all };
  }

  #count({ owner }: FinishedTask, change: 1 | -1): void {
    this.#size += change;
    if (owner === undefined) this.#anonymousSize += change;
  }

  /** All anonymous callers count as one owner, so using more addresses does not increase their share. */
  #findLargest(): Share | undefined {
    const largest = largestOf(this.#byCaller);
    if (this.#anonymousSize <= (largest?.size ?? 0)) return largest;
    return largerOf(largestOf(this.#byAddress), largestOf(this.#bySession));
  }
}

function largestOf(shares: ReadonlyMap<string, Share>): Share | undefined {
  let largest: Share | undefined;
  for (const share of shares.values()) largest = largerOf(largest, share);
  return largest;
}

function largerOf(one: Share | undefined, other: Share | undefined): Share | undefined {
  return (other?.size ?? 0) > (one?.size ?? 0) ? other : one;
}

function oldestOf(share: Share | undefined): string | undefined {
  const [oldest] = share ?? [];
  return oldest;
}

/** Heap bytes per character of JSON that is stored as objects. */
const OBJECT_FACTOR = 12;

/** Bytes reserved for recording that a task ended without a result, which must be possible even when memory is full. */
const END_BYTES = 1024;

/** The properties of every finished record. */
const OVER = { inputRequests: {}, inputResponses: {} } as const;

/** A task in memory. A finished task is stored as a JSON string, which needs a tenth of the memory of objects. */
class StoredTask {
  readonly taskId: string;
  readonly version: number;
  readonly createdAt: string;
  readonly expires: number;
  readonly owner: string | undefined;
  readonly sessionId: string | undefined;
  readonly scopes: readonly string[] | undefined;
  /** Heap bytes in addition to a minimal task. */
  readonly bytes: number;
  readonly #worker: string | undefined;
  readonly #stored: TaskRecord | string;

  constructor(
    record: TaskRecord,
    /** An anonymous owner's address, if it is known. */
    readonly address?: string,
  ) {
    const { taskId, version, createdAt, expires, owner, sessionId, scopes, worker, ...rest } = record;
    this.taskId = taskId;
    this.version = version;
    this.createdAt = createdAt;
    this.expires = expires;
    this.owner = owner;
    this.sessionId = sessionId;
    this.scopes = scopes;
    this.#worker = worker;
    this.#stored = isOver(record) ? formatOver(rest) : record;
    this.bytes = countBytes(record, this.#stored);
  }

  get isOver(): boolean {
    return typeof this.#stored === 'string';
  }

  get record(): TaskRecord {
    if (typeof this.#stored !== 'string') return this.#stored;
    const { taskId, version, createdAt, expires, owner, sessionId, scopes } = this;
    const worker = this.#worker;
    return {
      ...(JSON.parse(this.#stored) as Omit<TaskRecord, keyof typeof OVER>),
      ...OVER,
      taskId,
      version,
      createdAt,
      expires,
      ...(owner !== undefined && { owner }),
      ...(sessionId !== undefined && { sessionId }),
      ...(scopes !== undefined && { scopes }),
      ...(worker !== undefined && { worker: worker }),
    };
  }
}

function formatOver({
  inputRequests: _asked,
  inputResponses: _answered,
  ...rest
}: Partial<TaskRecord>): string {
  return JSON.stringify(rest);
}

/** Counts input requests and answers. The worker counts the call. */
function countBytes({ inputRequests, inputResponses }: TaskRecord, stored: TaskRecord | string): number {
  if (typeof stored === 'string') return estimateText(stored);
  return END_BYTES + JSON.stringify([inputRequests, inputResponses]).length * OBJECT_FACTOR;
}
