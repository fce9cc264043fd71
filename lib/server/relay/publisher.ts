import type { ClusterConnection, ClusterRecordChange } from '../settings/cluster/cluster.interface.js';
import { formatEntry } from './relay-log.js';
import { Unpublished, type Publication } from './unpublished.js';

/** The log may refuse an entry although it is in reach, as one that has no memory left does: it is tried again after this time. */
const RETRY_MS = 1000;

/** What a publisher stands on. */
export interface PublisherParts {
  readonly member: string;
  /** Gives the connection; nothing while the engine is out of reach. */
  readonly connect: () => ClusterConnection | undefined;
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
  /** What was told here before the log had it: as which of those. */
  readonly #toldHere = new Map<number, number>();
  #told = 0;
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
    const text = formatEntry({ member: this.parts.member, count, topic, body, isRepeated: false });
    const publication = { topic, body, count, change, characters: text.length };
    if (connection !== undefined)
      return connection.append(text, change).then(ignore, () => this.#keep(publication));
    this.#keep(publication);
    return Promise.resolve();
  }

  /** How many messages were told here before the log had them. */
  get told(): number {
    return this.#told;
  }

  /** Gives as which of {@link told} an entry of this process was told before it came, if it was, and forgets that. */
  takeTold(count: number): number | undefined {
    const told = this.#toldHere.get(count);
    this.#toldHere.delete(count);
    return told;
  }

  /** Publishes what waits, oldest first. */
  async flush(): Promise<void> {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    this.#cancelRetry();
    try {
      for (let next = this.#waiting.first; next !== undefined; next = this.#waiting.first) {
        const { member, connect } = this.parts;
        const connection = connect();
        if (connection === undefined) return;
        await connection.append(formatEntry({ ...next, member, isRepeated: true }), next.change);
        this.#waiting.remove(next);
      }
      this.#reportDrops();
    } catch {
      this.#retryLater();
    } finally {
      this.#isFlushing = false;
    }
  }

  #keep(publication: Publication): void {
    this.#told += 1;
    this.#toldHere.set(publication.count, this.#told);
    this.#waiting.add(publication);
    this.#retryLater();
    this.parts.deliverHere(publication);
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
