import type { TaskStore } from '../extensions/task-store.interface.js';

/** A place in the log that processes share. */
export interface ClusterPosition {
  /** Names the log, in lower-case letters and digits: a log that was emptied and began again has another name. */
  readonly epoch: string;
  /** Grows with each entry, with gaps; a safe integer. */
  readonly number: number;
}

/** What a process appended to the log. */
export interface ClusterEntry {
  readonly position: ClusterPosition;
  readonly text: string;
}

/** A small thing that processes know together: texts by names. */
export type ClusterRecord = Readonly<Record<string, string>>;

/** A change of a record. */
export interface ClusterRecordChange {
  /** Visible ASCII without spaces. */
  readonly key: string;
  /** Whether what the record said before is forgotten first. @default false */
  readonly isWhole?: boolean;
  /** @default nothing */
  readonly set?: ClusterRecord;
  /**
   * Fields to set, unless they exist, to the position of the appended entry, or of the newest one if none is appended, as
   * `<epoch>:<number>`. @default none
   */
  readonly stamp?: readonly string[];
  /** @default none */
  readonly unset?: readonly string[];
  /** Until when the record is kept at least, in milliseconds of the epoch. */
  readonly expires: number;
}

/** A change of one field, which is made only if the field has the expected value. */
export interface ClusterFieldSwap {
  readonly key: string;
  readonly field: string;
  /** The expected value; left out if the field should be absent. */
  readonly from?: string | undefined;
  /** The new value; left out to remove the field. */
  readonly to?: string | undefined;
  /** Until when the record is kept at least, in milliseconds of the epoch. */
  readonly expires: number;
}

/** Figures of the exchange between processes, since this one joined. */
export interface ClusterFigures {
  /** Milliseconds that the newest entry took to get here; absent before the first. */
  readonly lagMs?: number;
  /** How often the connection came back. */
  readonly reconnections: number;
  /** Entries that were read again because the connection had been lost. */
  readonly replayed: number;
  /** How often entries were gone before they could be read. */
  readonly gaps: number;
}

/** Why an engine is out of reach. */
export interface ClusterFailure {
  /** One word for it, such as `WRONGPASS` or `ECONNREFUSED`: health names it to whoever asks. */
  readonly reason?: string | undefined;
  /** All that is known of it, without a secret: it may name hosts and users. */
  readonly message: string;
}

/** Figures of the exchange between processes, since this one began. */
export interface RelayFigures extends ClusterFigures {
  /** Whether the others can be reached. */
  readonly isConnected: boolean;
  /** Why they cannot be reached, as far as the engine says. */
  readonly failure?: ClusterFailure;
  /** Messages that wait to be published. */
  readonly waiting: number;
  /** Messages that never reached the others, because too many waited. */
  readonly dropped: number;
}

/** A process that joins: what the engine tells it. None of these throws. */
export interface ClusterMember {
  /** Names the process among all; letters and digits, and never used twice. */
  readonly id: string;
  /** Names the server, by its path: the servers of one application share an engine, but none of its contents. */
  readonly server: string;
  /** Takes each entry of the log that comes after the process joined, in order and once, its own too. */
  onEntry(entry: ClusterEntry): void;
  /** Takes a message that another process, or this one, sent. */
  onMessage(text: string): void;
  /** Hears that entries are gone that the process had not been given. */
  onGap(): void;
  /** Hears that the engine is out of reach, or that it is back and every entry since was given. */
  onConnection(isConnected: boolean): void;
}

/**
 * What a process can do in a cluster. Each promise settles in bounded time. It rejects if the engine is out of reach; then the
 * operation may have happened or not.
 */
export interface ClusterConnection {
  readonly isConnected: boolean;
  /** Why it is not connected. @default not known */
  readonly failure?: ClusterFailure | undefined;
  /** The place of the newest entry that the process has received, or at which it joined; absent until the engine is first reached. */
  readonly position: ClusterPosition | undefined;
  readonly figures: ClusterFigures;
  /** The time by the clock of the engine, in milliseconds of the epoch: it is the same for all processes. @default that of this process */
  readonly now?: number;
  /** Milliseconds for which a process is among {@link members} after its last sign of life. @default 3_000 */
  readonly countedMs?: number;
  /** Appends an entry to the log, and changes a record in the same step. */
  append(text: string, change?: ClusterRecordChange): Promise<ClusterPosition>;
  /** Gives entries behind a place, oldest first; `undefined` if one of them is gone, or the place is of another log. */
  read(after: ClusterPosition, limit: number): Promise<readonly ClusterEntry[] | undefined>;
  /** Sends a message to one process, or to all. It is lost if nobody listens. Gives how many processes took it. */
  send(text: string, member?: string): Promise<number>;
  find(key: string): Promise<ClusterRecord | undefined>;
  /** Changes a record without an entry. */
  change(change: ClusterRecordChange): Promise<void>;
  /** Changes a field if it has the expected value; gives its value afterwards. */
  swap(swap: ClusterFieldSwap): Promise<string | undefined>;
  /** Takes or renews a lease that one process at a time may have, for a time; tells whether this process has it. */
  lease(name: string, holdMs: number): Promise<boolean>;
  /** Gives back what {@link lease} took. */
  release(name: string): Promise<void>;
  /** Gives the processes of the server that live, this one too. A process that was killed is not among them after a few seconds. */
  members(): Promise<readonly string[]>;
  /** Leaves: the process is no member from then on. */
  close(): Promise<void>;
}

/**
 * What several processes need to be one server: a log that all read, messages between them, and small records. `redisCluster()` of
 * `nestjs-mcp/redis` gives one on Redis.
 *
 * @example
 * McpModule.forRoot({ serverInfo, secret, cluster: redisCluster({ client, prefix: 'shop' }) })
 */
export interface Cluster {
  /**
   * Joins. It settles in bounded time. If the engine is out of reach, it gives a connection that is not connected yet, or
   * rejects if the application must not start without it.
   */
  join(member: ClusterMember): Promise<ClusterConnection>;
  /** Creates what keeps the tasks of a server, if its option `tasks.store` is left out. @default that option is required for tasks */
  createTaskStore?(parts: ClusterTaskStoreParts): TaskStore;
  /** Whether what is shared travels encrypted, or stays on this machine; `doctor --production` asks. @default not known */
  readonly isEncrypted?: boolean | undefined;
}

/** What the tasks of a server are kept with. */
export interface ClusterTaskStoreParts {
  /** Names the server, as for {@link ClusterMember}. */
  readonly server: string;
  /** The option `secret` of the server: payloads can be encrypted with the first, and read with each. */
  readonly secrets: readonly string[];
  /** Tasks of one owner that are kept besides those under way. */
  readonly maximumPerOwner: number;
}
