import { applyChange } from './apply-change.js';
import { NO_VALUES, selectLasting, type KeptValues } from './kept-values.js';
import type { StatePlace } from './state-place.js';
import type { StateShares } from './state-shares.js';
import type { ChangeOutcome, StateStore, ValueChange } from './state-store.interface.js';

/** Keeps state in the memory of this process. */
export class MemoryStateStore implements StateStore {
  readonly #places = new Map<string, KeptValues>();

  constructor(
    private readonly shares: StateShares,
    private readonly maxBytes: number,
  ) {}

  get now(): number {
    return Date.now();
  }

  async read(place: StatePlace): Promise<KeptValues> {
    this.shares.use(place);
    return this.#find(place);
  }

  async change(place: StatePlace, change: ValueChange): Promise<ChangeOutcome> {
    const { next, outcome } = applyChange(this.#find(place), change, this.maxBytes);
    if (next === undefined) return outcome;
    if (next.size === 0) this.#forget(place);
    else {
      this.shares.keep(place, next);
      this.#places.set(place.key, next);
    }
    return outcome;
  }

  async remove(place: StatePlace): Promise<void> {
    this.#forget(place);
  }

  #find({ key }: StatePlace): KeptValues {
    return selectLasting(this.#places.get(key) ?? NO_VALUES, this.now);
  }

  #forget(place: StatePlace): void {
    this.shares.release(place);
    this.#places.delete(place.key);
  }
}
