import { selectTasks } from '../../../../core/protocol/select-tasks.js';
import { estimateText } from '../../../../core/protocol/measured-json.js';
import type { MemoryBudget, MemoryHold, MemoryEvictor, MemoryNeed } from '../../../memory/memory-budget.js';
import { type MemoryAccount, nameAccount } from '../../../memory/memory-account.js';
import { HeapCost, MemoryLimitError } from '../../../memory/memory-limits.js';
import type {
  TaskRecord,
  TaskSelection,
  TaskStore,
} from '../../../settings/extensions/task-store.interface.js';
import { isOver } from './task-changes.js';

/** Keeps tasks in this process: they are gone with it. */
export class MemoryTaskStore implements TaskStore, MemoryEvictor {
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
    memory?.addEvictor(this);
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
  evict(account: MemoryAccount, { bytes }: MemoryNeed): void {
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

  findExpiry(account: MemoryAccount): number | undefined {
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

/** How many tasks are kept that are over. */
interface EndedTaskBounds {
  readonly all: number;
  /** The tasks of one owner: a caller with a token, for all keys of the caller, or the strangers at one address. */
  readonly perOwner: number;
}

/** Whose a task is. */
type TaskOwner = Pick<KeptTask, 'owner' | 'address'>;

/** A task that is over, and whose it is. */
type EndedTask = TaskOwner & Pick<KeptTask, 'taskId' | 'sessionId'>;

/** The ids of the tasks of one owner in the order in which they ended. */
type Share = Set<string>;

/**
 * Knows the finished tasks and the order in which they are removed. First comes the oldest task of an owner that has too
 * many, and then the oldest of the owner with the most. So nobody loses a result for the many of another.
 */
class EndedTasks {
  /** What callers with a token have, by what their identities have in common. */
  readonly #known = new Map<string, Share>();
  /** What strangers have, by their addresses. */
  readonly #near = new Map<string, Share>();
  /** The tasks of strangers without a known address, by their sessions. */
  readonly #unknown = new Map<string, Share>();
  #size = 0;
  #strangersSize = 0;

  constructor(private readonly bounds: EndedTaskBounds) {}

  /** Notes that a task is over. Returns the task that is no longer kept. */
  add(task: EndedTask): string | undefined {
    const { shares, name, most } = this.#place(task);
    const share: Share = shares.get(name) ?? new Set();
    if (share.has(task.taskId)) return undefined;
    shares.set(name, share.add(task.taskId));
    this.#count(task, 1);
    if (share.size > most) return oldestOf(share);
    return this.#size > this.bounds.all ? oldestOf(this.#findLargest()) : undefined;
  }

  remove(task: EndedTask): void {
    const { shares, name } = this.#place(task);
    const share = shares.get(name);
    if (share?.delete(task.taskId) !== true) return;
    this.#count(task, -1);
    if (share.size === 0) shares.delete(name);
  }

  /** Returns the task of an owner that has been over for longest. */
  findOldest({ owner, address }: TaskOwner): string | undefined {
    if (owner !== undefined) return oldestOf(this.#known.get(nameAccount(owner)));
    return oldestOf(address === undefined ? largestOf(this.#unknown) : this.#near.get(address));
  }

  #place({ owner, address, sessionId = '' }: EndedTask): {
    readonly shares: Map<string, Share>;
    readonly name: string;
    readonly most: number;
  } {
    const { all, perOwner } = this.bounds;
    if (owner !== undefined) return { shares: this.#known, name: nameAccount(owner), most: perOwner };
    if (address !== undefined) return { shares: this.#near, name: address, most: perOwner };
    return { shares: this.#unknown, name: sessionId, most: all };
  }

  #count({ owner }: EndedTask, change: 1 | -1): void {
    this.#size += change;
    if (owner === undefined) this.#strangersSize += change;
  }

  /** Strangers count as one owner: nobody gets more by coming from another place. */
  #findLargest(): Share | undefined {
    const largest = largestOf(this.#known);
    if (this.#strangersSize <= (largest?.size ?? 0)) return largest;
    return largerOf(largestOf(this.#near), largestOf(this.#unknown));
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

/** Bytes of heap for a character of JSON that is kept as objects, as most JSON is. */
const OBJECT_FACTOR = 12;

/** What the end of a task takes at most that brings no result: it must find room when nothing else does. */
const END_BYTES = 1024;

/** What every record has that is over. */
const OVER = { inputRequests: {}, inputResponses: {} } as const;

/** A task as this process keeps it. A finished task is text, which takes a tenth of the memory of its objects. */
class KeptTask {
  readonly taskId: string;
  readonly version: number;
  readonly createdAt: string;
  readonly expires: number;
  readonly owner: string | undefined;
  readonly sessionId: string | undefined;
  readonly scopes: readonly string[] | undefined;
  /** Bytes of heap that it takes in addition to a minimal task. */
  readonly bytes: number;
  readonly #holder: string | undefined;
  readonly #kept: TaskRecord | string;

  constructor(
    record: TaskRecord,
    /** Where an owner without a token is, if that is known. */
    readonly address?: string,
  ) {
    const { taskId, version, createdAt, expires, owner, sessionId, scopes, holder, ...rest } = record;
    this.taskId = taskId;
    this.version = version;
    this.createdAt = createdAt;
    this.expires = expires;
    this.owner = owner;
    this.sessionId = sessionId;
    this.scopes = scopes;
    this.#holder = holder;
    this.#kept = isOver(record) ? formatOver(rest) : record;
    this.bytes = countBytes(record, this.#kept);
  }

  get isOver(): boolean {
    return typeof this.#kept === 'string';
  }

  get record(): TaskRecord {
    if (typeof this.#kept !== 'string') return this.#kept;
    const { taskId, version, createdAt, expires, owner, sessionId, scopes } = this;
    const holder = this.#holder;
    return {
      ...(JSON.parse(this.#kept) as Omit<TaskRecord, keyof typeof OVER>),
      ...OVER,
      taskId,
      version,
      createdAt,
      expires,
      ...(owner !== undefined && { owner }),
      ...(sessionId !== undefined && { sessionId }),
      ...(scopes !== undefined && { scopes }),
      ...(holder !== undefined && { holder }),
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

/** The holder of a running task counts its call. Questions and answers are added. */
function countBytes({ inputRequests, inputResponses }: TaskRecord, kept: TaskRecord | string): number {
  if (typeof kept === 'string') return estimateText(kept);
  return END_BYTES + JSON.stringify([inputRequests, inputResponses]).length * OBJECT_FACTOR;
}
