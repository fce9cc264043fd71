import { SharedTaskStore } from '../../../lib/testing/cluster/memory/shared-task-store.js';
import type {
  Cluster,
  ClusterConnection,
  ClusterEntry,
  ClusterFieldSwap,
  ClusterMember,
  ClusterPosition,
  ClusterRecordChange,
  ClusterTaskStoreParts,
  TaskStore,
} from 'nestjs-mcp';

/** An engine of one process that is always in reach: what several applications of a spec share. */
export class SimpleCluster implements Cluster {
  readonly members = new Map<string, SimpleConnection>();
  readonly entries: ClusterEntry[] = [];
  readonly records = new Map<string, Record<string, string>>();
  readonly leases = new Map<string, string>();
  readonly #taskStores = new Map<string, TaskStore>();

  createTaskStore({ server }: ClusterTaskStoreParts): TaskStore {
    const store = this.#taskStores.get(server) ?? new SharedTaskStore(() => false);
    this.#taskStores.set(server, store);
    return store;
  }

  async join(member: ClusterMember): Promise<ClusterConnection> {
    const connection = new SimpleConnection(this, member);
    this.members.set(member.id, connection);
    return connection;
  }
}

export class SimpleConnection implements ClusterConnection {
  isConnected = true;
  readonly figures = { reconnections: 0, replayed: 0, gaps: 0 };
  position: ClusterPosition;

  constructor(
    private readonly cluster: SimpleCluster,
    readonly member: ClusterMember,
  ) {
    this.position = { epoch: 'simple', number: cluster.entries.length };
  }

  async append(text: string, change?: ClusterRecordChange): Promise<ClusterPosition> {
    const { entries, members } = this.cluster;
    const position = { epoch: 'simple', number: entries.length + 1 };
    entries.push({ position, text });
    if (change !== undefined) this.#change(change, `simple:${position.number}`);
    setImmediate(() => members.forEach((connection) => connection.deliver({ position, text })));
    return position;
  }

  deliver(entry: ClusterEntry): void {
    this.position = entry.position;
    this.member.onEntry(entry);
  }

  async read({ number }: ClusterPosition, limit: number): Promise<readonly ClusterEntry[]> {
    return this.cluster.entries.slice(number, number + limit);
  }

  async send(text: string, to?: string): Promise<number> {
    const { members } = this.cluster;
    const receivers =
      to === undefined ? [...members.values()] : [members.get(to)].filter((one) => one !== undefined);
    setImmediate(() => receivers.forEach(({ member }) => member.onMessage(text)));
    return receivers.length;
  }

  async find(key: string): Promise<Record<string, string> | undefined> {
    return this.cluster.records.get(key);
  }

  async change(change: ClusterRecordChange): Promise<void> {
    this.#change(change, '');
  }

  async swap({ key, field, from, to }: ClusterFieldSwap): Promise<string | undefined> {
    const record = this.cluster.records.get(key) ?? {};
    if (record[field] === from)
      this.#change(
        { key, expires: 0, ...(to === undefined ? { unset: [field] } : { set: { [field]: to } }) },
        '',
      );
    return this.cluster.records.get(key)?.[field];
  }

  async lease(name: string): Promise<boolean> {
    const { leases } = this.cluster;
    if (!leases.has(name)) leases.set(name, this.member.id);
    return leases.get(name) === this.member.id;
  }

  async release(name: string): Promise<void> {
    if (this.cluster.leases.get(name) === this.member.id) this.cluster.leases.delete(name);
  }

  async members(): Promise<readonly string[]> {
    return [...this.cluster.members.keys()];
  }

  async close(): Promise<void> {
    this.cluster.members.delete(this.member.id);
    for (const [name, holder] of this.cluster.leases) {
      if (holder === this.member.id) this.cluster.leases.delete(name);
    }
  }

  #change({ key, set = {}, stamp = [], unset = [] }: ClusterRecordChange, position: string): void {
    const record = { ...this.cluster.records.get(key), ...set };
    for (const field of stamp) record[field] ??= position;
    for (const field of unset) delete record[field];
    this.cluster.records.set(key, record);
  }
}
