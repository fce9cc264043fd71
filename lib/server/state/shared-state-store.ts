import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Keyring } from '../../core/sealing/keyring.js';
import { KeyedMutex } from '../../core/async/concurrency.js';
import { StateError } from '../context/tool-errors.js';
import { buildRecordOwner } from '../cluster/build-record-owner.js';
import type { ClusterBus, SharedState } from '../cluster/cluster-bus.js';
import type { ClusterRecordOwner } from '../settings/cluster/cluster.interface.js';
import {
  applyChange,
  type ChangeOutcome,
  findLatestExpiry,
  formatValues,
  type StoredValues,
  NO_VALUES,
  parseValues,
  selectUnexpired,
  type StateStore,
  type ValueChange,
} from './state-store.js';
import type { StateNamespace } from './state-namespace.js';
import type { StateQuotas } from './state-quotas.js';

/** The maximum number of attempts at a change that is preempted by other processes' changes. */
const MOST_ATTEMPTS = 50;

/** The longest random pause before the next attempt, in milliseconds. It prevents processes from colliding again. */
const LONGEST_PAUSE_MS = 20;

/** The record field that holds all of a namespace's values. An atomic change covers one field only. */
const FIELD = 'values';

/** A stored namespace. */
interface Found {
  /** The key of its record, which may not exist yet. */
  readonly key: string;
  readonly text: string | undefined;
  /** Whether the record was encrypted with a different secret and is therefore unreadable. */
  readonly isForeign?: boolean;
  readonly values: StoredValues;
}

/** Stores state in the cluster, for all of the server's processes. */
export class SharedStateStore implements StateStore {
  /** Serializes this process's changes, so that only other processes can interfere. */
  readonly #turns = new KeyedMutex();
  readonly #keys: readonly Buffer[];

  constructor(
    private readonly bus: ClusterBus,
    private readonly quotas: StateQuotas,
    private readonly maxBytes: number,
    keyring: Keyring,
  ) {
    this.#keys = keyring.derive('state record');
  }

  get now(): number {
    return this.bus.now;
  }

  async read(namespace: StateNamespace): Promise<StoredValues> {
    this.quotas.touch(namespace);
    return (await this.#find(namespace)).values;
  }

  change(namespace: StateNamespace, change: ValueChange): Promise<ChangeOutcome> {
    return this.#turns.run(namespace.key, async () => {
      for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
        const outcome = await this.#attempt(namespace, change);
        if (outcome !== undefined) return outcome;
        await pause(Math.random() * LONGEST_PAUSE_MS);
      }
      throw StateError.busy();
    });
  }

  async remove(namespace: StateNamespace): Promise<void> {
    this.quotas.release(namespace);
    for (const key of this.#nameRecords(namespace)) await this.#clear(namespace, key).catch(() => undefined);
  }

  /** Returns `undefined` if another process has changed the namespace in the meantime. */
  async #attempt(namespace: StateNamespace, change: ValueChange): Promise<ChangeOutcome | undefined> {
    const { key: found, text, values, isForeign = false } = await this.#find(namespace);
    const { next, outcome } = applyChange(values, change, this.maxBytes);
    if (next === undefined) return outcome;
    const to = next.size === 0 ? undefined : formatValues(next);
    if (to === undefined) this.quotas.release(namespace);
    else this.quotas.record(namespace, next);
    const key = this.#nameRecords(namespace)[0] as string;
    if (isForeign) await this.#clear(namespace, key);
    const from = found === key ? text : undefined;
    const swap = {
      key,
      field: FIELD,
      from,
      to,
      expires: findLatestExpiry(next),
      owner: findOwner(namespace),
    };
    const current = await this.#ask((shared) => shared.swap(swap));
    if (current !== to) return undefined;
    // The record was named with a previous secret, and has moved.
    if (found !== key) await this.#clear(namespace, found);
    return outcome;
  }

  async #find(namespace: StateNamespace): Promise<Found> {
    const [first, ...others] = this.#nameRecords(namespace) as [string, ...string[]];
    const found = await this.#read(first);
    if (found.text !== undefined) return found;
    for (const key of others) {
      const other = await this.#read(key);
      if (other.text !== undefined) return other;
    }
    return found;
  }

  async #read(key: string): Promise<Found> {
    const record = await this.#ask((shared) => shared.find(key));
    const text = record?.[FIELD];
    if (text !== undefined) return { key, text, values: selectUnexpired(parseValues(text), this.now) };
    return { key, text, values: NO_VALUES, isForeign: record !== undefined };
  }

  async #clear(namespace: StateNamespace, key: string): Promise<void> {
    const change = { key, unset: [FIELD], expires: this.now, owner: findOwner(namespace) };
    await this.#ask((shared) => shared.change(change));
  }

  /** Returns the key of a namespace's record for each secret. The key does not reveal the caller. */
  #nameRecords({ key: name }: StateNamespace): readonly string[] {
    return this.#keys.map((key) => `state:${createHmac('sha256', key).update(name).digest('base64url')}`);
  }

  async #ask<Answer>(ask: (shared: SharedState) => Promise<Answer>): Promise<Answer> {
    const { shared } = this.bus;
    try {
      if (shared === undefined) throw new TypeError('There are no other processes');
      return await ask(shared);
    } catch (cause) {
      throw StateError.unavailable(cause);
    }
  }
}

/** Returns the caller toward whose quota a namespace's values count. */
function findOwner({ owner, key }: StateNamespace): ClusterRecordOwner {
  return buildRecordOwner({ ...owner, key });
}
