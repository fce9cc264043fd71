/** A request for a slot. */
export interface SlotClaim {
  /** The caller. All unknown callers count as one. */
  readonly caller?: string | undefined;
  /** An additional subject of a limit, such as a receiver. @default none */
  readonly target?: string | undefined;
}

/** The numbers of slots. */
export interface SlotLimits {
  readonly slots: number;
  /** The number of concurrent slots per caller. @default all */
  readonly perCaller?: number;
  /** The number of concurrent slots per target. @default all */
  readonly perTarget?: number;
}

interface Waiting extends SlotClaim {
  readonly start: () => void;
}

/**
 * Runs a limited amount of work concurrently, and queues the rest. Callers take turns: each free slot goes to the
 * next caller, however much work the others have. With a per-caller limit, no caller can occupy all slots.
 */
export class FairSlots {
  readonly #limits: Required<SlotLimits>;
  /** The queued items by caller, in round-robin order. */
  readonly #waiting = new Map<string, Set<Waiting>>();
  readonly #byCaller = new Map<string, number>();
  readonly #byTarget = new Map<string, number>();
  #taken = 0;

  constructor({ slots, perCaller = slots, perTarget = slots }: SlotLimits) {
    this.#limits = { slots, perCaller, perTarget };
  }

  /** Runs work in a slot, immediately or when one becomes free. */
  run<Result>(claim: SlotClaim, act: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const start = (): void => void this.#perform(claim, act).then(resolve, reject);
      this.#wait({ ...claim, start });
    });
  }

  /**
   * Runs work in a slot, and returns a function that removes it from the queue.
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
    const caller = nameCaller(waiting);
    const own = this.#waiting.get(caller);
    if (own === undefined) this.#waiting.set(caller, new Set([waiting]));
    else own.add(waiting);
    this.#fill();
  }

  #leave(waiting: Waiting): void {
    const caller = nameCaller(waiting);
    const own = this.#waiting.get(caller);
    own?.delete(waiting);
    if (own?.size === 0) this.#waiting.delete(caller);
  }

  #fill(): void {
    while (this.#taken < this.#limits.slots) {
      const next = this.#takeNext();
      if (next === undefined) return;
      this.#count(next, 1);
      next.start();
    }
  }

  /** Removes the next item. Its caller goes to the end of the round. */
  #takeNext(): Waiting | undefined {
    for (const [caller, own] of this.#waiting) {
      const next = this.#findReady(caller, own);
      if (next === undefined) continue;
      own.delete(next);
      this.#waiting.delete(caller);
      if (own.size > 0) this.#waiting.set(caller, own);
      return next;
    }
    return undefined;
  }

  #findReady(caller: string, own: ReadonlySet<Waiting>): Waiting | undefined {
    const { perCaller, perTarget } = this.#limits;
    if (caller !== UNKNOWN && (this.#byCaller.get(caller) ?? 0) >= perCaller) return undefined;
    for (const waiting of own) {
      const { target } = waiting;
      if (target === undefined || (this.#byTarget.get(target) ?? 0) < perTarget) return waiting;
    }
    return undefined;
  }

  #count(claim: SlotClaim, change: 1 | -1): void {
    this.#taken += change;
    add(this.#byCaller, nameCaller(claim), change);
    if (claim.target !== undefined) add(this.#byTarget, claim.target, change);
  }
}

/** The key for all unknown callers. */
const UNKNOWN = '';

function nameCaller({ caller = UNKNOWN }: SlotClaim): string {
  return caller;
}

function add(counts: Map<string, number>, name: string, change: number): void {
  const count = (counts.get(name) ?? 0) + change;
  if (count === 0) counts.delete(name);
  else counts.set(name, count);
}

/** A mutex per name, acquired in request order. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<void>>();

  /**
   * Runs work after all earlier work under this name, however that ended.
   *
   * @param wait waits for the earlier work, and throws to abandon this one
   */
  async run<Result>(
    name: string,
    work: () => Promise<Result>,
    wait = (before: Promise<void>): Promise<void> => before,
  ): Promise<Result> {
    const before = this.#last.get(name);
    let end = (): void => undefined;
    const own = new Promise<void>((resolve) => (end = resolve));
    const last = before === undefined ? own : before.then(() => own);
    this.#last.set(name, last);
    try {
      if (before !== undefined) await wait(before);
      return await work();
    } finally {
      end();
      if (this.#last.get(name) === last) this.#last.delete(name);
    }
  }
}
