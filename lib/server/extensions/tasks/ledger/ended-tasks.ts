import type { KeptTask } from './kept-task.js';

/** How many tasks are kept that are over. */
export interface EndedTaskBounds {
  readonly all: number;
  /** Those of one owner. */
  readonly perOwner: number;
}

/** A task that is over, and whose it is. */
export type EndedTask = Pick<KeptTask, 'taskId' | 'owner' | 'sessionId'>;

/** The ids of the tasks of one caller, or of a session if nobody knows who it is, in the order in which they ended. */
type Share = Set<string>;

/**
 * Knows which tasks are over, and which of them goes first: the oldest of its owner if that has too many, otherwise the oldest of
 * whoever has most. So nobody loses a result for the many of another.
 */
export class EndedTasks {
  readonly #shares = new Map<string, Share>();
  /** What callers without an identity have together. */
  readonly #strangers = new Map<string, Share>();
  #size = 0;
  #strangersSize = 0;

  constructor(private readonly bounds: EndedTaskBounds) {}

  /** Notes that a task is over, and gives the one that is not kept any more. */
  add(record: EndedTask): string | undefined {
    const shares = this.#select(record);
    const name = nameShare(record);
    const share: Share = shares.get(name) ?? new Set();
    if (share.has(record.taskId)) return undefined;
    shares.set(name, share.add(record.taskId));
    this.#count(record, 1);
    if (share.size > this.#findMost(record)) return oldestOf(share);
    return this.#size > this.bounds.all ? oldestOf(this.#findLargest()) : undefined;
  }

  remove(record: EndedTask): void {
    const shares = this.#select(record);
    const name = nameShare(record);
    const share = shares.get(name);
    if (share?.delete(record.taskId) !== true) return;
    this.#count(record, -1);
    if (share.size === 0) shares.delete(name);
  }

  /** Gives the task of an owner that has been over for longest. */
  findOldest({ owner }: Pick<EndedTask, 'owner'>): string | undefined {
    return owner === undefined ? oldestOf(largestOf(this.#strangers)) : oldestOf(this.#shares.get(owner));
  }

  #findMost({ owner }: Pick<EndedTask, 'owner'>): number {
    return owner === undefined ? this.bounds.all : this.bounds.perOwner;
  }

  #select({ owner }: Pick<EndedTask, 'owner'>): Map<string, Share> {
    return owner === undefined ? this.#strangers : this.#shares;
  }

  #count({ owner }: EndedTask, change: 1 | -1): void {
    this.#size += change;
    if (owner === undefined) this.#strangersSize += change;
  }

  /** Strangers count as one owner: nobody gets more by beginning another session. */
  #findLargest(): Share | undefined {
    const largest = largestOf(this.#shares);
    return this.#strangersSize > (largest?.size ?? 0) ? largestOf(this.#strangers) : largest;
  }
}

function nameShare({ owner, sessionId = '' }: EndedTask): string {
  return owner ?? sessionId;
}

function largestOf(shares: ReadonlyMap<string, Share>): Share | undefined {
  let largest: Share | undefined;
  for (const share of shares.values()) {
    if (share.size > (largest?.size ?? 0)) largest = share;
  }
  return largest;
}

function oldestOf(share: Share | undefined): string | undefined {
  const [oldest] = share ?? [];
  return oldest;
}
