import { nameAccount } from '../../../memory/name-account.js';
import type { KeptTask } from './kept-task.js';

/** How many tasks are kept that are over. */
export interface EndedTaskBounds {
  readonly all: number;
  /** The tasks of one owner: a caller with a token, for all keys of the caller, or the strangers at one address. */
  readonly perOwner: number;
}

/** Whose a task is. */
export type TaskOwner = Pick<KeptTask, 'owner' | 'address'>;

/** A task that is over, and whose it is. */
export type EndedTask = TaskOwner & Pick<KeptTask, 'taskId' | 'sessionId'>;

/** The ids of the tasks of one owner in the order in which they ended. */
type Share = Set<string>;

/**
 * Knows the finished tasks and the order in which they are removed. First comes the oldest task of an owner that has too
 * many, and then the oldest of the owner with the most. So nobody loses a result for the many of another.
 */
export class EndedTasks {
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
