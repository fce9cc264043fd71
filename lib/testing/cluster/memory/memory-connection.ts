import { randomBytes } from 'node:crypto';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import type {
  ClusterConnection,
  ClusterConnectionStats,
  ClusterEntry,
  ClusterFieldSwap,
  ClusterMember,
  ClusterPosition,
  ClusterRecord,
  ClusterRecordChange,
} from '../../../index.js';

/** What a connection needs from the cluster. */
export interface MemoryConnectionParts {
  readonly getDelayMs: () => number;
  readonly isCut: () => boolean;
  readonly leave: () => void;
  /** Lists the server's connected processes. */
  readonly listMembers: () => readonly MemoryConnection[];
}

/** A process that shares a server through the test's memory. */
export class MemoryConnection implements ClusterConnection {
  isConnected = false;
  position: ClusterPosition | undefined;
  #isClosed = false;
  #connections = 0;
  #replayed = 0;
  #gaps = 0;
  #lagMs: number | undefined;
  /** Entries and messages are delivered one at a time. */
  #delivered: Promise<void> = Promise.resolve();

  constructor(
    readonly member: ClusterMember,
    private readonly store: MemoryStore,
    private readonly parts: MemoryConnectionParts,
  ) {}

  get figures(): ClusterConnectionStats {
    return {
      ...(this.#lagMs !== undefined && { lagMs: this.#lagMs }),
      reconnections: Math.max(this.#connections - 1, 0),
      replayed: this.#replayed,
      gaps: this.#gaps,
    };
  }

  /** Updates the connection state, and delivers what is pending. */
  refresh(): void {
    if (this.#isClosed) return;
    if (this.parts.isCut()) {
      if (!this.isConnected) return;
      this.isConnected = false;
      this.member.onConnection(false);
    } else if (this.#connections === 0) {
      this.position = this.store.position;
      this.#connect();
    } else if (this.isConnected) this.#deliverLater(() => this.#pump());
    else {
      this.#deliverLater(() => {
        this.#replayed += this.#pump();
        if (!this.isConnected) this.#connect();
      });
    }
  }

  async append(text: string, change?: ClusterRecordChange): Promise<ClusterPosition> {
    await this.#reach();
    const position = this.store.append(text, change);
    for (const connection of this.parts.listMembers()) connection.refresh();
    return position;
  }

  async read(after: ClusterPosition, limit: number): Promise<readonly ClusterEntry[] | undefined> {
    await this.#reach();
    const entries = this.store.listAfter(after)?.slice(0, limit);
    return entries?.map(({ position, text }) => ({ position, text }));
  }

  async send(text: string, member?: string): Promise<number> {
    await this.#reach();
    const recipients = this.parts
      .listMembers()
      .filter((connection) => member === undefined || connection.member.id === member);
    for (const recipient of recipients) recipient.#deliverLater(() => recipient.member.onMessage(text));
    return recipients.length;
  }

  async find(key: string): Promise<ClusterRecord | undefined> {
    await this.#reach();
    return this.store.find(key);
  }

  async change(change: ClusterRecordChange): Promise<void> {
    await this.#reach();
    this.store.change(change);
  }

  async swap(swap: ClusterFieldSwap): Promise<string | undefined> {
    await this.#reach();
    return this.store.swap(swap);
  }

  async lease(name: string, holdMs: number): Promise<boolean> {
    await this.#reach();
    return this.store.lease(name, this.member.id, holdMs);
  }

  async release(name: string): Promise<void> {
    await this.#reach();
    this.store.release(name, this.member.id);
  }

  async members(): Promise<readonly string[]> {
    await this.#reach();
    return this.parts.listMembers().map(({ member }) => member.id);
  }

  close(): Promise<void> {
    this.#isClosed = true;
    this.isConnected = false;
    this.parts.leave();
    return Promise.resolve();
  }

  #connect(): void {
    this.isConnected = true;
    this.#connections += 1;
    this.member.onConnection(true);
  }

  async #reach(): Promise<void> {
    this.#assertReach();
    await this.#pass();
    this.#assertReach();
  }

  #assertReach(): void {
    if (this.#isClosed) throw new Error('The process has left the cluster');
    if (!this.isConnected) throw new Error('The cluster is unavailable');
  }

  async #pass(): Promise<void> {
    const delayMs = this.parts.getDelayMs();
    await (delayMs > 0 ? delay(delayMs) : turn());
  }

  /** A delivery to a disconnected process is lost. */
  #deliverLater(deliver: () => void): void {
    this.#delivered = this.#deliver(this.#delivered, this.#pass(), deliver);
  }

  async #deliver(before: Promise<void>, passed: Promise<void>, deliver: () => void): Promise<void> {
    await Promise.all([before, passed]);
    if (!this.#isClosed && !this.parts.isCut()) deliver();
  }

  /** Delivers new entries, and returns their number. */
  #pump(): number {
    const before = this.position ?? this.store.position;
    const next = this.store.listAfter(before);
    if (next === undefined) {
      this.#gaps += 1;
      this.position = this.store.position;
      this.member.onGap();
    }
    const entries = next ?? this.store.list();
    for (const { position, text, time } of entries) {
      this.position = position;
      this.#lagMs = Math.max(0, Date.now() - time);
      this.member.onEntry({ position, text });
    }
    return entries.length;
  }
}

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

/** A new log starts after the previous one's numbers. */
function createBegin(): ClusterPosition {
  return { epoch: randomBytes(5).toString('hex'), number: Date.now() };
}
