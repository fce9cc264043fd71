import { setTimeout as delay } from 'node:timers/promises';
import { ClusterBusError, type EntryName, type PendingEntry, type Topic } from './cluster-bus.js';
import type { Envelopes } from './envelopes.js';
import { isUpTo } from './position.js';
import { buildEntryContent, type ReadEntry } from './cluster-log.js';
import type { SealedRecords } from './sealed-records.js';
import type {
  ClusterConnection,
  ClusterPosition,
  ClusterRecordChange,
} from '../settings/cluster/cluster.interface.js';

/**
 * The pause before another attempt, in milliseconds. A log that is reachable may reject an entry, for example because
 * its memory is full.
 */
const RETRY_MS = 1000;

/** How long a process that shuts down waits for the log, and the pause between two attempts, in milliseconds. */
const LONGEST_DRAIN_MS = 2000;
const DRAIN_MS = 50;

/**
 * The number of entries that are appended together after the log was unreachable. If they were appended one at a
 * time, new entries could keep arriving faster.
 */
const AT_ONCE = 100;

/**
 * The number of entries to remember until they are read from the log. It exceeds the number of waiting entries,
 * because a dropped entry may have reached the log.
 */
const MOST_REMEMBERED = 4000;

/** A publisher's dependencies. */
export interface PublisherParts {
  readonly member: string;
  readonly envelopes: Envelopes;
  readonly records: Pick<SealedRecords, 'sealChange'>;
  /** Returns the connection, or `undefined` while the backend is unreachable. */
  readonly connect: () => ClusterConnection | undefined;
  /** Delivers, in this process only, a message that the log did not accept. */
  readonly deliverHere: (publication: Publication, name: EntryName) => void;
  /** Notifies the others that messages to them were lost. */
  readonly reportLoss: (dropped: number) => void;
}

/**
 * Appends this process's messages to the log. A message that the log does not accept is delivered in this process
 * immediately, and waits for the log. Later messages wait behind it.
 */
export class Publisher {
  readonly #waiting = new PublishQueue();
  /** Messages that were appended and have not been read from the log yet, oldest first. */
  readonly #unread = new Map<number, Publication>();
  readonly #appending = new Set<Promise<unknown>>();
  #newest: ClusterPosition | undefined;
  /** Messages that were delivered in this process before they reached the log. */
  readonly #deliveredHere = new Set<number>();
  /** The newest of these, for readers that connect before they have a position. */
  readonly #withoutPosition = new PublishQueue();
  #count = 0;
  #flushing: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #reportedDrops = 0;

  constructor(private readonly parts: PublisherParts) {}

  /** The number of messages waiting for the log. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** The number of messages that never reached the other processes. */
  get dropped(): number {
    return this.#waiting.dropped;
  }

  /** The position of the newest message that the log has accepted. */
  get newest(): ClusterPosition | undefined {
    return this.#newest;
  }

  /** The newest entry that this process has published. */
  get published(): EntryName {
    return this.#name(this.#count);
  }

  /** Returns messages that were delivered in this process and have no position yet, oldest first. */
  listPending<Body extends object>({ name }: Topic<Body>): readonly PendingEntry<Body>[] {
    return this.#withoutPosition
      .first()
      .filter(({ topic }) => topic === name)
      .map(({ body, count }) => ({ body: body as Body, name: this.#name(count) }));
  }

  /**
   * Publishes a message. The promise resolves when the log has the message, or when it was only delivered in this
   * process because the log did not accept it. It never rejects.
   */
  publish(topic: string, body: object, change?: ClusterRecordChange): Promise<void> {
    this.#count += 1;
    const count = this.#count;
    const connection = this.#waiting.size === 0 ? this.parts.connect() : undefined;
    const text = this.#format({ count, topic, body });
    const sealed = change && this.parts.records.sealChange(change);
    const publication = { topic, body, count, change: sealed, characters: text.length };
    if (connection !== undefined) return this.#send(connection, text, publication);
    this.#queue(publication);
    return Promise.resolve();
  }

  /**
   * Waits until the log has accepted or rejected all previous messages. Returns whether it has all of them. While the
   * log is unreachable, it does not wait for queued messages.
   */
  async whenAppended(): Promise<boolean> {
    const newest = this.#count;
    const hasLost = this.#waiting.dropped > this.#reportedDrops;
    await this.#appended();
    if (this.#waiting.has(newest)) await this.flush();
    return !hasLost && !this.#waiting.has(newest);
  }

  /**
   * Records that one of this process's entries was read from the log. Returns whether it was delivered in this
   * process before.
   */
  takeBack(count: number): boolean {
    this.#unread.delete(count);
    if (!this.#deliveredHere.delete(count)) return false;
    this.#withoutPosition.remove(count);
    // The log stored it without confirming it.
    this.#waiting.remove(count);
    return true;
  }

  /** Publishes the waiting messages, oldest first. */
  flush(): Promise<void> {
    this.#flushing ??= this.#flush().finally(() => (this.#flushing = undefined));
    return this.#flushing;
  }

  async #flush(): Promise<void> {
    this.#cancelRetry();
    try {
      // Messages with an unknown outcome may have to be queued as well, ahead of the waiting ones.
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

  /** Publishes the waiting messages before the process ends, because no other process can. The log may become reachable in the meantime. */
  async drain(): Promise<void> {
    const end = performance.now() + LONGEST_DRAIN_MS;
    for (;;) {
      await Promise.all([this.flush(), this.#appended()]);
      if (this.#waiting.size === 0 || performance.now() > end) return;
      await delay(DRAIN_MS);
    }
  }

  /** If the log accepts only some of the messages, it accepts the first ones. */
  async #append(connection: ClusterConnection, publications: readonly Publication[]): Promise<void> {
    const appended = publications.map(async (publication) => {
      this.#notePosition(await connection.append(this.#format(publication), publication.change));
      this.#waiting.remove(publication.count);
    });
    const failed = (await Promise.allSettled(appended)).find(({ status }) => status === 'rejected');
    if (failed !== undefined)
      throw new ClusterBusError('timeout', 'The log did not accept the waiting messages');
  }

  /** The log's responses may arrive in a different order. */
  #notePosition(position: ClusterPosition): void {
    if (this.#newest === undefined || !isUpTo(position, this.#newest)) this.#newest = position;
  }

  #format({ count, topic, body }: Omit<ReadEntry, 'member' | 'position'>): string {
    const { member, envelopes } = this.parts;
    return envelopes.seal(buildEntryContent({ count, topic, body, member }), 'log');
  }

  async #send(connection: ClusterConnection, text: string, publication: Publication): Promise<void> {
    this.#unread.set(publication.count, publication);
    const appended = connection.append(text, publication.change);
    this.#appending.add(appended);
    try {
      this.#notePosition(await appended);
      // It is in the log, but reading the log takes too long to wait for it.
      if (this.#unread.size > MOST_REMEMBERED) this.#unread.delete(publication.count);
    } catch {
      this.#queueUnlessStored(publication);
    } finally {
      this.#appending.delete(appended);
    }
  }

  /** Queues a message, unless it has been read from the log, which then accepted it without confirming it. */
  #queueUnlessStored(publication: Publication): void {
    const { count } = publication;
    if (this.#unread.has(count) || this.#deliveredHere.has(count)) this.#queue(publication);
  }

  /**
   * Queues a message, and delivers it in this process after earlier messages that have not been read from the log, to
   * preserve the order.
   */
  #queue(publication: Publication): void {
    this.#waiting.add(publication);
    this.#retryLater();
    for (const earlier of this.#unread.values()) {
      if (earlier.count < publication.count) this.#deliver(earlier);
    }
    if (!this.#deliveredHere.has(publication.count)) this.#deliver(publication);
  }

  /** Delivers a message in this process. A dropped one may never be read from the log. */
  #deliver(publication: Publication): void {
    this.#unread.delete(publication.count);
    this.#deliveredHere.add(publication.count);
    this.#withoutPosition.add(publication);
    const [oldest] = this.#deliveredHere;
    if (this.#deliveredHere.size > MOST_REMEMBERED && oldest !== undefined)
      this.#deliveredHere.delete(oldest);
    this.parts.deliverHere(publication, this.#name(publication.count));
  }

  /** Stops publishing the waiting messages. */
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

/** A message to publish. */
export interface Publication {
  readonly topic: string;
  readonly body: object;
  /** The message's number among this process's messages, starting at 1. */
  readonly count: number;
  readonly change: ClusterRecordChange | undefined;
  /** The number of characters that it occupies in the log. */
  readonly characters: number;
}

const MOST = 1000;
const MOST_CHARACTERS = 1_048_576;

/**
 * The messages that could not be published, oldest first. If there are too many, the oldest are dropped, and the
 * other processes never receive them.
 */
export class PublishQueue {
  #waiting: Publication[] = [];
  #characters = 0;
  #dropped = 0;

  get size(): number {
    return this.#waiting.length;
  }

  /** The number of dropped messages. */
  get dropped(): number {
    return this.#dropped;
  }

  /** The oldest messages, which remain until they are {@link remove removed}. */
  first(count?: number): readonly Publication[] {
    return this.#waiting.slice(0, count);
  }

  /** Returns whether the message with this number, or an earlier one, is waiting. */
  has(count: number): boolean {
    return (this.#waiting[0]?.count ?? Infinity) <= count;
  }

  add(publication: Publication): void {
    // An earlier message may have failed after a later one.
    const before = this.#waiting.findLastIndex(({ count }) => count < publication.count);
    this.#waiting.splice(before + 1, 0, publication);
    this.#characters += publication.characters;
    while (this.#waiting.length > MOST || this.#characters > MOST_CHARACTERS) {
      this.#characters -= this.#waiting.shift()?.characters ?? 0;
      this.#dropped += 1;
    }
  }

  /** Removes the message with this number, if it is waiting. */
  remove(count: number): void {
    const index = this.#waiting.findIndex((publication) => publication.count === count);
    const [removed] = index === -1 ? [] : this.#waiting.splice(index, 1);
    this.#characters -= removed?.characters ?? 0;
  }
}
