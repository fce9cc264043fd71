import type {
  Cluster,
  ClusterConnection,
  ClusterEntry,
  ClusterFieldSwap,
  ClusterConnectionStats,
  ClusterMember,
  ClusterPosition,
  ClusterRecord,
  ClusterRecordChange,
  ClusterTaskStoreParts,
  TaskStore,
} from 'nestjs-mcp';

/** An engine as one process has it: what that asks is written down, and may never be answered. */
export class WatchedCluster implements Cluster {
  /** What the process has asked the engine, by the names of the methods. */
  readonly commands: string[] = [];
  /** What it has appended to the log, and sent. */
  readonly texts: string[] = [];
  /** What it has of the engine: one for each server of it. */
  readonly connections: ClusterConnection[] = [];
  /** Whether the engine takes what it is asked, and never answers. */
  isHung = false;
  /** What the answers wait for that the engine gives from now on. */
  gate: Promise<void> | undefined;
  /** What the engine refuses to do, by the names of the methods. */
  readonly refused = new Set<string>();
  /** What the process is not told yet. */
  #held: (() => void)[] | undefined;

  constructor(private readonly engine: Cluster) {}

  async join(member: ClusterMember): Promise<ClusterConnection> {
    const joined = await this.engine.join({
      ...member,
      onEntry: (entry) => this.#deliver(() => member.onEntry(entry)),
      onMessage: (text) => this.#deliver(() => member.onMessage(text)),
    });
    const connection = new WatchedConnection(this, joined);
    this.connections.push(connection);
    return connection;
  }

  /** From now on, the process is told neither entries nor messages, as if they were still on their way. */
  holdDeliveries(): void {
    this.#held ??= [];
  }

  /** Tells the process what was held, in order. */
  releaseDeliveries(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const deliver of held) deliver();
  }

  #deliver(deliver: () => void): void {
    if (this.#held === undefined) deliver();
    else this.#held.push(deliver);
  }

  createTaskStore(parts: ClusterTaskStoreParts): TaskStore {
    const store = this.engine.createTaskStore?.(parts);
    if (store === undefined) throw new Error('The engine keeps no tasks');
    return store;
  }
}

class WatchedConnection implements ClusterConnection {
  constructor(
    private readonly cluster: WatchedCluster,
    private readonly inner: ClusterConnection,
  ) {}

  get isConnected(): boolean {
    return this.inner.isConnected;
  }

  get position(): ClusterPosition | undefined {
    return this.inner.position;
  }

  get figures(): ClusterConnectionStats {
    return this.inner.figures;
  }

  append(text: string, change?: ClusterRecordChange): Promise<ClusterPosition> {
    this.cluster.texts.push(text);
    return this.#ask('append', () => this.inner.append(text, change));
  }

  read(after: ClusterPosition, limit: number): Promise<readonly ClusterEntry[] | undefined> {
    return this.#ask('read', () => this.inner.read(after, limit));
  }

  send(text: string, member?: string): Promise<number> {
    this.cluster.texts.push(text);
    return this.#ask('send', () => this.inner.send(text, member));
  }

  find(key: string): Promise<ClusterRecord | undefined> {
    return this.#ask('find', () => this.inner.find(key));
  }

  change(change: ClusterRecordChange): Promise<void> {
    return this.#ask('change', () => this.inner.change(change));
  }

  swap(swap: ClusterFieldSwap): Promise<string | undefined> {
    return this.#ask('swap', () => this.inner.swap(swap));
  }

  lease(name: string, holdMs: number): Promise<boolean> {
    return this.#ask('lease', () => this.inner.lease(name, holdMs));
  }

  release(name: string): Promise<void> {
    return this.#ask('release', () => this.inner.release(name));
  }

  members(): Promise<readonly string[]> {
    return this.#ask('members', () => this.inner.members());
  }

  close(): Promise<void> {
    return this.inner.close();
  }

  async #ask<Answer>(command: string, ask: () => Promise<Answer>): Promise<Answer> {
    this.cluster.commands.push(command);
    if (this.cluster.refused.has(command)) throw new Error(`The engine refuses to ${command}`);
    if (this.cluster.isHung) return new Promise(() => undefined);
    const { gate } = this.cluster;
    const answer = await ask();
    await gate;
    return answer;
  }
}
