import { isUpTo, parsePosition } from '../../../lib/server/cluster/position.js';
import type { Message } from '../clients/message.js';
import { LEVELS, readName, type EntryAccounts, type Level, type WantedLevel } from './entry-accounts.js';
import type { KeptStream } from './kept-stream.js';

export type { Level };

/** What a client wants to be told; list changes it is told anyway. */
export interface Interest {
  readonly level: Level;
  readonly uris: ReadonlySet<string>;
}

/** What was published, by its place. */
interface Published {
  readonly id: string;
  readonly message: Message;
}

/** A client whose history is checked. */
export interface Listener {
  readonly name: string;
  readonly stream: KeptStream;
  /** What it wanted, from which of the published on. */
  readonly interests: readonly (readonly [from: number, interest: Interest])[];
  readonly levels: readonly WantedLevel[];
  readonly settled: readonly number[];
}

/**
 * What was published, as all of some witnesses heard it, each of whom wants everything and reads in one process. It says of every client
 * what that is owed.
 */
export class SharedHistory {
  readonly published: Published[] = [];
  readonly #indexes = new Map<string, number>();
  readonly #read = new Map<KeptStream, number>();

  constructor(
    private readonly witnesses: () => readonly KeptStream[],
    private readonly entries: EntryAccounts,
  ) {}

  /** Takes what the witnesses have heard since the last time, once all of them have heard the same. */
  take(): readonly Published[] {
    const found = new Map<string, Published>();
    for (const witness of this.witnesses()) {
      const read = this.#read.get(witness) ?? 0;
      this.#read.set(witness, witness.heard.length);
      for (const { id, message } of witness.heard.slice(read)) {
        if (id !== undefined && id !== '' && !isNotice(message) && !this.#indexes.has(id))
          found.set(id, { id, message });
      }
    }
    const taken = [...found.values()].toSorted(inOrder);
    for (const entry of taken) {
      this.#indexes.set(entry.id, this.published.length);
      this.published.push(entry);
    }
    return taken;
  }

  /**
   * Compares what a client heard with what it is owed. It may hear without an id what was published while the engine was out of reach.
   *
   * @param mayLose whether there was a reason to lose anything, which the client must have been told of then
   * @returns what is wrong
   */
  check(listener: Listener, mayLose: boolean): readonly string[] {
    const { name, stream, interests } = listener;
    const faults = [...this.entries.check(listener)];
    const got = new Set<number>();
    const withoutId = new Map<string, number>();
    /** What came without an id since the last that had one: a notice begins with such. */
    let run = new Set<string>();
    const losses: { readonly after: number; before: number }[] = [];
    let last = -1;
    for (const { id, message } of stream.heard) {
      const text = describe(message);
      const index = this.#indexes.get(id ?? '');
      const hasId = id !== undefined && id !== '';
      if (isNotice(message)) {
        losses.push({ after: last, before: Infinity });
        for (const hint of run) if (isHint(hint)) count(withoutId, hint, -1);
      } else if (!hasId) count(withoutId, text, 1);
      run = hasId || isNotice(message) ? new Set() : run.add(text);
      if (isNotice(message) || !hasId) continue;
      if (index === undefined) faults.push(`${name} heard ${text} at ${id}, where nobody else did`);
      else {
        if (describe(this.published[index]!.message) !== text)
          faults.push(`${name} heard ${text} at ${id}, others something else`);
        if (got.has(index)) faults.push(`${name} heard ${text} at ${id} twice`);
        else if (index <= last)
          faults.push(`${name} heard ${text} at ${id} late, behind ${this.published[last]?.id}`);
        got.add(index);
        last = Math.max(last, index);
        for (const loss of losses) if (loss.before === Infinity) loss.before = index;
      }
    }
    if (losses.length > 0 && !mayLose) faults.push(`${name} was told of a loss, and nothing was lost`);
    const [since = 0] = interests[0] ?? [];
    for (const [index, { id, message }] of this.published.entries()) {
      if (index < since) continue;
      const text = describe(message);
      const isAsked = this.entries.isOwed(listener, message);
      const isOwed = isAsked ?? hears(findInterest(interests, index), message);
      if (got.has(index) && !isOwed && isAsked === undefined)
        faults.push(`${name} heard ${text} at ${id}, and did not want it`);
      if (got.has(index) || !isOwed) continue;
      const isTold = losses.some(({ after, before }) => after < index && index < before);
      if (!isTold && count(withoutId, text, -1) < 0) faults.push(`${name} never heard ${text} at ${id}`);
    }
    return faults;
  }
}

/** Counts up or down, and gives how many there are then. */
function count(counts: Map<string, number>, text: string, by: 1 | -1): number {
  const sum = (counts.get(text) ?? 0) + by;
  counts.set(text, sum);
  return sum;
}

/** Whether a message is of those that a notice begins with. */
function isHint(text: string): boolean {
  return text.startsWith('notifications/');
}

/** The last message that tells of a loss: all clients here want warnings. */
export function isNotice({ method, params }: Message): boolean {
  return (
    method === 'notifications/message' &&
    String(params?.['data']).startsWith('Messages from the server were lost')
  );
}

/** Says what a message is: two that say the same are told apart by their ids alone. */
export function describe({ method, params }: Message): string {
  if (method === 'notifications/message')
    return `${String(params?.['level'])} ${readName(String(params?.['data']))}`;
  return `${method} ${(params?.['uri'] as string | undefined) ?? ''}`;
}

function hears({ level, uris }: Interest, { method, params }: Message): boolean {
  if (method === 'notifications/message')
    return LEVELS.indexOf(params?.['level'] as Level) >= LEVELS.indexOf(level);
  return method !== 'notifications/resources/updated' || uris.has(params?.['uri'] as string);
}

function findInterest(interests: Listener['interests'], index: number): Interest {
  const found = interests.findLast(([from]) => from <= index);
  if (found === undefined) throw new Error('A client wants nothing yet');
  return found[1];
}

/** Places of different logs stay as they were heard: the later log was heard later. */
function inOrder(one: Published, other: Published): number {
  const [first, second] = [parsePosition(one.id), parsePosition(other.id)];
  if (first === undefined || second === undefined || first.epoch !== second.epoch) return 0;
  return isUpTo(first, second) ? -1 : 1;
}
