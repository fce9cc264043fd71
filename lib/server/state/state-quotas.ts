import { HeapCost } from '../memory/memory-limits.js';
import type { MemoryBudget, MemoryReservation, MemoryEvictor, MemoryNeed } from '../memory/memory-budget.js';
import { type MemoryAccount, nameAccount } from '../memory/memory-account.js';
import type { StateOptions } from '../settings/state-options.js';
import { countBytes, findLatestExpiry, type StoredValues } from './state-store.js';
import type { StateNamespace } from './state-namespace.js';

/** Milliseconds between two sweeps of expired state. */
const SWEEP_MS = 60_000;

/** Strings with characters outside Latin-1 use two bytes per character. */
const BYTES_OF_TEXT = 2;

/** The memory that a namespace holds. */
interface StateUsage {
  readonly namespace: StateNamespace;
  readonly hold: MemoryReservation;
  /** When the last of its values expires. */
  expiresAt: number;
}

/** The parts of quotas. */
interface StateQuotasParts {
  /** @default memory is not counted */
  readonly memory?: MemoryBudget | undefined;
  readonly limits: Pick<Required<StateOptions>, 'maxHandles' | 'maxAnonymousHandles'>;
  /**
   * Whether values are in this process's memory. In the cluster, they expire on their own, and other processes may
   * still use them.
   */
  readonly isLocal: boolean;
  /** The current time on the store's clock. */
  now(): number;
  /** Called when a namespace's values must be deleted. */
  onEvict(namespace: StateNamespace): void;
}

/**
 * Divides the memory for state among callers. The least recently used state is evicted first. Anonymous callers'
 * state may be evicted for any caller, and a known caller's state only for that caller or for callers that have less.
 */
export class StateQuotas implements MemoryEvictor {
  /** By key, least recently used first. */
  readonly #usages = new Map<string, StateUsage>();
  /** The handles' and sessions' namespaces in the same order, per caller and for all anonymous callers. */
  readonly #groups = new Map<string, Map<string, StateNamespace>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly parts: StateQuotasParts) {
    parts.memory?.addEvictor(this);
  }

  /**
   * Counts a namespace's values.
   *
   * @throws {MemoryLimitError} if the caller has no memory left
   */
  record(namespace: StateNamespace, values: StoredValues): void {
    const { memory } = this.parts;
    const bytes = this.#countHeap(values);
    const expiresAt = findLatestExpiry(values);
    const usage = this.#usages.get(namespace.key);
    if (usage !== undefined) {
      usage.hold.add(bytes - usage.hold.bytes, usage.hold);
      usage.expiresAt = expiresAt;
      return this.touch(namespace);
    }
    if (memory === undefined) return;
    this.#evictFor(namespace);
    this.#usages.set(namespace.key, { namespace, hold: memory.hold(namespace.owner, bytes), expiresAt });
    this.#join(namespace);
    this.#timer ??= setInterval(() => this.#sweep(), SWEEP_MS).unref();
  }

  /** Marks a namespace as most recently used. */
  touch({ key }: StateNamespace): void {
    const usage = this.#usages.get(key);
    if (usage === undefined) return;
    this.#usages.delete(key);
    this.#usages.set(key, usage);
    this.#leave(usage.namespace);
    this.#join(usage.namespace);
  }

  /** Stops counting a namespace. */
  release({ key }: Pick<StateNamespace, 'key'>): void {
    const usage = this.#usages.get(key);
    if (usage === undefined) return;
    this.#usages.delete(key);
    usage.hold.release();
    this.#leave(usage.namespace);
    if (this.#usages.size === 0) this.close();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  evict(account: MemoryAccount, need: MemoryNeed): void {
    for (const { namespace, hold } of this.#select(account, need)) {
      if (account.hasRoomFor(need.bytes)) return;
      if (hold.account.isWithin(account) && hold !== need.excluded) this.#remove(namespace);
    }
  }

  findExpiry(account: MemoryAccount): number | undefined {
    let end: number | undefined;
    for (const { hold, expiresAt } of this.#usages.values()) {
      if (hold.account.isWithin(account)) end = Math.min(end ?? expiresAt, expiresAt);
    }
    return end;
  }

  *#select({ owner }: MemoryAccount, { account: needing }: MemoryNeed): Generator<StateUsage> {
    const all = [...this.#usages.values()];
    yield* all.filter(({ namespace }) => namespace.owner.identity === undefined);
    const known = all.filter(({ namespace }) => namespace.owner.identity !== undefined);
    if (owner.identity !== undefined) yield* known.filter(({ namespace }) => !namespace.isDefault);
    else if (needing.owner.identity !== undefined) {
      for (const usage of known) if (usage.hold.account.used > needing.used) yield usage;
    }
  }

  #evictFor(namespace: StateNamespace): void {
    const { maxHandles, maxAnonymousHandles } = this.parts.limits;
    for (const group of listGroups(namespace)) {
      const most = group === ANONYMOUS ? maxAnonymousHandles : maxHandles;
      for (const oldest of this.#groups.get(group)?.values() ?? []) {
        if ((this.#groups.get(group)?.size ?? 0) < most) break;
        this.release(oldest);
        this.parts.onEvict(oldest);
      }
    }
  }

  #join(namespace: StateNamespace): void {
    for (const name of listGroups(namespace)) {
      const group = this.#groups.get(name) ?? new Map<string, StateNamespace>();
      this.#groups.set(name, group.set(namespace.key, namespace));
    }
  }

  #leave({ key, ...namespace }: StateNamespace): void {
    for (const name of listGroups(namespace)) {
      const group = this.#groups.get(name);
      group?.delete(key);
      if (group?.size === 0) this.#groups.delete(name);
    }
  }

  /** Stops counting a namespace whose values are about to be deleted. */
  #remove(namespace: StateNamespace): void {
    this.release(namespace);
    if (this.parts.isLocal) this.parts.onEvict(namespace);
  }

  #countHeap(values: StoredValues): number {
    if (!this.parts.isLocal) return HeapCost.state;
    return HeapCost.state + values.size * HeapCost.stateValue + BYTES_OF_TEXT * countBytes(values);
  }

  #sweep(): void {
    const now = this.parts.now();
    for (const { namespace, expiresAt } of [...this.#usages.values()])
      if (expiresAt <= now) this.#remove(namespace);
  }
}

const ANONYMOUS = 'anonymous';

/** Returns the groups whose handles are counted together. */
function listGroups({
  owner: { identity, address },
  isDefault,
}: Omit<StateNamespace, 'key'>): readonly string[] {
  if (isDefault) return [];
  if (identity !== undefined) return [`caller ${nameAccount(identity)}`];
  return address === undefined ? [ANONYMOUS] : [`address ${address}`, ANONYMOUS];
}
