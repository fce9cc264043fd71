import { randomBytes } from 'node:crypto';
import type {
  ClusterEntry,
  ClusterFieldSwap,
  ClusterPosition,
  ClusterRecord,
  ClusterRecordChange,
} from '../../../index.js';

interface StoredEntry extends ClusterEntry {
  readonly time: number;
}

interface StoredRecord {
  readonly fields: Map<string, string>;
  expires: number;
}

/** The data that the processes of one server share. */
export class MemoryStore {
  position: ClusterPosition = createBegin();
  #entries: StoredEntry[] = [];
  readonly #records = new Map<string, StoredRecord>();
  readonly #leases = new Map<string, { readonly holder: string; readonly expires: number }>();

  constructor(private readonly maxEntries: number) {}

  append(text: string, change?: ClusterRecordChange): ClusterPosition {
    const { epoch, number } = this.position;
    this.position = { epoch, number: number + 1 };
    this.#entries.push({ position: this.position, text, time: Date.now() });
    if (this.#entries.length > this.maxEntries) this.trim(this.maxEntries);
    if (change !== undefined) this.change(change);
    return this.position;
  }

  /** Returns the entries after a position; `undefined` if some of them are gone. */
  listAfter({ epoch, number }: ClusterPosition): readonly StoredEntry[] | undefined {
    if (epoch !== this.position.epoch || number > this.position.number) return undefined;
    const count = this.position.number - number;
    return count > this.#entries.length ? undefined : this.#entries.slice(this.#entries.length - count);
  }

  /** Returns all entries. */
  list(): readonly StoredEntry[] {
    return [...this.#entries];
  }

  trim(left: number): void {
    this.#entries = left === 0 ? [] : this.#entries.slice(-left);
  }

  clear(): void {
    this.position = createBegin();
    this.#entries = [];
    this.#records.clear();
    this.#leases.clear();
  }

  find(key: string): ClusterRecord | undefined {
    const record = this.#find(key);
    return record && Object.fromEntries(record.fields);
  }

  change({ key, isWhole = false, set = {}, stamp = [], unset = [], expires }: ClusterRecordChange): void {
    const fields = this.#find(key)?.fields ?? new Map<string, string>();
    if (isWhole) fields.clear();
    const at = `${this.position.epoch}:${this.position.number}`;
    for (const [name, value] of Object.entries(set)) fields.set(name, value);
    for (const name of stamp) if (!fields.has(name)) fields.set(name, at);
    for (const name of unset) fields.delete(name);
    this.#keep(key, fields, expires);
  }

  swap({ key, field, from, to, expires }: ClusterFieldSwap): string | undefined {
    const fields = this.#find(key)?.fields ?? new Map<string, string>();
    if (fields.get(field) !== from) return fields.get(field);
    if (to === undefined) fields.delete(field);
    else fields.set(field, to);
    this.#keep(key, fields, expires);
    return to;
  }

  lease(name: string, holder: string, holdMs: number): boolean {
    const held = this.#leases.get(name);
    if (held !== undefined && held.expires > Date.now() && held.holder !== holder) return false;
    this.#leases.set(name, { holder, expires: Date.now() + holdMs });
    return true;
  }

  release(name: string, holder: string): void {
    if (this.#leases.get(name)?.holder === holder) this.#leases.delete(name);
  }

  #find(key: string): StoredRecord | undefined {
    const record = this.#records.get(key);
    if (record === undefined || record.expires > Date.now()) return record;
    this.#records.delete(key);
    return undefined;
  }

  #keep(key: string, fields: Map<string, string>, expires: number): void {
    const before = this.#find(key)?.expires ?? 0;
    if (fields.size === 0) this.#records.delete(key);
    else this.#records.set(key, { fields, expires: Math.max(before, expires) });
  }
}

/** A new log begins above the numbers of the previous one. */
function createBegin(): ClusterPosition {
  return { epoch: randomBytes(5).toString('hex'), number: Date.now() };
}
