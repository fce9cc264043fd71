import { isObject } from '../../core/protocol/json-rpc.js';
import { FairSlots } from '../../core/async/concurrency.js';
import { ClusterBusError, type LogEntry, Topic } from './cluster-bus.js';
import type { Envelopes } from './envelopes.js';
import { isBehind, isUpTo } from './position.js';
import type {
  ClusterConnection,
  ClusterEntry,
  ClusterPosition,
} from '../settings/cluster/cluster.interface.js';

/** An entry read from the log. */
export interface ReadEntry {
  readonly position: ClusterPosition;
  readonly topic: string;
  readonly body: object;
  /** The process that published it. {@link count} is the entry's number in that process. */
  readonly member: string;
  readonly count: number;
}

/** The serialized form of an entry. */
export interface EntryContent {
  readonly m: string;
  readonly n: number;
  readonly t: string;
  readonly b: object;
}

/** Builds the serialized form of an entry. */
export function buildEntryContent(entry: Omit<ReadEntry, 'position'>): EntryContent {
  const { member: m, count: n, topic: t, body: b } = entry;
  return { m, n, t, b };
}

/** Reads an entry. Returns `undefined` if this release does not understand it. */
export function readEntry({ text, position }: ClusterEntry, envelopes: Envelopes): ReadEntry | undefined {
  const content: Partial<EntryContent> = envelopes.open(text, 'log') ?? {};
  const { m: member, n: count, t: topic, b: body } = content;
  if (typeof member !== 'string' || typeof count !== 'number') return undefined;
  if (typeof topic !== 'string' || !isObject(body)) return undefined;
  return { position, topic, body, member, count };
}

/** The maximum size of the buffer of entries that were read. */
const MOST_ENTRIES = 1024;
const MOST_CHARACTERS = 4 * 1_048_576;

/**
 * The number of entries whose position is remembered: enough for several processes to republish after the log was
 * unreachable.
 */
const MOST_NAMES = 4096;

interface BufferedEntry extends ReadEntry {
  readonly characters: number;
}

/** The log's newest entries, in memory. Most clients reconnect soon enough to need no others. */
export class ClusterLog {
  #buffered: BufferedEntry[] = [];
  /**
   * Each entry's first position. It outlasts a log, because entries that one log stored without confirmation are
   * republished in the next.
   */
  readonly #positions = new Map<string, ClusterPosition>();
  #characters = 0;
  /** All entries after this position are buffered. */
  #begin: ClusterPosition | undefined;

  /** Clears the buffer, which restarts at the next entry. */
  restart(): void {
    this.begin(undefined);
  }

  /** Clears the buffer, which restarts at a position. */
  begin(position: ClusterPosition | undefined): void {
    this.#buffered = [];
    this.#characters = 0;
    this.#begin = position;
  }

  /** Returns whether an entry was already read at an earlier position. */
  has({ position, ...name }: Pick<ReadEntry, 'member' | 'count' | 'position'>): boolean {
    const first = this.#positions.get(formatName(name));
    return first !== undefined && !isUpTo(position, first);
  }

  add(entry: ReadEntry, characters: number): void {
    if (this.#begin?.epoch !== entry.position.epoch) {
      this.begin({ epoch: entry.position.epoch, number: entry.position.number - 1 });
    }
    this.#buffered.push({ ...entry, characters });
    this.#note(entry);
    this.#characters += characters;
    if (this.#buffered.length > MOST_ENTRIES || this.#characters > MOST_CHARACTERS) this.#drop();
  }

  /** Returns the entries after a position, or `undefined` if one of them is no longer buffered. */
  after({ epoch, number }: ClusterPosition): readonly ReadEntry[] | undefined {
    const begin = this.#begin;
    if (begin?.epoch !== epoch || number < begin.number) return undefined;
    return this.#buffered.filter(({ position }) => position.number > number);
  }

  #note(entry: ReadEntry): void {
    this.#positions.set(formatName(entry), entry.position);
    const [oldest] = this.#positions.size > MOST_NAMES ? this.#positions.keys() : [];
    if (oldest !== undefined) this.#positions.delete(oldest);
  }

  /**
   * Evicts an eighth of the buffer at a time, so that a full buffer does not have to shift its entries for each new
   * one.
   */
  #drop(): void {
    const most = MOST_ENTRIES - MOST_ENTRIES / 8;
    let surplus = 0;
    while (this.#buffered.length - surplus > most || this.#characters > MOST_CHARACTERS) {
      const dropped = this.#buffered[surplus];
      if (dropped === undefined) break;
      this.#characters -= dropped.characters;
      this.#begin = dropped.position;
      surplus += 1;
    }
    this.#buffered = this.#buffered.slice(surplus);
  }
}

function formatName({ member, count }: Pick<ReadEntry, 'member' | 'count'>): string {
  return `${member}:${count}`;
}

/** The number of entries per part. A slow reader retains a part in memory. */
const PAGE = 64;

/** Limits concurrent reads of the log. Each reader has one. */
const READINGS = { slots: 8, perCaller: 1 };

/** Reads published entries: the newest from memory, the others from the log. */
export class LogHistory {
  readonly #readings = new FairSlots(READINGS);

  constructor(
    private readonly buffered: Pick<ClusterLog, 'after' | 'has'>,
    /**
     * Separate from the envelopes of new messages, because old entries may have been encrypted with a secret that no
     * process uses anymore.
     */
    private readonly envelopes: Envelopes,
    private readonly connect: () => Pick<ClusterConnection, 'read' | 'position'>,
  ) {}

  /**
   * Returns the entries after a position, up to the newest entry at the time of the first request.
   *
   * @param reader identifies the reader, because readers take turns @default the process itself
   * @throws {ClusterBusError} `gone` if one of them is no longer in the log, `unreachable` if the log was never
   *   reached
   */
  async *read(after: ClusterPosition, reader?: string): AsyncGenerator<readonly ReadEntry[]> {
    const newest = this.connect().position;
    if (newest === undefined) throw new ClusterBusError('unreachable', 'The log has not been reachable yet');
    if (newest.epoch !== after.epoch) throw createGoneError();
    const names = new Set<string>();
    for (let from = after; isBehind(newest, from);) {
      const page = this.buffered.after(from)?.slice(0, PAGE) ?? (await this.#readPage(from, reader));
      const last = page.at(-1);
      if (last === undefined) return;
      from = last.position;
      yield page.flatMap((read) => {
        const entry = isBehind(read.position, newest) ? undefined : this.#parse(read);
        return entry === undefined || this.buffered.has(entry) || isKnown(names, entry) ? [] : [entry];
      });
    }
  }

  async #readPage(from: ClusterPosition, owner: string | undefined): Promise<readonly ClusterEntry[]> {
    const page = await this.#readings.run({ caller: owner }, () => this.connect().read(from, PAGE));
    if (page === undefined) throw createGoneError();
    return page;
  }

  #parse(read: ReadEntry | ClusterEntry): ReadEntry | undefined {
    return 'text' in read ? readEntry(read, this.envelopes) : read;
  }
}

/** Entries may be in the log twice if they were republished because the outcome of their publication was unknown. */
function isKnown(names: Set<string>, { member, count }: ReadEntry): boolean {
  const name = `${member}:${count}`;
  if (names.has(name)) return true;
  names.add(name);
  return false;
}

function createGoneError(): ClusterBusError {
  return new ClusterBusError('gone', 'The entries after this position are no longer in the log');
}

/** Notifies all processes that entries were lost before they reached the log. */
export const LOSS = new Topic<{ readonly dropped: number }>('cluster.loss');

/** Replays the entries of one topic. Incomplete ranges are not replayed: entries were lost, or are no longer in the log. */
export class LogReplay {
  constructor(
    private readonly log: Pick<ClusterLog, 'after'>,
    private readonly history: Pick<LogHistory, 'read'>,
  ) {}

  async all<Body extends object>(
    topic: Topic<Body>,
    after: ClusterPosition,
  ): Promise<readonly LogEntry<Body>[] | undefined> {
    const recalled: LogEntry<Body>[] = [];
    try {
      for await (const part of this.inParts(topic, after)) recalled.push(...part);
      return recalled;
    } catch (error) {
      if (error instanceof ClusterBusError && error.reason === 'gone') return undefined;
      throw error;
    }
  }

  buffered<Body extends object>(
    topic: Topic<Body>,
    after: ClusterPosition,
  ): readonly LogEntry<Body>[] | undefined {
    const buffered = this.log.after(after);
    return buffered === undefined || buffered.some(isLoss) ? undefined : select(topic, buffered);
  }

  async *inParts<Body extends object>(
    topic: Topic<Body>,
    after: ClusterPosition,
    reader?: string,
  ): AsyncGenerator<readonly LogEntry<Body>[]> {
    for await (const entries of this.history.read(after, reader)) {
      if (entries.some(isLoss))
        throw new ClusterBusError('gone', 'Some entries after this position never reached the log');
      yield select(topic, entries);
    }
  }
}

function isLoss({ topic }: ReadEntry): boolean {
  return topic === LOSS.name;
}

function select<Body extends object>(
  { name, isBody }: Topic<Body>,
  entries: readonly ReadEntry[],
): readonly LogEntry<Body>[] {
  return entries.flatMap(({ topic, body, position, member, count }) =>
    topic === name && isBody(body) ? [{ body: body as Body, position, name: { member, count } }] : [],
  );
}
