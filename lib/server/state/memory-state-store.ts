import {
  applyChange,
  type ChangeOutcome,
  type StoredValues,
  NO_VALUES,
  selectUnexpired,
  type StateStore,
  type ValueChange,
} from './state-store.js';
import type { StateNamespace } from './state-namespace.js';
import type { StateQuotas } from './state-quotas.js';

/** Stores state in this process's memory. */
export class MemoryStateStore implements StateStore {
  readonly #namespaces = new Map<string, StoredValues>();

  constructor(
    private readonly quotas: StateQuotas,
    private readonly maxBytes: number,
  ) {}

  get now(): number {
    return Date.now();
  }

  async read(namespace: StateNamespace): Promise<StoredValues> {
    this.quotas.touch(namespace);
    return this.#find(namespace);
  }

  async change(namespace: StateNamespace, change: ValueChange): Promise<ChangeOutcome> {
    const { next, outcome } = applyChange(this.#find(namespace), change, this.maxBytes);
    if (next === undefined) return outcome;
    if (next.size === 0) this.#remove(namespace);
    else {
      this.quotas.record(namespace, next);
      this.#namespaces.set(namespace.key, next);
    }
    return outcome;
  }

  async remove(namespace: StateNamespace): Promise<void> {
    this.#remove(namespace);
  }

  #find({ key }: StateNamespace): StoredValues {
    return selectUnexpired(this.#namespaces.get(key) ?? NO_VALUES, this.now);
  }

  #remove(namespace: StateNamespace): void {
    this.quotas.release(namespace);
    this.#namespaces.delete(namespace.key);
  }
}
