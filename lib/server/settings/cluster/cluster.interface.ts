import type { TaskStore } from '../extensions/task-store.interface.js';

/** A place in the shared log of the processes. */
export interface ClusterPosition {
  /** The name of the log, in lower-case letters and digits. A log that begins again after it was emptied gets another name. */
  readonly epoch: string;
  /** The number of the entry, a safe integer. It grows with each entry, and may skip numbers. */
  readonly number: number;
}

/** An entry that a process appended to the log. */
export interface ClusterEntry {
  readonly position: ClusterPosition;
  readonly text: string;
}

/** A small record that processes share: strings by name. */
export type ClusterRecord = Readonly<Record<string, string>>;

/** The owner whose quota the bytes of a record use. A backend may count them, and remove the oldest records of an owner that exceeds it. */
export interface ClusterRecordOwner {
  /** The caller with a token; absent for all others. */
  readonly caller?: string | undefined;
  /** The address or session of a caller without a token; absent if unknown. */
  readonly share?: string | undefined;
}

/** A change of a record. */
export interface ClusterRecordChange {
  /** Visible ASCII without spaces. */
  readonly key: string;
  /** Whether the earlier fields of the record are removed first. @default false */
  readonly isWhole?: boolean;
  /** @default nothing */
  readonly set?: ClusterRecord;
  /**
   * Fields to set to a position, as `<epoch>:<number>`, unless they exist. It is the position of the appended entry, or
   * of the newest one if none is appended.
   * @default none
   */
  readonly stamp?: readonly string[];
  /** @default none */
  readonly unset?: readonly string[];
  /** Leave it out if the record is not a client's. @default nobody's */
  readonly owner?: ClusterRecordOwner | undefined;
  /** The time until which the record is stored at least, in milliseconds since the epoch. */
  readonly expires: number;
}

/** A change of one field, made only if the field has the expected value. */
export interface ClusterFieldSwap {
  readonly key: string;
  readonly field: string;
  /** The expected value. Leave it out if the field should be absent. */
  readonly from?: string | undefined;
  /** The new value. Leave it out to remove the field. */
  readonly to?: string | undefined;
  /** Leave it out if the record is not a client's. @default nobody's */
  readonly owner?: ClusterRecordOwner | undefined;
  /** The time until which the record is stored at least, in milliseconds since the epoch. */
  readonly expires: number;
}

/** Figures of the exchange between processes, since this one joined. */
export interface ClusterConnectionStats {
  /** The delivery latency of the newest entry, in milliseconds; absent before the first entry. */
  readonly lagMs?: number;
  /** How often the connection was restored. */
  readonly reconnections: number;
  /** Entries that were read again because the connection had been lost. */
  readonly replayed: number;
  /** How often entries were gone before this process read them. */
  readonly gaps: number;
}

/** Why an engine is out of reach. */
export interface ClusterFailure {
  /** A one-word code, such as `WRONGPASS` or `ECONNREFUSED`, which the health check reports. */
  readonly reason?: string | undefined;
  /** All that is known of it, without a secret: it may name hosts and users. */
  readonly message: string;
}

/** Figures of the exchange between processes, since this one began. */
export interface ClusterStats extends ClusterConnectionStats {
  /** Whether the others can be reached. */
  readonly isConnected: boolean;
  /** Whether this process could read all messages of the last minute. Messages of a process with a different `secret` are unreadable. */
  readonly isReadable: boolean;
  /** Messages that this process could not read. */
  readonly unreadable: number;
  /** Why they cannot be reached, if the backend knows. */
  readonly failure?: ClusterFailure;
  /** Messages that wait to be published. */
  readonly waiting: number;
  /** Messages that were dropped because too many waited. */
  readonly dropped: number;
}

/** The callbacks through which the backend informs a process that joined. They never throw. */
export interface ClusterMember {
  /** The name of the process: letters and digits, never used twice. */
  readonly id: string;
  /** The name of the server, from its path. The servers of one application share an engine, but not its contents. */
  readonly server: string;
  /** Receives each log entry since the process joined, in order and exactly once, including its own. */
  onEntry(entry: ClusterEntry): void;
  /** Receives a message from any process, including this one. */
  onMessage(text: string): void;
  /** Is called if entries are gone before the process got them. */
  onGap(): void;
  /** Is called if the engine is out of reach, and again when it is back and all entries since then were delivered. */
  onConnection(isConnected: boolean): void;
}

/**
 * The operations of a process in a cluster. Each promise settles in bounded time. It rejects if the engine is out of
 * reach. The operation may then have happened or not.
 */
export interface ClusterConnection {
  readonly isConnected: boolean;
  /** Why it is not connected. @default not known */
  readonly failure?: ClusterFailure | undefined;
  /** The place of the newest entry that the process has received, or the place at which it joined. Absent until the engine is first reached. */
  readonly position: ClusterPosition | undefined;
  readonly figures: ClusterConnectionStats;
  /** The time of the backend's clock, in milliseconds since the epoch. All processes see the same clock. @default the clock of this process */
  readonly now?: number;
  /** Milliseconds for which a process stays in {@link members} after its last sign of life. @default 3_000 */
  readonly countedMs?: number;
  /** Appends an entry to the log, and changes a record in the same step. */
  append(text: string, change?: ClusterRecordChange): Promise<ClusterPosition>;
  /** Returns the entries after a place, oldest first. Returns `undefined` if one of them is gone, or the place belongs to another log. */
  read(after: ClusterPosition, limit: number): Promise<readonly ClusterEntry[] | undefined>;
  /** Sends a message to one process or to all. Without a listener it is lost. Returns how many processes received it. */
  send(text: string, member?: string): Promise<number>;
  find(key: string): Promise<ClusterRecord | undefined>;
  /** Changes a record without an entry. */
  change(change: ClusterRecordChange): Promise<void>;
  /** Changes a field if it has the expected value. Returns the value after that. */
  swap(swap: ClusterFieldSwap): Promise<string | undefined>;
  /** Acquires or renews a lease, which only one process can hold at a time. Returns whether this process holds it. */
  lease(name: string, holdMs: number): Promise<boolean>;
  /** Returns the lease. */
  release(name: string): Promise<void>;
  /** Returns the living processes of the server, including this one. A killed process disappears after a few seconds. */
  members(): Promise<readonly string[]>;
  /** Leaves the cluster. From then on, the process is not a member. */
  close(): Promise<void>;
}

/**
 * The engine that makes several processes one server: a log that all read, messages between them, and small records.
 * `redisCluster()` of `nestjs-mcp/redis` creates one on Redis.
 *
 * @example
 * McpModule.forRoot({ serverInfo, secret, cluster: redisCluster({ client, prefix: 'shop' }) })
 */
export interface Cluster {
  /**
   * Joins the cluster, and settles in bounded time. If the engine is out of reach, it returns a connection that is not
   * connected yet. If the application must not start without the engine, it rejects.
   */
  join(member: ClusterMember): Promise<ClusterConnection>;
  /** Creates the store for the tasks of a server, if the option `tasks.store` is left out. @default that option is required for tasks */
  createTaskStore?(parts: ClusterTaskStoreParts): TaskStore;
  /** What distinguishes environments that share an engine. The keys that `secret` gives differ with it. @default '' */
  readonly prefix?: string | undefined;
  /** Whether shared values travel encrypted or stay on this machine. `doctor --production` reads it. @default not known */
  readonly isEncrypted?: boolean | undefined;
}

/** Options of the store for a server's tasks. */
export interface ClusterTaskStoreParts {
  /** The name of the server, as in {@link ClusterMember}. */
  readonly server: string;
  /** The option `secret` of the server. The store can encrypt with the first secret, and read with each. */
  readonly secrets: readonly string[];
  /** The option `acceptFormerFormatUntil` of the server. @default nothing of a former format is accepted */
  readonly acceptFormerFormatUntil?: string | undefined;
  /** The maximum number of finished tasks that are stored per owner. */
  readonly maxTasksPerCaller: number;
}
