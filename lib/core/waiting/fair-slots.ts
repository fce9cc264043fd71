/** Who wants a slot, and what else is bounded with it. */
export interface SlotClaim {
  /** The caller whose turn it is. All unknown callers are one. */
  readonly owner?: string | undefined;
  /** What else may have so many slots and no more, such as a receiver. @default nothing */
  readonly target?: string | undefined;
}

/** How many slots there are. */
export interface SlotBounds {
  readonly slots: number;
  /** Those that one owner may have at once. @default all */
  readonly perOwner?: number;
  /** Those that one target may have at once. @default all */
  readonly perTarget?: number;
}

interface Waiting extends SlotClaim {
  readonly start: () => void;
}

/**
 * Lets a bounded amount of work run at once, and makes the rest wait. Owners take turns: each of them gets the next free slot
 * in turn, however much work the others have. If there is a bound for each owner, none can hold all slots.
 */
export class FairSlots {
  readonly #bounds: Required<SlotBounds>;
  /** The waiting items by owner, in the order of the turns. */
  readonly #waiting = new Map<string, Set<Waiting>>();
  readonly #byOwner = new Map<string, number>();
  readonly #byTarget = new Map<string, number>();
  #taken = 0;

  constructor({ slots, perOwner = slots, perTarget = slots }: SlotBounds) {
    this.#bounds = { slots, perOwner, perTarget };
  }

  /** Runs work once there is a slot for it, at once if there is one now. */
  run<Result>(claim: SlotClaim, act: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const start = (): void => void this.#perform(claim, act).then(resolve, reject);
      this.#wait({ ...claim, start });
    });
  }

  /**
   * Runs work once there is a slot for it, and gives what calls it off as long as it waits.
   *
   * @param act never rejects
   */
  enter(claim: SlotClaim, act: () => Promise<void>): () => void {
    const waiting: Waiting = { ...claim, start: () => void this.#perform(claim, act) };
    this.#wait(waiting);
    return () => this.#leave(waiting);
  }

  async #perform<Result>(claim: SlotClaim, act: () => Promise<Result>): Promise<Result> {
    try {
      return await act();
    } finally {
      this.#count(claim, -1);
      this.#fill();
    }
  }

  #wait(waiting: Waiting): void {
    const owner = nameOwner(waiting);
    const own = this.#waiting.get(owner);
    if (own === undefined) this.#waiting.set(owner, new Set([waiting]));
    else own.add(waiting);
    this.#fill();
  }

  #leave(waiting: Waiting): void {
    const owner = nameOwner(waiting);
    const own = this.#waiting.get(owner);
    own?.delete(waiting);
    if (own?.size === 0) this.#waiting.delete(owner);
  }

  #fill(): void {
    while (this.#taken < this.#bounds.slots) {
      const next = this.#takeNext();
      if (next === undefined) return;
      this.#count(next, 1);
      next.start();
    }
  }

  /** Removes the next item. Its owner then comes after all others. */
  #takeNext(): Waiting | undefined {
    for (const [owner, own] of this.#waiting) {
      const next = this.#findReady(owner, own);
      if (next === undefined) continue;
      own.delete(next);
      this.#waiting.delete(owner);
      if (own.size > 0) this.#waiting.set(owner, own);
      return next;
    }
    return undefined;
  }

  #findReady(owner: string, own: ReadonlySet<Waiting>): Waiting | undefined {
    const { perOwner, perTarget } = this.#bounds;
    if (owner !== UNKNOWN && (this.#byOwner.get(owner) ?? 0) >= perOwner) return undefined;
    for (const waiting of own) {
      const { target } = waiting;
      if (target === undefined || (this.#byTarget.get(target) ?? 0) < perTarget) return waiting;
    }
    return undefined;
  }

  #count(claim: SlotClaim, change: 1 | -1): void {
    this.#taken += change;
    add(this.#byOwner, nameOwner(claim), change);
    if (claim.target !== undefined) add(this.#byTarget, claim.target, change);
  }
}

/** The turn of all who are not known. */
const UNKNOWN = '';

function nameOwner({ owner = UNKNOWN }: SlotClaim): string {
  return owner;
}

function add(counts: Map<string, number>, name: string, change: number): void {
  const count = (counts.get(name) ?? 0) + change;
  if (count === 0) counts.delete(name);
  else counts.set(name, count);
}
