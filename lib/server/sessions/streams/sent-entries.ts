import type { EntryName } from '../../cluster/cluster-bus.js';

/** The maximum number of ranges per process in an event id. Older ones are merged, including the gaps between them. */
const MOST_RANGES = 32;

/** The maximum number of processes, and of ranges per process, in memory. */
const MOST_MEMBERS = 8;
const MOST_REMEMBERED = 2000;

const FORMAT = /^(~[a-z0-9]{1,64}:\d{1,15}\+\d{1,15}(,\d{1,15}\+\d{1,15}){0,31}){0,8}$/;

/** Consecutive entries that one process published. */
interface Range {
  readonly from: number;
  to: number;
}

/**
 * The names of the entries that a reader received before they had a position in the log. They arrive again with a
 * position, perhaps in another process, and must not be sent twice. Until then, they are part of the reader's event
 * ids.
 */
export class SentEntries {
  readonly #ranges = new Map<string, Range[]>();

  /** Parses the part of an event id that contains them. Returns `undefined` if it is malformed. */
  static parse(text: string): SentEntries | undefined {
    if (!FORMAT.test(text)) return undefined;
    const given = new SentEntries();
    for (const part of text.split('~').slice(1)) {
      const [member = '', ranges = ''] = part.split(':');
      given.#ranges.set(member, ranges.split(',').map(parseRange));
    }
    return given;
  }

  add({ member, count }: EntryName): void {
    const ranges = this.#ranges.get(member) ?? [];
    this.#ranges.set(member, ranges);
    const last = ranges.at(-1);
    if (last?.to === count - 1) last.to = count;
    else ranges.push({ from: count, to: count });
    if (ranges.length > MOST_REMEMBERED) ranges.shift();
    const [oldest] = this.#ranges.size > MOST_MEMBERS ? this.#ranges.keys() : [];
    if (oldest !== undefined) this.#ranges.delete(oldest);
  }

  /** Returns the number of a process's newest sent entry, or 0. */
  findNewest(member: string): number {
    return this.#ranges.get(member)?.at(-1)?.to ?? 0;
  }

  /**
   * Removes an entry that has received its position, and all entries that its process published before. Returns
   * whether it was sent.
   */
  pass({ member, count }: EntryName): boolean {
    const ranges = this.#ranges.get(member);
    if (ranges === undefined) return false;
    const isGiven = ranges.some(({ from, to }) => from <= count && count <= to);
    const left = ranges.filter(({ to }) => to > count);
    if (left.length === 0) this.#ranges.delete(member);
    else
      this.#ranges.set(
        member,
        left.map(({ from, to }) => ({ from: Math.max(from, count + 1), to })),
      );
    return isGiven;
  }

  /** Formats the names for an event id. Empty if there are none. */
  format(): string {
    if (this.#ranges.size === 0) return '';
    return [...this.#ranges]
      .map(([member, ranges]) => `~${member}:${shorten(ranges).map(formatRange).join()}`)
      .join('');
  }
}

/** Merges old ranges. As far as the process knew, entries in the gaps were not for this reader. */
function shorten(ranges: readonly Range[]): readonly Range[] {
  const [first] = ranges;
  const surplus = ranges.length - MOST_RANGES;
  const last = ranges[surplus];
  if (surplus <= 0 || first === undefined || last === undefined) return ranges;
  return [{ from: first.from, to: last.to }, ...ranges.slice(surplus + 1)];
}

function formatRange({ from, to }: Range): string {
  return `${from}+${to - from}`;
}

function parseRange(text: string): Range {
  const [from = 0, more = 0] = text.split('+').map(Number);
  return { from, to: from + more };
}
