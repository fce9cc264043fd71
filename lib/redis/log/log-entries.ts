import type { ClusterRecordChange } from '../../server/settings/cluster/cluster.interface.js';

/** A process's position in the log. */
export interface LogPosition {
  readonly epoch: string;
  readonly number: number;
  /** The mark of the entry at the position. Absent before the first entry. */
  readonly mark: string | undefined;
}

/** Redis's response to a heartbeat. */
export interface LogState extends LogPosition {
  /** The number of the newest message. */
  readonly message: number;
  /** The time on the Redis clock, in microseconds since 1970. */
  readonly micros: number;
}

/** Parses the response to a heartbeat. */
export function parseState(answer: unknown): LogState {
  const [epoch = '', number, mark = '', message, micros] = (answer as readonly unknown[]).map(String);
  return { epoch, mark, number: Number(number), message: Number(message), micros: Number(micros) };
}

/** Formats a change for the script that makes it. */
export function formatChange({
  isWhole = false,
  set = {},
  stamp = [],
  unset = [],
  expires,
}: ClusterRecordChange): readonly string[] {
  const fields = Object.entries(set);
  return [
    ...formatEnd(expires),
    isWhole ? '1' : '0',
    `${fields.length}`,
    ...fields.flat(),
    `${stamp.length}`,
    ...stamp,
    `${unset.length}`,
    ...unset,
  ];
}

/**
 * Formats a record's expiry on this process's clock, and the milliseconds until then. If the Redis clock differs, the
 * later expiry applies.
 */
export function formatEnd(expires: number): readonly [string, string] {
  const end = Math.min(Math.max(Math.ceil(expires), 0), Number.MAX_SAFE_INTEGER);
  return [`${end}`, `${Math.max(end - Date.now(), 0)}`];
}

/** An entry of a stream. */
export interface StreamEntry {
  readonly id: string;
  /** The first part of the id. */
  readonly number: number;
  readonly fields: ReadonlyMap<string, string>;
}

/**
 * Parses the response to XREAD: RESP2 lists, or the clients' form of RESP3 maps. The result is empty if nothing
 * arrived in time.
 */
export function parseStreams(answer: unknown): ReadonlyMap<string, readonly StreamEntry[]> {
  return new Map(listPairs(answer).map(([key, entries]) => [String(key), listEntries(entries)]));
}

function listPairs(answer: unknown): readonly (readonly [unknown, unknown])[] {
  if (answer === null || answer === undefined) return [];
  if (answer instanceof Map) return [...answer];
  if (!Array.isArray(answer)) return Object.entries(answer);
  return answer.every((pair) => Array.isArray(pair) && pair.length === 2 && !Array.isArray(pair[0]))
    ? (answer as [unknown, unknown][])
    : pairUp(answer);
}

function listEntries(entries: unknown): readonly StreamEntry[] {
  return (entries as readonly (readonly [unknown, unknown])[]).map(([id, fields]) => ({
    id: String(id),
    number: Number.parseInt(String(id), 10),
    fields: new Map(
      (Array.isArray(fields) ? pairUp(fields) : listPairs(fields)).map(([name, value]) => [
        String(name),
        String(value),
      ]),
    ),
  }));
}

function pairUp(list: readonly unknown[]): readonly (readonly [unknown, unknown])[] {
  return Array.from({ length: list.length / 2 }, (_, index) => [list[2 * index], list[2 * index + 1]]);
}
