import { setTimeout as delay } from 'node:timers/promises';
import {
  ClusterBusError,
  type EntryName,
  type OwnEntries,
  type PendingEntry,
  type Topic,
} from './cluster-bus.js';
import type { Envelopes } from './envelopes.js';
import { isUpTo } from './position.js';
import { buildEntryContent, type ReadEntry } from './cluster-log.js';
import type { SealedRecords } from './sealed-records.js';
import type {
  ClusterConnection,
  ClusterPosition,
  ClusterRecordChange,
} from '../settings/cluster/cluster.interface.js';

/** A log that is in reach may refuse an entry, for example because its memory is full. The entry is tried again after this time. */
const RETRY_MS = 1000;

/** Milliseconds that an ending process waits for the log, and between two attempts. */
const LONGEST_DRAIN_MS = 2000;
const DRAIN_MS = 50;

/** Entries that go to the log together after it was out of reach. One by one, new entries could outrun them forever. */
const AT_ONCE = 100;

/** Entries that are remembered until they come back. There are more than waiting ones, because a dropped entry may have reached the log. */
const MOST_REMEMBERED = 4000;

/** The parts of a publisher. */
export interface PublisherParts {
  readonly member: string;
  readonly envelopes: Envelopes;
  readonly records: Pick<SealedRecords, 'sealChange'>;
  /** Gives the connection; nothing while the engine is out of reach. */
  readonly connect: () => ClusterConnection | undefined;
  /** Tells this process alone of something that the log did not take. */
  readonly deliverHere: (publication: Publication, name: EntryName) => void;
  /** Tells the others that something was lost on the way to them. */
  readonly reportLoss: (dropped: number) => void;
}

/**
 * Appends to the log what this process publishes. A message that the log does not accept is delivered in this process
 * at once, and waits for the log. Later messages wait behind it.
 */
export class Publisher implements OwnEntries {
  readonly #waiting = new PublishQueue();
  /** What is on its way through the log and has not come back yet, oldest first. */
  readonly #onTheWay = new Map<number, Publication>();
  readonly #appending = new Set<Promise<unknown>>();
  #newest: ClusterPosition | undefined;
  /** What was delivered here before the log had it. */
  readonly #toldHere = new Set<number>();
  /** The newest of that, for readers that come before it has a place. */
  readonly #unplaced = new PublishQueue();
  #count = 0;
  #flushing: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #reportedDrops = 0;

  constructor(private readonly parts: PublisherParts) {}

  /** How many messages wait for the log to be back. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** How many messages never reached the other processes. */
  get dropped(): number {
    return this.#waiting.dropped;
  }

  /** The place of the newest message that the log has taken. */
  get newest(): ClusterPosition | undefined {
    return this.#newest;
  }

  /** The newest entry that this process has published. */
  get published(): EntryName {
    return this.#name(this.#count);
  }

  /** Returns what was delivered here and has no place in the log yet, oldest first. */
  listPending<Body extends object>({ name }: Topic<Body>): readonly PendingEntry<Body>[] {
    return this.#unplaced
      .first()
      .filter(({ topic }) => topic === name)
      .map(({ body, count }) => ({ body: body as Body, name: this.#name(count) }));
  }

  /** Publishes, and tells when the log has it, or this process was told since the log does not take it. It never rejects. */
  publish(topic: string, body: object, change?: ClusterRecordChange): Promise<void> {
    this.#count += 1;
    const count = this.#count;
    const connection = this.#waiting.size === 0 ? this.parts.connect() : undefined;
    const text = this.#format({ count, topic, body });
    const sealed = change && this.parts.records.sealChange(change);
    const publication = { topic, body, count, change: sealed, characters: text.length };
    if (connection !== undefined) return this.#send(connection, text, publication);
    this.#keep(publication);
    return Promise.resolve();
  }

  /**
   * Waits until the log has taken, or refused, what was published so far. Tells whether it has all of it. What waits for
   * the log is not waited for while the log is out of reach.
   */
  async whenAppended(): Promise<boolean> {
    const newest = this.#count;
    const hasLost = this.#waiting.dropped > this.#reportedDrops;
    await this.#appended();
    if (this.#waiting.has(newest)) await this.flush();
    return !hasLost && !this.#waiting.has(newest);
  }

  /**
   * Notes that an entry of this process came back from the log. Tells whether it was delivered here before the log had it.
   */
  takeBack(count: number): boolean {
    this.#onTheWay.delete(count);
    if (!this.#toldHere.delete(count)) return false;
    this.#unplaced.remove(count);
    // The log has it, although it did not say so.
    this.#waiting.remove(count);
    return true;
  }

  /** Publishes what waits, oldest first. */
  flush(): Promise<void> {
    this.#flushing ??= this.#flush().finally(() => (this.#flushing = undefined));
    return this.#flushing;
  }

  async #flush(): Promise<void> {
    this.#cancelRetry();
    try {
      // What is not settled yet may have to wait as well, before what waits already.
      await this.#appended();
      while (this.#waiting.size > 0) {
        const connection = this.parts.connect();
        if (connection === undefined) return;
        await this.#append(connection, this.#waiting.first(AT_ONCE));
      }
      this.#reportDrops();
    } catch {
      this.#retryLater();
    }
  }

  #name(count: number): EntryName {
    return { member: this.parts.member, count };
  }

  async #appended(): Promise<void> {
    await Promise.allSettled(this.#appending);
  }

  /** Publishes what waits before the process ends, since nobody else can; the log may come back for that. */
  async drain(): Promise<void> {
    const end = performance.now() + LONGEST_DRAIN_MS;
    for (;;) {
      await Promise.all([this.flush(), this.#appended()]);
      if (this.#waiting.size === 0 || performance.now() > end) return;
      await delay(DRAIN_MS);
    }
  }

  /** What the log takes of several is what comes first. */
  async #append(connection: ClusterConnection, publications: readonly Publication[]): Promise<void> {
    const appended = publications.map(async (publication) => {
      this.#notePlace(await connection.append(this.#format(publication), publication.change));
      this.#waiting.remove(publication.count);
    });
    const failed = (await Promise.allSettled(appended)).find(({ status }) => status === 'rejected');
    if (failed !== undefined)
      throw new ClusterBusError('timeout', 'The log did not accept the waiting messages');
  }

  /** Answers of the log may overtake one another. */
  #notePlace(place: ClusterPosition): void {
    if (this.#newest === undefined || !isUpTo(place, this.#newest)) this.#newest = place;
  }

  #format({ count, topic, body }: Omit<ReadEntry, 'member' | 'position'>): string {
    const { member, envelopes } = this.parts;
    return envelopes.seal(buildEntryContent({ count, topic, body, member }), 'log');
  }

  async #send(connection: ClusterConnection, text: string, publication: Publication): Promise<void> {
    this.#onTheWay.set(publication.count, publication);
    const appended = connection.append(text, publication.change);
    this.#appending.add(appended);
    try {
      this.#notePlace(await appended);
      // It is in the log, which is read too slowly to wait for it.
      if (this.#onTheWay.size > MOST_REMEMBERED) this.#onTheWay.delete(publication.count);
    } catch {
      this.#keepUnlessTaken(publication);
    } finally {
      this.#appending.delete(appended);
    }
  }

  /** What came back was taken by the log, although it did not say so. */
  #keepUnlessTaken(publication: Publication): void {
    const { count } = publication;
    if (this.#onTheWay.has(count) || this.#toldHere.has(count)) this.#keep(publication);
  }

  /** What was published before, and has not come back, is told first: nothing overtakes it here. */
  #keep(publication: Publication): void {
    this.#waiting.add(publication);
    this.#retryLater();
    for (const earlier of this.#onTheWay.values()) {
      if (earlier.count < publication.count) this.#tell(earlier);
    }
    if (!this.#toldHere.has(publication.count)) this.#tell(publication);
  }

  /** Tells this process. What was dropped may never come back. */
  #tell(publication: Publication): void {
    this.#onTheWay.delete(publication.count);
    this.#toldHere.add(publication.count);
    this.#unplaced.add(publication);
    const [oldest] = this.#toldHere;
    if (this.#toldHere.size > MOST_REMEMBERED && oldest !== undefined) this.#toldHere.delete(oldest);
    this.parts.deliverHere(publication, this.#name(publication.count));
  }

  /** Stops trying to publish what waits. */
  close(): void {
    this.#cancelRetry();
  }

  #retryLater(): void {
    this.#retry ??= setTimeout(() => void this.flush(), RETRY_MS).unref();
  }

  #cancelRetry(): void {
    clearTimeout(this.#retry);
    this.#retry = undefined;
  }

  #reportDrops(): void {
    const { dropped } = this.#waiting;
    const lost = dropped - this.#reportedDrops;
    this.#reportedDrops = dropped;
    if (lost > 0) this.parts.reportLoss(lost);
  }
}

/** Something that is to be published. */
export interface Publication {
  readonly topic: string;
  readonly body: object;
  /** Counts what this process publishes, from 1. */
  readonly count: number;
  readonly change: ClusterRecordChange | undefined;
  /** Characters that it takes in the log. */
  readonly characters: number;
}

const MOST = 1000;
const MOST_CHARACTERS = 1_048_576;

/** Keeps what could not be published, oldest first. What is too much makes room at the front, and is lost for the other processes. */
export class PublishQueue {
  #waiting: Publication[] = [];
  #characters = 0;
  #dropped = 0;

  get size(): number {
    return this.#waiting.length;
  }

  /** How many were lost. */
  get dropped(): number {
    return this.#dropped;
  }

  /** The oldest, which stay until they are {@link remove removed}. */
  first(count?: number): readonly Publication[] {
    return this.#waiting.slice(0, count);
  }

  /** Tells whether one waits that the process published as that one, or before it. */
  has(count: number): boolean {
    return (this.#waiting[0]?.count ?? Infinity) <= count;
  }

  add(publication: Publication): void {
    // Those that were published before it may have failed later.
    const before = this.#waiting.findLastIndex(({ count }) => count < publication.count);
    this.#waiting.splice(before + 1, 0, publication);
    this.#characters += publication.characters;
    while (this.#waiting.length > MOST || this.#characters > MOST_CHARACTERS) {
      this.#characters -= this.#waiting.shift()?.characters ?? 0;
      this.#dropped += 1;
    }
  }

  /** Removes the one that the process published as that one, if it waits. */
  remove(count: number): void {
    const index = this.#waiting.findIndex((publication) => publication.count === count);
    const [removed] = index === -1 ? [] : this.#waiting.splice(index, 1);
    this.#characters -= removed?.characters ?? 0;
  }
}
