import type { ClusterConnection, ClusterPosition } from '../settings/cluster/cluster.interface.js';
import { isBehind } from './position.js';
import { parseEntry, type ReadEntry, type RelayLog } from './relay-log.js';
import { RelayError } from './relay.error.js';

/** Entries that are read at once of what is not in memory any more. */
const PAGE = 1000;

/** What was published: the newest of it from memory, the rest from the log itself. */
export class RelayHistory {
  constructor(
    private readonly kept: Pick<RelayLog, 'after'>,
    private readonly connect: () => Pick<ClusterConnection, 'read' | 'position'>,
  ) {}

  /**
   * Gives the entries behind a place up to the newest that was delivered when the first part is asked for.
   *
   * @throws {RelayError} `gone` if one of them is no longer in the log
   */
  async *read(after: ClusterPosition): AsyncGenerator<readonly ReadEntry[]> {
    const kept = this.kept.after(after);
    if (kept !== undefined) return yield kept;
    const connection = this.connect();
    const newest = connection.position;
    if (newest?.epoch !== after.epoch) throw createGoneError();
    const names = new Set<string>();
    for (let from = after; isBehind(newest, from);) {
      const page = await connection.read(from, PAGE);
      if (page === undefined) throw createGoneError();
      const last = page.at(-1);
      if (last === undefined) return;
      from = last.position;
      yield page.flatMap(({ text, position }) => {
        const entry = isBehind(position, newest) ? undefined : parseEntry(text, position);
        return entry === undefined || isKnown(names, entry) ? [] : [entry];
      });
    }
  }
}

/** What was published again, since it was not known how that had ended, may be there twice. */
function isKnown(names: Set<string>, { member, count }: ReadEntry): boolean {
  const name = `${member}:${count}`;
  if (names.has(name)) return true;
  names.add(name);
  return false;
}

function createGoneError(): RelayError {
  return new RelayError('gone', 'What was published then is no longer in the log');
}
