import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import type {
  ClusterConnection,
  ClusterEntry,
  ClusterFieldSwap,
  ClusterConnectionStats,
  ClusterMember,
  ClusterPosition,
  ClusterRecord,
  ClusterRecordChange,
} from '../../../index.js';
import type { MemoryStore } from './memory-store.js';

/** What a connection needs from the cluster. */
export interface MemoryConnectionParts {
  readonly getDelayMs: () => number;
  readonly isCut: () => boolean;
  readonly leave: () => void;
  /** Lists the processes of the server that are connected. */
  readonly listMembers: () => readonly MemoryConnection[];
}

/** A process that shares a server through the memory of the test. */
export class MemoryConnection implements ClusterConnection {
  isConnected = false;
  position: ClusterPosition | undefined;
  #isClosed = false;
  #connections = 0;
  #replayed = 0;
  #gaps = 0;
  #lagMs: number | undefined;
  /** Deliveries run one after the other. */
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
    if (this.#isClosed) throw new Error('The process has left the others');
    if (!this.isConnected) throw new Error('The cluster is unavailable');
  }

  async #pass(): Promise<void> {
    const delayMs = this.parts.getDelayMs();
    await (delayMs > 0 ? delay(delayMs) : turn());
  }

  /** A delivery to a process that is cut off is lost. */
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
