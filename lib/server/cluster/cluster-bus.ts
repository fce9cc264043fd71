import type {
  ClusterConnection,
  ClusterPosition,
  ClusterRecordChange,
  ClusterStats,
} from '../settings/cluster/cluster.interface.js';

/** Who published an entry, and as which of theirs: the same whichever way the entry comes. */
export interface EntryName {
  readonly member: string;
  /** Counts what the process publishes, from 1. */
  readonly count: number;
}

/** How something that was published comes. */
export interface Delivery {
  /** Its place in the log. Absent if only this process got it, because there are no others or they are out of reach. */
  readonly position?: ClusterPosition;
  /** Absent if it never has a place in the log. */
  readonly name?: EntryName;
}

/** Something that was published, read back. */
export interface LogEntry<Body> {
  readonly body: Body;
  readonly position: ClusterPosition;
  readonly name: EntryName;
}

/** Something that was published and has no place yet. */
export type PendingEntry<Body> = Omit<LogEntry<Body>, 'position'>;

/** What a process has published itself. */
export interface OwnEntries {
  /** The newest; absent if entries have no names. */
  readonly published: EntryName | undefined;
  /** Returns what this process got already and has no place yet, since the log did not take it so far, oldest first. */
  listPending<Body extends object>(topic: Topic<Body>): readonly PendingEntry<Body>[];
}

/** What one process answered of several that were asked. */
export interface MemberReply<Reply> {
  readonly member: string;
  readonly reply: Reply;
}

/**
 * Joins the processes of a server: whatever concerns another process goes through here. A server that is alone has a bus too, which
 * tells only its own process, at once.
 */
export abstract class ClusterBus {
  /** Whether the server may have other processes. */
  abstract readonly isShared: boolean;
  /** Names this process; letters and digits. */
  abstract readonly member: string;
  /** Tells whether a process of this server has, or had, this name. Nobody can invent a name without the secret. */
  abstract isMember(name: string): boolean;
  /** Whether other processes can be reached now. */
  abstract readonly isConnected: boolean;
  /** What this process has published. */
  abstract readonly own: OwnEntries;
  /** The place of the newest entry that was delivered here; absent if there is none. */
  abstract readonly position: ClusterPosition | undefined;

  /**
   * The time in milliseconds of the epoch, by a clock that all processes share as far as the engine has one. It may be some
   * milliseconds off, and go back by as many.
   */
  get now(): number {
    return this.shared?.now ?? Date.now();
  }

  /**
   * Tells every process, this one too, in the same order everywhere. It never throws. If the others are out of reach, this process is told
   * at once, and they are when they are back.
   *
   * @param change what changes in a record with it
   */
  abstract publish<Body extends object>(topic: Topic<Body>, body: Body, change?: ClusterRecordChange): void;

  /**
   * Publishes like {@link publish}. Its promise resolves when every later entry of any process comes after it. It never
   * rejects, and settles in the time of the engine. If the others are out of reach, only this process gets the message.
   */
  abstract publishFlushed<Body extends object>(
    topic: Topic<Body>,
    body: Body,
    change?: ClusterRecordChange,
  ): Promise<void>;

  /**
   * Waits until the entries of this process so far are ahead of all later entries of others. Tells whether the engine has
   * all of them. It never rejects, and is bounded by the engine.
   */
  abstract flush(): Promise<boolean>;

  /**
   * Waits until every process has taken what this one published so far, for two seconds at most. It never rejects. It gives
   * up those that do not say so in time, because they stand still or are cut off.
   */
  abstract acknowledged(): Promise<void>;

  /** Subscribes to published messages. Returns a function that ends this. */
  abstract on<Body extends object>(
    topic: Topic<Body>,
    take: (body: Body, delivery: Delivery) => void,
  ): () => void;

  /**
   * Is called if a message that this process already got now has a place. Readers that did not get it then must get it
   * later.
   */
  abstract onStored<Body extends object>(
    topic: Topic<Body>,
    take: (body: Body, delivery: Delivery) => void,
  ): () => void;

  /** Reads the entries after a place, oldest first. Returns `undefined` if some of them are gone. */
  abstract replay<Body extends object>(
    topic: Topic<Body>,
    after: ClusterPosition,
  ): Promise<readonly LogEntry<Body>[] | undefined>;

  /** Returns the same as {@link replay}, if this process has all of it in memory. Later entries are delivered after it. */
  abstract replayBuffered<Body extends object>(
    topic: Topic<Body>,
    after: ClusterPosition,
  ): readonly LogEntry<Body>[] | undefined;

  /**
   * Reads the entries after a place up to the current end of the log, oldest first, in parts on demand.
   *
   * @param reader who reads it: all readers take turns @default the process itself
   * @throws {ClusterBusError} `gone` if some of it is gone, and another if it cannot be read
   */
  abstract replayInParts<Body extends object>(
    topic: Topic<Body>,
    after: ClusterPosition,
    reader?: string,
  ): AsyncIterable<readonly LogEntry<Body>[]>;

  /** Is called if published entries are lost, after the entries that arrived with them. */
  abstract onGap(take: () => void): () => void;

  /** Is called with the same, before any later message is delivered. {@link position} may be ahead of that. */
  abstract onEarlyGap(take: () => void): () => void;

  /** Is called if other processes can be reached again, after their entries were delivered. */
  abstract onReconnect(take: () => void): () => void;

  /** Sends a message that is useless later to every process. This process gets it at once. It may be lost on the way to others. */
  abstract broadcast<Body extends object>(topic: Topic<Body>, body: Body): void;

  /** Sends a message that is useless later to one other process or to all. It may be lost. */
  abstract send<Body extends object>(topic: Topic<Body>, body: Body, member?: string): void;

  /**
   * Asks another process.
   *
   * @throws {ClusterBusError} if there is no such process, or it does not answer in time
   */
  abstract request<Body extends object, Reply>(
    query: Query<Body, Reply>,
    body: Body,
    member: string,
  ): Promise<Reply>;

  /** Asks every process, including this one. Returns the answers that came in time. */
  abstract requestAll<Body extends object, Reply>(
    query: Query<Body, Reply>,
    body: Body,
  ): Promise<readonly MemberReply<Reply>[]>;

  /** Answers questions of processes. An error reaches the asking process as a {@link ClusterBusError}. */
  abstract respond<Body extends object, Reply>(
    query: Query<Body, Reply>,
    reply: (body: Body, member: string) => Reply | Promise<Reply>,
  ): void;

  /** How the sharing goes; absent if there are no other processes. */
  abstract readonly stats: ClusterStats | undefined;

  /** The records, leases and members that processes share; absent if there are no other processes. */
  abstract readonly shared: SharedState | undefined;
}

/** What processes know together. Whatever cannot be reached in time rejects. */
export type SharedState = Pick<
  ClusterConnection,
  'find' | 'change' | 'swap' | 'lease' | 'release' | 'members' | 'figures' | 'now' | 'countedMs'
>;

/**
 * The messages between processes, by their names. Two versions of this package may run side by side: what changes in a body
 * takes another name.
 */
export class Topic<Body> {
  declare readonly body: Body;

  constructor(
    readonly name: string,
    /** Tells whether this release understands a message. Others are ignored. */
    readonly isBody: (body: object) => boolean = () => true,
  ) {}
}

/** What one process asks another. */
export class Query<Body, Reply> {
  declare readonly body: Body;
  declare readonly reply: Reply;

  constructor(readonly name: string) {}
}

/** The facts of other processes were out of reach. */
export class ClusterBusError extends Error {
  override readonly name = 'ClusterBusError';

  constructor(
    /** `unreachable`: no such process lives; `timeout`: it did not answer; `failed`: it answered that it failed; `gone`: it is no longer in the log. */
    readonly reason: 'unreachable' | 'timeout' | 'failed' | 'gone',
    explanation: string,
    options?: ErrorOptions,
  ) {
    super(explanation, options);
  }
}

/** For how long this process waits for others, and for the engine, in milliseconds. Tests of what comes after such a wait shorten it. */
export class ClusterTimeouts {
  /** What another process has to answer a question. */
  readonly answerMs: number = 5000;
  /** What other processes have to take from the log what this one published, before it goes on without them. */
  readonly heardMs: number = 1000;
  /** Between two tries to reach a process. */
  readonly retryMs: number = 250;
  /** For how long a process is asked that is counted and takes nothing: one that was killed is counted for a while. */
  readonly unheardMs: number = 15_000;
  /**
   * How long a process must be missing before it counts as gone: an engine that was emptied or moved knows living processes
   * only once they have come back to it.
   */
  readonly certainMs: number = 2000;
  /** Milliseconds in which an unreachable engine may come back before a client's POST fails. */
  readonly postMs: number = 2000;
  /** Milliseconds in which an unreachable engine may come back before the client's request for its stream fails. */
  readonly streamMs: number = 8000;
  /** Milliseconds between two reports to a process whose streams are read. */
  readonly reportMs: number = 3000;
}
