import { isObject } from '../../core/protocol/json-rpc.js';
import type { ClusterEntry, ClusterPosition } from '../settings/cluster/cluster.interface.js';
import type { Envelopes } from './envelopes.js';
import { isUpTo } from './position.js';

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

interface KeptEntry extends ReadEntry {
  readonly characters: number;
}

/** The newest entries of the log, for clients that come back: most were not away for long. */
export class RelayLog {
  #kept: KeptEntry[] = [];
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
