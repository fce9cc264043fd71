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

/** An entry of the log as it was read. */
export interface ReadEntry {
  readonly position: ClusterPosition;
  readonly topic: string;
  readonly body: object;
  /** Who published it, and as which of theirs. */
  readonly member: string;
  readonly count: number;
}

/** An entry on its way. */
export interface EntryContent {
  readonly m: string;
  readonly n: number;
  readonly t: string;
  readonly b: object;
}

/** Returns an entry as it goes on its way. */
export function buildEntryContent(entry: Omit<ReadEntry, 'position'>): EntryContent {
  const { member: m, count: n, topic: t, body: b } = entry;
  return { m, n, t, b };
}

/** Reads an entry. Returns `undefined` if it is none that this release understands. */
export function readEntry({ text, position }: ClusterEntry, envelopes: Envelopes): ReadEntry | undefined {
  const content: Partial<EntryContent> = envelopes.open(text, 'log') ?? {};
  const { m: member, n: count, t: topic, b: body } = content;
  if (typeof member !== 'string' || typeof count !== 'number') return undefined;
  if (typeof topic !== 'string' || !isObject(body)) return undefined;
  return { position, topic, body, member, count };
}

/** How much is kept in memory of what was read. */
const MOST_ENTRIES = 1024;
const MOST_CHARACTERS = 4 * 1_048_576;

/** Entries of which it is known where they stand: as many as several processes publish again after the log was out of reach. */
const MOST_NAMES = 4096;

interface BufferedEntry extends ReadEntry {
  readonly characters: number;
}

/** The newest entries of the log, for clients that come back: most were not away for long. */
export class ClusterLog {
  #kept: BufferedEntry[] = [];
  /** Where each entry stood first. It outlasts a log, since what one took without saying so is published again in the next. */
  readonly #places = new Map<string, ClusterPosition>();
  #characters = 0;
  /** Every entry behind this place is here. */
  #begin: ClusterPosition | undefined;

  /** Begins with the entry that comes next. */
  restart(): void {
    this.begin(undefined);
  }

  /** Begins at a place, with nothing. */
  begin(position: ClusterPosition | undefined): void {
    this.#kept = [];
    this.#characters = 0;
    this.#begin = position;
  }

  /** Tells whether an entry came before, at another place. */
  has({ position, ...name }: Pick<ReadEntry, 'member' | 'count' | 'position'>): boolean {
    const first = this.#places.get(formatName(name));
    return first !== undefined && !isUpTo(position, first);
  }

  add(entry: ReadEntry, characters: number): void {
    if (this.#begin?.epoch !== entry.position.epoch) {
      this.begin({ epoch: entry.position.epoch, number: entry.position.number - 1 });
    }
    this.#kept.push({ ...entry, characters });
    this.#note(entry);
    this.#characters += characters;
    if (this.#kept.length > MOST_ENTRIES || this.#characters > MOST_CHARACTERS) this.#drop();
  }

  /** Returns the entries behind a place, or `undefined` if one of them is not here any more. */
  after({ epoch, number }: ClusterPosition): readonly ReadEntry[] | undefined {
    const begin = this.#begin;
    if (begin?.epoch !== epoch || number < begin.number) return undefined;
    return this.#kept.filter(({ position }) => position.number > number);
  }

  #note(entry: ReadEntry): void {
    this.#places.set(formatName(entry), entry.position);
    const [oldest] = this.#places.size > MOST_NAMES ? this.#places.keys() : [];
    if (oldest !== undefined) this.#places.delete(oldest);
  }

  /** Drops in steps of an eighth, so that a full log does not move its entries at each one. */
  #drop(): void {
    const most = MOST_ENTRIES - MOST_ENTRIES / 8;
    let surplus = 0;
    while (this.#kept.length - surplus > most || this.#characters > MOST_CHARACTERS) {
      const dropped = this.#kept[surplus];
      if (dropped === undefined) break;
      this.#characters -= dropped.characters;
      this.#begin = dropped.position;
      surplus += 1;
    }
    this.#kept = this.#kept.slice(surplus);
  }
}

function formatName({ member, count }: Pick<ReadEntry, 'member' | 'count'>): string {
  return `${member}:${count}`;
}

/** Entries that are given at once: a reader that is slow holds them meanwhile. */
const PAGE = 64;

/** The most concurrent reads of the log. One reader has one. */
const READINGS = { slots: 8, perCaller: 1 };

/** What was published: the newest of it from memory, the rest from the log itself. */
export class LogHistory {
  readonly #readings = new FairSlots(READINGS);

  constructor(
    private readonly kept: Pick<ClusterLog, 'after' | 'has'>,
    /** For the history alone: what was published long ago may be of a secret that no process uses any more. */
    private readonly envelopes: Envelopes,
    private readonly connect: () => Pick<ClusterConnection, 'read' | 'position'>,
  ) {}

  /**
   * Returns the entries after a place, up to the newest one that was delivered when the first part was requested.
   *
   * @param reader whose turn it is to read @default that of the process itself
   * @throws {ClusterBusError} `gone` if one of them is no longer in the log, `unreachable` if that was never reached
   */
  async *read(after: ClusterPosition, reader?: string): AsyncGenerator<readonly ReadEntry[]> {
    const newest = this.connect().position;
    if (newest === undefined) throw new ClusterBusError('unreachable', 'The log was never in reach yet');
    if (newest.epoch !== after.epoch) throw createGoneError();
    const names = new Set<string>();
    for (let from = after; isBehind(newest, from);) {
      const page = this.kept.after(from)?.slice(0, PAGE) ?? (await this.#readPage(from, reader));
      const last = page.at(-1);
      if (last === undefined) return;
      from = last.position;
      yield page.flatMap((read) => {
        const entry = isBehind(read.position, newest) ? undefined : this.#parse(read);
        return entry === undefined || this.kept.has(entry) || isKnown(names, entry) ? [] : [entry];
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

/** What was published again, since it was not known how that had ended, may be there twice. */
function isKnown(names: Set<string>, { member, count }: ReadEntry): boolean {
  const name = `${member}:${count}`;
  if (names.has(name)) return true;
  names.add(name);
  return false;
}

function createGoneError(): ClusterBusError {
  return new ClusterBusError('gone', 'What was published then is no longer in the log');
}

/** Tells every process that something was lost on its way to the log. */
export const LOSS = new Topic<{ readonly dropped: number }>('cluster.loss');

/** Gives again what was published on one topic. What is not whole is not given: something was lost, or is no longer in the log. */
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

  kept<Body extends object>(
    topic: Topic<Body>,
    after: ClusterPosition,
  ): readonly LogEntry<Body>[] | undefined {
    const kept = this.log.after(after);
    return kept === undefined || kept.some(isLoss) ? undefined : select(topic, kept);
  }

  async *inParts<Body extends object>(
    topic: Topic<Body>,
    after: ClusterPosition,
    reader?: string,
  ): AsyncGenerator<readonly LogEntry<Body>[]> {
    for await (const entries of this.history.read(after, reader)) {
      if (entries.some(isLoss))
        throw new ClusterBusError('gone', 'What was published then never reached the log');
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
