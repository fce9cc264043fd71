import type { TaskStore } from '../extensions/task-store.interface.js';

/** A position in the log that the processes share. */
export interface ClusterPosition {
  /**
   * The log name, in lower-case letters and digits. A log that restarts after its contents were lost gets a new name.
   */
  readonly epoch: string;
  /** The entry's number, a safe integer. It grows with each entry, and may skip numbers. */
  readonly number: number;
}

/** An entry that a process appended to the log. */
export interface ClusterEntry {
  readonly position: ClusterPosition;
  readonly text: string;
}

/** A small record that processes share: named strings. */
export type ClusterRecord = Readonly<Record<string, string>>;

/**
 * The owner toward whose quota a record's bytes count. A backend may enforce the quota and remove the oldest records
 * of an owner that exceeds it.
 */
export interface ClusterRecordOwner {
  /** The caller with a token; absent for all others. */
  readonly caller?: string | undefined;
  /** The address or session of a caller without a token; absent if unknown. */
  readonly share?: string | undefined;
}

/** A change to a record. */
export interface ClusterRecordChange {
  /** Visible ASCII without spaces. */
  readonly key: string;
  /** Whether to remove the record's earlier fields first. @default false */
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
  /** The record's owner; absent if it does not belong to a client. @default none */
  readonly owner?: ClusterRecordOwner | undefined;
  /** The earliest time at which the record may be removed, in milliseconds since the epoch. */
  readonly expires: number;
}

/** A change to one field, made only if the field has the expected value. */
export interface ClusterFieldSwap {
  readonly key: string;
  readonly field: string;
  /** The expected value. Omit it if the field should be absent. */
  readonly from?: string | undefined;
  /** The new value. Omit it to remove the field. */
  readonly to?: string | undefined;
  /** The record's owner; absent if it does not belong to a client. @default none */
  readonly owner?: ClusterRecordOwner | undefined;
  /** The earliest time at which the record may be removed, in milliseconds since the epoch. */
  readonly expires: number;
}

/** Statistics about the connection to the cluster, since this process joined. */
export interface ClusterConnectionStats {
  /** The delivery latency of the newest entry, in milliseconds; absent before the first entry. */
  readonly lagMs?: number;
  /** The number of times that the connection was restored. */
  readonly reconnections: number;
  /** The number of entries that were reread because the connection had been lost. */
  readonly replayed: number;
  /** The number of times that entries were lost before this process read them. */
  readonly gaps: number;
}

/** Why the backend is unavailable. */
export interface ClusterFailure {
  /** A one-word code, such as `WRONGPASS` or `ECONNREFUSED`, which the health check reports. */
  readonly reason?: string | undefined;
  /** The full reason, without secrets. It may name hosts and users. */
  readonly message: string;
}

/** Statistics about the cluster, since this process started. */
export interface ClusterStats extends ClusterConnectionStats {
  /** Whether the other processes are reachable. */
  readonly isConnected: boolean;
  /**
   * Whether this process could read all messages in the last minute. Messages from a process with a different
   * `secret` are unreadable.
   */
  readonly isReadable: boolean;
  /** The number of messages that this process could not read. */
  readonly unreadable: number;
  /** Why they are unreachable, if the backend knows. */
  readonly failure?: ClusterFailure;
  /** The number of messages waiting to be published. */
  readonly waiting: number;
  /** The number of messages dropped because too many were waiting. */
  readonly dropped: number;
}

/** The callbacks with which the backend notifies a process that has joined. They never throw. */
export interface ClusterMember {
  /** The process's name, which consists of letters and digits and is never reused. */
  readonly id: string;
  /** The server name, from its path. The servers of one application share a backend, but not its contents. */
  readonly server: string;
  /** Receives each log entry since the process joined, in order and exactly once, including its own. */
  onEntry(entry: ClusterEntry): void;
  /** Receives a message from any process, including this one. */
  onMessage(text: string): void;
  /** Called if entries are lost before the process receives them. */
  onGap(): void;
  /** Called if the backend becomes unavailable, and again when it is available and all entries since then were delivered. */
  onConnection(isConnected: boolean): void;
}

/**
 * A process's operations in a cluster. Each promise settles in bounded time. It rejects if the backend is
 * unavailable, in which case the operation may or may not have taken effect.
 */
export interface ClusterConnection {
  readonly isConnected: boolean;
  /** Why it is not connected. @default unknown */
  readonly failure?: ClusterFailure | undefined;
  /**
   * The position of the newest entry that the process has received, or the position at which it joined. Absent until
   * the backend is first reached.
   */
  readonly position: ClusterPosition | undefined;
  readonly figures: ClusterConnectionStats;
  /**
   * The time on the backend's clock, in milliseconds since the epoch. All processes see the same clock. @default this
   * process's clock
   */
  readonly now?: number;
  /** How long a process remains in {@link members} after its last heartbeat, in milliseconds. @default 3_000 */
  readonly countedMs?: number;
  /** Appends an entry to the log, and changes a record in the same step. */
  append(text: string, change?: ClusterRecordChange): Promise<ClusterPosition>;
  /**
   * Returns the entries after a position, oldest first. Returns `undefined` if one of them is gone, or the position
   * belongs to another log.
   */
  read(after: ClusterPosition, limit: number): Promise<readonly ClusterEntry[] | undefined>;
  /**
   * Sends a message to one process or to all. Without a listener, it is lost. Returns how many processes received it.
   */
  send(text: string, member?: string): Promise<number>;
  find(key: string): Promise<ClusterRecord | undefined>;
  /** Changes a record without an entry. */
  change(change: ClusterRecordChange): Promise<void>;
  /** Changes a field if it has the expected value. Returns the resulting value. */
  swap(swap: ClusterFieldSwap): Promise<string | undefined>;
  /** Acquires or renews a lease, which only one process can hold at a time. Returns whether this process holds it. */
  lease(name: string, holdMs: number): Promise<boolean>;
  /** Releases a lease. */
  release(name: string): Promise<void>;
  /** Returns the server's live processes, including this one. A killed process disappears after a few seconds. */
  members(): Promise<readonly string[]>;
  /** Leaves the cluster. From then on, the process is no longer a member. */
  close(): Promise<void>;
}

/**
 * The backend that makes several processes act as one server: a log that all read, messages between them, and small
 * records. `redisCluster()` from `nestjs-mcp/redis` creates one on Redis.
 *
 * @example
 * McpModule.forRoot({ serverInfo, secret, cluster: redisCluster({ client, prefix: 'shop' }) })
 */
export interface Cluster {
  /**
   * Joins the cluster, and settles in bounded time. If the backend is unavailable, it returns a connection that is
   * not connected yet. If the application must not start without the backend, it rejects.
   */
  join(member: ClusterMember): Promise<ClusterConnection>;
  /**
   * Creates the store for a server's tasks if the `tasks.store` option is omitted. @default none: tasks require
   * `tasks.store`
   */
  createTaskStore?(parts: ClusterTaskStoreParts): TaskStore;
  /** Distinguishes environments that share a backend. Keys derived from `secret` depend on it. @default '' */
  readonly prefix?: string | undefined;
  /**
   * Whether the connection to the backend is encrypted or local. `doctor --production` checks it. @default unknown
   */
  readonly isEncrypted?: boolean | undefined;
}

/** Options for the store of a server's tasks. */
export interface ClusterTaskStoreParts {
  /** The server name, as in {@link ClusterMember}. */
  readonly server: string;
  /** The server's `secret` option. The store can encrypt with the first secret, and read with each of them. */
  readonly secrets: readonly string[];
  /** The server's `acceptFormerFormatUntil` option. @default the former format is not accepted */
  readonly acceptFormerFormatUntil?: string | undefined;
  /** The maximum number of finished tasks to store per owner. */
  readonly maxTasksPerCaller: number;
}
