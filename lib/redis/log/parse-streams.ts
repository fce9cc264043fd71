/** An entry of a stream. */
export interface StreamEntry {
  readonly id: string;
  /** The first part of the id. */
  readonly number: number;
  readonly fields: ReadonlyMap<string, string>;
}

/** Reads the answer to XREAD: the lists of RESP2, or what clients make of the maps of RESP3. The map is empty if nothing came in time. */
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
