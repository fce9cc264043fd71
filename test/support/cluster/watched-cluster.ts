import type {
  Cluster,
  ClusterConnection,
  ClusterEntry,
  ClusterFieldSwap,
  ClusterFigures,
  ClusterMember,
  ClusterPosition,
  ClusterRecord,
  ClusterRecordChange,
} from 'nestjs-mcp';

/** How an engine is out of reach: it is known to be, or it takes what it is asked and never answers. */
export type Outage = 'gone' | 'hung';

/** An engine as one process has it: what that asks is written down, and its connection can be cut. */
export class WatchedCluster implements Cluster {
  /** What the process has asked the engine, by the names of the methods. */
  readonly commands: string[] = [];
  #outage: Outage | undefined;
  #connection: WatchedConnection | undefined;

  constructor(private readonly engine: Cluster) {}

  get outage(): Outage | undefined {
    return this.#outage;
  }

  async join(member: ClusterMember): Promise<ClusterConnection> {
    const connection = new WatchedConnection(this, member);
    this.#connection = connection;
    connection.inner = await this.engine.join(connection);
    return connection;
  }

  cut(outage: Outage = 'gone'): void {
    this.#outage = outage;
    if (outage === 'gone') this.#connection?.member.onConnection(false);
  }

  heal(): void {
    this.#outage = undefined;
    this.#connection?.catchUp();
    this.#connection?.member.onConnection(true);
  }

  /** Says that entries were lost that the process was not given. */
  lose(): void {
    this.#connection?.member.onGap();
  }
}

class WatchedConnection implements ClusterConnection, ClusterMember {
  inner: ClusterConnection | undefined;
  readonly id: string;
  readonly server: string;
  #given: ClusterPosition | undefined;
  #waiting: ClusterEntry[] = [];

  constructor(
    private readonly cluster: WatchedCluster,
    readonly member: ClusterMember,
  ) {
    this.id = member.id;
    this.server = member.server;
  }

  get isConnected(): boolean {
    return this.cluster.outage !== 'gone' && this.inner?.isConnected === true;
  }

  get position(): ClusterPosition | undefined {
    return this.#given ?? this.inner?.position;
  }

  get figures(): ClusterFigures {
    return this.inner?.figures ?? { reconnections: 0, replayed: 0, gaps: 0 };
  }

  onEntry(entry: ClusterEntry): void {
    if (this.cluster.outage !== undefined) return void this.#waiting.push(entry);
    this.#given = entry.position;
    this.member.onEntry(entry);
  }

  onMessage(text: string): void {
    if (this.cluster.outage === undefined) this.member.onMessage(text);
  }

  onGap(): void {
    this.member.onGap();
  }

  onConnection(isConnected: boolean): void {
    this.member.onConnection(isConnected);
  }

  catchUp(): void {
    for (const entry of this.#waiting.splice(0)) this.onEntry(entry);
  }

  append(text: string, change?: ClusterRecordChange): Promise<ClusterPosition> {
    return this.#ask('append', (engine) => engine.append(text, change));
  }

  read(after: ClusterPosition, limit: number): Promise<readonly ClusterEntry[] | undefined> {
    return this.#ask('read', (engine) => engine.read(after, limit));
  }

  send(text: string, member?: string): Promise<number> {
    return this.#ask('send', (engine) => engine.send(text, member));
  }

  find(key: string): Promise<ClusterRecord | undefined> {
    return this.#ask('find', (engine) => engine.find(key));
  }

  change(change: ClusterRecordChange): Promise<void> {
    return this.#ask('change', (engine) => engine.change(change));
  }

  swap(swap: ClusterFieldSwap): Promise<string | undefined> {
    return this.#ask('swap', (engine) => engine.swap(swap));
  }

  lease(name: string, holdMs: number): Promise<boolean> {
    return this.#ask('lease', (engine) => engine.lease(name, holdMs));
  }

  release(name: string): Promise<void> {
    return this.#ask('release', (engine) => engine.release(name));
  }

  members(): Promise<readonly string[]> {
    return this.#ask('members', (engine) => engine.members());
  }

  async close(): Promise<void> {
    await this.inner?.close();
  }

  #ask<Answer>(command: string, ask: (engine: ClusterConnection) => Promise<Answer>): Promise<Answer> {
    this.cluster.commands.push(command);
    if (this.cluster.outage === 'hung') return new Promise(() => undefined);
    if (this.cluster.outage === 'gone' || this.inner === undefined) {
      return Promise.reject(new Error('The engine is out of reach'));
    }
    return ask(this.inner);
  }
}
