import type { ClusterConnection, ClusterRecordChange } from '../settings/cluster/cluster.interface.js';
import type { Envelopes } from './envelopes.js';
import { buildEntryContent, type ReadEntry } from './relay-log.js';
import { RelayError } from './relay.error.js';
import { Unpublished, type Publication } from './unpublished.js';

/** The log may refuse an entry although it is in reach, as one that has no memory left does: it is tried again after this time. */
const RETRY_MS = 1000;

/** Entries that go to the log together after it was out of reach: one by one, what is published meanwhile could outrun them for ever. */
const AT_ONCE = 100;

/** Entries that are remembered as told here before they came: more than those that wait, for what was dropped may have been taken. */
const MOST_TOLD = 4000;

/** What a publisher stands on. */
export interface PublisherParts {
  readonly member: string;
  readonly envelopes: Envelopes;
  /** Gives the connection; nothing while the engine is out of reach. */
  readonly connect: () => ClusterConnection | undefined;
  /** Tells whether something that was published has come back from the log. */
  readonly hasCome: (count: number) => boolean;
  /** Tells this process alone of something that the log did not take. */
  readonly deliverHere: (publication: Publication) => void;
  /** Tells the others that something was lost on the way to them. */
  readonly reportLoss: (dropped: number) => void;
}

/**
 * Appends to the log what this process publishes. What the log does not take is told here at once, and waits for the log to be back; until
 * all of that is published, nothing overtakes it.
 */
export class Publisher {
  readonly #waiting = new Unpublished();
  /** What was told here although the log may have it. */
  readonly #toldHere = new Set<number>();
  #count = 0;
  #isFlushing = false;
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

  /** Publishes, and tells when the log has it, or this process was told since the log does not take it. It never rejects. */
  publish(topic: string, body: object, change?: ClusterRecordChange): Promise<void> {
    this.#count += 1;
    const count = this.#count;
    const connection = this.#waiting.size === 0 ? this.parts.connect() : undefined;
    const text = this.#format({ count, topic, body, isRepeated: false });
    const publication = { topic, body, count, change, characters: text.length };
    if (connection !== undefined)
      return connection.append(text, change).then(ignore, () => this.#keepUnlessTaken(publication));
    this.#keep(publication);
    return Promise.resolve();
  }

  /** Tells whether this process was told of an entry of its own before it came, and forgets that. */
  wasToldHere(count: number): boolean {
    return this.#toldHere.delete(count);
  }

  /** Publishes what waits, oldest first. */
  async flush(): Promise<void> {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    this.#cancelRetry();
    try {
      while (this.#waiting.size > 0) {
        const connection = this.parts.connect();
        if (connection === undefined) return;
        await this.#append(connection, this.#waiting.first(AT_ONCE));
      }
      this.#reportDrops();
    } catch {
      this.#retryLater();
    } finally {
      this.#isFlushing = false;
    }
  }

  /** What the log takes of several is what comes first. */
  async #append(connection: ClusterConnection, publications: readonly Publication[]): Promise<void> {
    const appended = publications.map(async (publication) => {
      await connection.append(this.#format({ ...publication, isRepeated: true }), publication.change);
      this.#waiting.remove(publication);
    });
    const failed = (await Promise.allSettled(appended)).find(({ status }) => status === 'rejected');
    if (failed !== undefined) throw new RelayError('timeout', 'The log did not take what waits for it');
  }

  #format(entry: Omit<ReadEntry, 'member' | 'position'>): string {
    const { member, envelopes } = this.parts;
    return envelopes.seal(buildEntryContent({ ...entry, member }), 'log');
  }

  /** What came back was taken by the log, although it did not say so. */
  #keepUnlessTaken(publication: Publication): void {
    if (!this.parts.hasCome(publication.count)) this.#keep(publication);
  }

  #keep(publication: Publication): void {
    this.#noteTold(publication.count);
    this.#waiting.add(publication);
    this.#retryLater();
    this.parts.deliverHere(publication);
  }

  /** What was dropped may never come. */
  #noteTold(count: number): void {
    this.#toldHere.add(count);
    const [oldest] = this.#toldHere;
    if (this.#toldHere.size > MOST_TOLD && oldest !== undefined) this.#toldHere.delete(oldest);
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

function ignore(): void {}
