import type {
  ClusterConnection,
  ClusterPosition,
  ClusterRecordChange,
  ClusterStats,
} from '../settings/cluster/cluster.interface.js';
import type { Query, Topic } from './topic.js';

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
export interface Recalled<Body> {
  readonly body: Body;
  readonly position: ClusterPosition;
  readonly name: EntryName;
}

/** Something that was published and has no place yet. */
export type Unplaced<Body> = Omit<Recalled<Body>, 'position'>;

/** What a process has published itself. */
export interface OwnEntries {
  /** The newest; absent if entries have no names. */
  readonly published: EntryName | undefined;
  /** Returns what this process got already and has no place yet, since the log did not take it so far, oldest first. */
  listUnplaced<Body extends object>(topic: Topic<Body>): readonly Unplaced<Body>[];
}

/** What one process answered of several that were asked. */
export interface MemberReply<Reply> {
  readonly member: string;
  readonly reply: Reply;
}

/**
 * Joins the processes of a server: whatever concerns another process goes through here. A server that is alone has a relay too, which
 * tells only its own process, at once.
 */
export abstract class Relay {
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
  abstract publishSettled<Body extends object>(
    topic: Topic<Body>,
    body: Body,
    change?: ClusterRecordChange,
  ): Promise<void>;

  /**
   * Waits until the entries of this process so far are ahead of all later entries of others. Tells whether the engine has
   * all of them. It never rejects, and is bounded by the engine.
   */
  abstract settled(): Promise<boolean>;

  /**
   * Waits until every process has taken what this one published so far, for two seconds at most. It never rejects. It gives
   * up those that do not say so in time, because they stand still or are cut off.
   */
  abstract heard(): Promise<void>;

  /** Subscribes to published messages. Returns a function that ends this. */
  abstract on<Body extends object>(
    topic: Topic<Body>,
    take: (body: Body, delivery: Delivery) => void,
  ): () => void;

  /**
   * Is called if a message that this process already got now has a place. Readers that did not get it then must get it
   * later.
   */
  abstract onPlaced<Body extends object>(
    topic: Topic<Body>,
    take: (body: Body, delivery: Delivery) => void,
  ): () => void;

  /** Reads the entries after a place, oldest first. Returns `undefined` if some of them are gone. */
  abstract recall<Body extends object>(
    topic: Topic<Body>,
    after: ClusterPosition,
  ): Promise<readonly Recalled<Body>[] | undefined>;

  /** Returns the same as {@link recall}, if this process has all of it in memory. Later entries are delivered after it. */
  abstract recallKept<Body extends object>(
    topic: Topic<Body>,
    after: ClusterPosition,
  ): readonly Recalled<Body>[] | undefined;

  /**
   * Reads the entries after a place up to the current end of the log, oldest first, in parts on demand.
   *
   * @param reader who reads it: all readers take turns @default the process itself
   * @throws {RelayError} `gone` if some of it is gone, and another if it cannot be read
   */
  abstract recallInParts<Body extends object>(
    topic: Topic<Body>,
    after: ClusterPosition,
    reader?: string,
  ): AsyncIterable<readonly Recalled<Body>[]>;

  /** Is called if published entries are lost, after the entries that arrived with them. */
  abstract onGap(take: () => void): () => void;

  /** Is called with the same, before any later message is delivered. {@link position} may be ahead of that. */
  abstract onEarlyGap(take: () => void): () => void;

  /** Is called if other processes can be reached again, after their entries were delivered. */
  abstract onReturn(take: () => void): () => void;

  /** Sends a message that is useless later to every process. This process gets it at once. It may be lost on the way to others. */
  abstract tellAll<Body extends object>(topic: Topic<Body>, body: Body): void;

  /** Sends a message that is useless later to one other process or to all. It may be lost. */
  abstract tell<Body extends object>(topic: Topic<Body>, body: Body, member?: string): void;

  /**
   * Asks another process.
   *
   * @throws {RelayError} if there is no such process, or it does not answer in time
   */
  abstract ask<Body extends object, Reply>(
    query: Query<Body, Reply>,
    body: Body,
    member: string,
  ): Promise<Reply>;

  /** Asks every process, including this one. Returns the answers that came in time. */
  abstract requestAll<Body extends object, Reply>(
    query: Query<Body, Reply>,
    body: Body,
  ): Promise<readonly MemberReply<Reply>[]>;

  /** Answers questions of processes. An error reaches the asking process as a {@link RelayError}. */
  abstract answer<Body extends object, Reply>(
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
