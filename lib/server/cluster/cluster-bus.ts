import type {
  ClusterConnection,
  ClusterPosition,
  ClusterRecordChange,
  ClusterStats,
} from '../settings/cluster/cluster.interface.js';

/**
 * The process that published an entry, and the entry's number. Neither changes when the entry is delivered or stored.
 */
export interface EntryName {
  readonly member: string;
  /** The entry's number among the process's entries, starting at 1. */
  readonly count: number;
}

/** How a published message was delivered. */
export interface Delivery {
  /**
   * Its position in the log. Absent if only this process received it because there are no others or they are
   * unreachable.
   */
  readonly position?: ClusterPosition;
  /** Absent if it is never stored in the log. */
  readonly name?: EntryName;
}

/** A published message, read from the log. */
export interface LogEntry<Body> {
  readonly body: Body;
  readonly position: ClusterPosition;
  readonly name: EntryName;
}

/** A published message that has no position yet. */
export type PendingEntry<Body> = Omit<LogEntry<Body>, 'position'>;

/** A reply from one of several processes. */
export interface MemberReply<Reply> {
  readonly member: string;
  readonly reply: Reply;
}

/**
 * Connects a server's processes. Everything that concerns other processes goes through the bus. A server without a
 * cluster has one too, which delivers messages in its process immediately.
 */
export abstract class ClusterBus {
  /** Whether the server may have other processes. */
  abstract readonly isShared: boolean;
  /** This process's name, which consists of letters and digits. */
  abstract readonly member: string;
  /** Returns whether a process of this server has or had this name. Names cannot be forged without the secret. */
  abstract isMember(name: string): boolean;
  /** Whether other processes are reachable now. */
  abstract readonly isConnected: boolean;
  /** This process's newest published message. Absent if entries have no names. */
  abstract readonly published: EntryName | undefined;
  /** The position of the newest entry delivered in this process. Absent if there is none. */
  abstract readonly position: ClusterPosition | undefined;

  /**
   * The time in milliseconds since the epoch, from the backend's clock if it has one, and otherwise from this
   * process. It may be off, or jump back, by a few milliseconds.
   */
  get now(): number {
    return this.shared?.now ?? Date.now();
  }

  /**
   * Sends a message to all processes, including this one, in the same order everywhere. It never throws. If the
   * others are unreachable, this process receives the message immediately, and the others once they are reachable.
   *
   * @param change a record change to apply together with it
   */
  abstract publish<Body extends object>(topic: Topic<Body>, body: Body, change?: ClusterRecordChange): void;

  /**
   * Publishes like {@link publish}. The promise resolves when all later entries of any process are ordered after the
   * message. It never rejects, and settles within the backend's timeouts. If the others are unreachable, only this
   * process receives the message.
   */
  abstract publishFlushed<Body extends object>(
    topic: Topic<Body>,
    body: Body,
    change?: ClusterRecordChange,
  ): Promise<void>;

  /**
   * Waits until this process's previous entries are ordered before all later entries from others. Returns whether the
   * backend has all of them. It never rejects, and settles within the backend's timeouts.
   */
  abstract flush(): Promise<boolean>;

  /**
   * Waits until all processes have processed this one's messages, for at most two seconds. It never rejects. It does
   * not wait for processes that stall or are cut off.
   */
  abstract acknowledged(): Promise<void>;

  /** Subscribes to published messages. Returns a function that unsubscribes. */
  abstract on<Body extends object>(
    topic: Topic<Body>,
    take: (body: Body, delivery: Delivery) => void,
  ): () => void;

  /**
   * Subscribes to messages that receive their position after they were delivered in this process. Readers that have
   * not received such a message must receive it now.
   */
  abstract onStored<Body extends object>(
    topic: Topic<Body>,
    take: (body: Body, delivery: Delivery) => void,
  ): () => void;

  /** Reads the entries after a position, oldest first. Returns `undefined` if some of them are gone. */
  abstract replay<Body extends object>(
    topic: Topic<Body>,
    after: ClusterPosition,
  ): Promise<readonly LogEntry<Body>[] | undefined>;

  /** Returns the result of {@link replay} if this process has all entries in memory. Later entries are delivered after it. */
  abstract replayBuffered<Body extends object>(
    topic: Topic<Body>,
    after: ClusterPosition,
  ): readonly LogEntry<Body>[] | undefined;

  /**
   * Reads the entries after a position up to the current end of the log, oldest first, in parts on demand.
   *
   * @param reader identifies the reader, because readers take turns @default the process itself
   * @throws {ClusterBusError} `gone` if some entries are gone, and another reason if they cannot be read
   */
  abstract replayInParts<Body extends object>(
    topic: Topic<Body>,
    after: ClusterPosition,
    reader?: string,
  ): AsyncIterable<readonly LogEntry<Body>[]>;

  /**
   * Returns messages that were delivered in this process while the log did not accept them, and that have no position
   * yet. Oldest first.
   */
  abstract listPending<Body extends object>(topic: Topic<Body>): readonly PendingEntry<Body>[];

  /** Subscribes to losses of published entries. The listener is called after the entries that arrived with them. */
  abstract onGap(take: () => void): () => void;

  /**
   * Subscribes to the same losses, but the listener is called before any later message is delivered. {@link position}
   * may be ahead of the loss.
   */
  abstract onEarlyGap(take: () => void): () => void;

  /** Subscribes to reconnections. The listener is called after the other processes' entries were delivered. */
  abstract onReconnect(take: () => void): () => void;

  /**
   * Sends an ephemeral message to all processes. This process receives it immediately. Other processes may not
   * receive it.
   */
  abstract broadcast<Body extends object>(topic: Topic<Body>, body: Body): void;

  /** Sends an ephemeral message to one or all other processes. It may be lost. */
  abstract send<Body extends object>(topic: Topic<Body>, body: Body, member?: string): void;

  /**
   * Sends a request to another process.
   *
   * @throws {ClusterBusError} if there is no such process, or it does not respond in time
   */
  abstract request<Body extends object, Reply>(
    query: Query<Body, Reply>,
    body: Body,
    member: string,
  ): Promise<Reply>;

  /** Sends a request to all processes, including this one. Returns the replies that arrive in time. */
  abstract requestAll<Body extends object, Reply>(
    query: Query<Body, Reply>,
    body: Body,
  ): Promise<readonly MemberReply<Reply>[]>;

  /** Handles requests from processes. An error reaches the requesting process as a {@link ClusterBusError}. */
  abstract respond<Body extends object, Reply>(
    query: Query<Body, Reply>,
    reply: (body: Body, member: string) => Reply | Promise<Reply>,
  ): void;

  /** The cluster's statistics. Absent if there are no other processes. */
  abstract readonly stats: ClusterStats | undefined;

  /** The records, leases and member list that processes share. Absent if there are no other processes. */
  abstract readonly shared: SharedState | undefined;
}

/** The state that processes share. Operations reject if the backend cannot be reached in time. */
export type SharedState = Pick<
  ClusterConnection,
  'find' | 'change' | 'swap' | 'lease' | 'release' | 'members' | 'figures' | 'now' | 'countedMs'
>;

/**
 * A kind of message between processes. Two versions of this package may run side by side: if the body changes, the
 * topic needs a new name.
 */
export class Topic<Body> {
  declare readonly body: Body;

  constructor(
    readonly name: string,
    /** Returns whether this release understands a message. Other messages are ignored. */
    readonly isBody: (body: object) => boolean = () => true,
  ) {}
}

/** A kind of request between processes. */
export class Query<Body, Reply> {
  declare readonly body: Body;
  declare readonly reply: Reply;

  constructor(readonly name: string) {}
}

/** A request to other processes failed. */
export class ClusterBusError extends Error {
  override readonly name = 'ClusterBusError';

  constructor(
    /**
     * `unreachable`: there is no such process; `timeout`: it did not respond; `failed`: it responded with an error;
     * `gone`: the entries are no longer in the log.
     */
    readonly reason: 'unreachable' | 'timeout' | 'failed' | 'gone',
    explanation: string,
    options?: ErrorOptions,
  ) {
    super(explanation, options);
  }
}

/**
 * How long this process waits for other processes and for the backend, in milliseconds. Tests shorten these timeouts.
 */
export class ClusterTimeouts {
  /** The timeout for a request to another process. */
  readonly answerMs: number = 5000;
  /** How long other processes may take to read this process's entries before it continues without them. */
  readonly acknowledgedMs: number = 1000;
  /** The pause between two attempts to reach a process. */
  readonly retryMs: number = 250;
  /**
   * How long to retry a process that is still a member but receives nothing. A killed process stays a member for a
   * while.
   */
  readonly unresponsiveMs: number = 15_000;
  /**
   * How long a process must be missing before it counts as gone. A backend that was emptied or replaced does not list
   * running processes until they have reconnected.
   */
  readonly certainMs: number = 2000;
  /** How long an unreachable backend may take to return before a client's POST fails. */
  readonly postMs: number = 2000;
  /** How long an unreachable backend may take to return before a client's request for a stream fails. */
  readonly streamMs: number = 8000;
  /** The interval between reports to a process whose streams are being read. */
  readonly reportMs: number = 3000;
}
