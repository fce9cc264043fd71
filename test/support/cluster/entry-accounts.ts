import type { Message } from '../clients/message.js';
import type { Heard } from './kept-stream.js';

export const LEVELS = ['debug', 'info', 'warning', 'error'] as const;

export type Level = (typeof LEVELS)[number];

/** A log entry that a process was told to write, by the name that nothing else has. */
interface Asked {
  readonly level: Level;
  /** When the process was asked, by the monotonic clock. */
  readonly at: number;
  readonly process: number;
}

/** A level that a client asked for. Each time is by the monotonic clock. */
export interface WantedLevel {
  readonly level: Level;
  /** From then on it may count. */
  readonly asked: number;
  /** From then on nothing else counts, at any process. @default never */
  sure: number;
  /** The process that was asked. */
  readonly process: number;
  /** Whether the client went to another process before that knew it. */
  hasMoved: boolean;
  /** Whether that process was killed before others knew it. */
  isLost: boolean;
}

/** What a log entry says: its name, and as which entry of which process it was written. */
interface Entry {
  readonly name: string;
  readonly level: Level;
  readonly origin: string;
  readonly count: number;
}

/** A client whose log entries are checked. */
interface Hearer {
  readonly name: string;
  readonly stream: { readonly heard: readonly Heard[] };
  readonly levels: readonly WantedLevel[];
  /** When it had heard all that was written before. */
  readonly settled: readonly number[];
}

/** Keeps account of log entries that say who wrote them: each is heard once, in the order of its process, by who wants its level. */
export class EntryAccounts {
  readonly #asked = new Map<string, Asked>();

  /** Notes that a process is asked to write an entry. */
  ask(name: string, level: Level, process: number): void {
    this.#asked.set(name, { level, at: performance.now(), process });
  }

  /** Tells whether a client must hear an entry; `undefined` if nobody asked for it here. */
  isOwed({ levels, settled }: Hearer, message: Message): boolean | undefined {
    const entry = parseEntry(message);
    const asked = entry && this.#asked.get(entry.name);
    if (entry === undefined || asked === undefined) return undefined;
    const until = settled.find((at) => at > asked.at) ?? Infinity;
    return listPossible(levels, asked.at, until).every((level) => reaches(entry.level, level));
  }

  /** Gives what is wrong with the entries that a client heard, however they came. */
  check({ name, stream, levels }: Hearer): readonly string[] {
    const faults: string[] = [];
    const got = new Set<string>();
    const latest = new Map<string, number>();
    for (const { id, message, at } of stream.heard) {
      const entry = parseEntry(message);
      if (entry === undefined) continue;
      const said = `${name} heard ${entry.level} ${entry.name}, ${entry.count} of ${entry.origin}, at ${id}`;
      const before = latest.get(entry.origin) ?? 0;
      if (got.has(entry.name)) faults.push(`${said} twice`);
      else if (entry.count < before && !this.#isDoubtful(entry, levels, at))
        faults.push(`${said} behind ${before}`);
      got.add(entry.name);
      latest.set(entry.origin, Math.max(before, entry.count));
      const asked = this.#asked.get(entry.name);
      const possible = asked === undefined ? [] : listPossible(levels, asked.at, at);
      if (asked !== undefined && !possible.some((level) => reaches(entry.level, level)))
        faults.push(`${said}, below ${possible.join(' and ')}`);
    }
    return faults;
  }

  /**
   * Whether processes that cannot reach one another judge an entry differently: who may want it gets it late then. One that
   * hears of a level from another does not know what was written before.
   */
  #isDoubtful({ name, level }: Entry, levels: readonly WantedLevel[], heard: number): boolean {
    const { at = 0, process } = this.#asked.get(name) ?? {};
    const isLate = levels.some(
      (wanted) =>
        (wanted.hasMoved || wanted.process !== process) &&
        wanted.asked > at &&
        wanted.asked <= heard &&
        reaches(level, wanted.level),
    );
    return isLate || new Set(listPossible(levels, at, at).map((wanted) => reaches(level, wanted))).size > 1;
  }
}

/** Notes that a client goes to a process that may not know the levels that it asked for since all was settled. */
export function doubt(levels: readonly WantedLevel[], settled: number): void {
  for (const level of levels)
    if (level.sure > settled) Object.assign(level, { sure: Infinity, hasMoved: true });
}

/** Gives the levels of which one may have counted in a time. */
function listPossible(levels: readonly WantedLevel[], from: number, to: number): readonly Level[] {
  return levels
    .filter(({ asked }, index) => asked <= to && !levels.slice(index + 1).some(({ sure }) => sure <= from))
    .map(({ level }) => level);
}

/** Gives the name of a text without who wrote it. */
export function readName(text: string): string {
  return text.replace(/ of \d+\.\d+$/, '');
}

function parseEntry({ method, params }: Message): Entry | undefined {
  const match = /^(number \d+) of (\d+)\.(\d+)$/.exec(String(params?.['data']));
  if (method !== 'notifications/message' || match === null) return undefined;
  const [, name = '', origin = '', count] = match;
  return { name, level: params?.['level'] as Level, origin, count: Number(count) };
}

function reaches(level: Level, wanted: Level): boolean {
  return LEVELS.indexOf(level) >= LEVELS.indexOf(wanted);
}
