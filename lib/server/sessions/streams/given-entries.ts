import type { EntryName } from '../../cluster/cluster-bus.js';

/** Ranges of one process in an event id; older ones become one, with what lies between them. */
const MOST_RANGES = 32;

/** Processes of which something is remembered, and ranges of one. */
const MOST_MEMBERS = 8;
const MOST_REMEMBERED = 2000;

const FORMAT = /^(~[a-z0-9]{1,64}:\d{1,15}\+\d{1,15}(,\d{1,15}\+\d{1,15}){0,31}){0,8}$/;

/** What one process published, from a count to another. */
interface Range {
  readonly from: number;
  to: number;
}

/**
 * The entries that a reader was given before they had a place in the log, by their names. They come again with a place, to
 * whichever process the reader is at by then, and are not given twice. The ids of the reader's events carry them until then.
 */
export class GivenEntries {
  readonly #ranges = new Map<string, Range[]>();

  /** Reads what an event id carries. What is malformed is nothing. */
  static parse(text: string): GivenEntries | undefined {
    if (!FORMAT.test(text)) return undefined;
    const given = new GivenEntries();
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

  /** Returns the newest entry of a process that was given; 0 if none was. */
  findNewest(member: string): number {
    return this.#ranges.get(member)?.at(-1)?.to ?? 0;
  }

  /** Notes that an entry has come with its place, and with it what its process published before. Returns whether it was given. */
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

  /** Formats it for an event id; empty if there is nothing. */
  format(): string {
    if (this.#ranges.size === 0) return '';
    return [...this.#ranges]
      .map(([member, ranges]) => `~${member}:${shorten(ranges).map(formatRange).join()}`)
      .join('');
  }
}

/** What lies between old ranges was not for the reader, by all that the process knew. */
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
