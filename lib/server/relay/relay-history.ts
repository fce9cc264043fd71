import type {
  ClusterConnection,
  ClusterEntry,
  ClusterPosition,
} from '../settings/cluster/cluster.interface.js';
import type { Envelopes } from './envelopes.js';
import { FairSlots } from '../../core/waiting/fair-slots.js';
import { isBehind } from './position.js';
import { readEntry, type ReadEntry, type RelayLog } from './relay-log.js';
import { RelayError } from './relay.error.js';

/** Entries that are given at once: a reader that is slow holds them meanwhile. */
const PAGE = 64;

/** The most concurrent reads of the log. One reader has one. */
const READINGS = { slots: 8, perOwner: 1 };

/** What was published: the newest of it from memory, the rest from the log itself. */
export class RelayHistory {
  readonly #readings = new FairSlots(READINGS);

  constructor(
    private readonly kept: Pick<RelayLog, 'after' | 'has'>,
    /** For the history alone: what was published long ago may be of a secret that no process uses any more. */
    private readonly envelopes: Envelopes,
    private readonly connect: () => Pick<ClusterConnection, 'read' | 'position'>,
  ) {}

  /**
   * Returns the entries after a place, up to the newest one that was delivered when the first part was requested.
   *
   * @param reader whose turn it is to read @default that of the process itself
   * @throws {RelayError} `gone` if one of them is no longer in the log, `unreachable` if that was never reached
   */
  async *read(after: ClusterPosition, reader?: string): AsyncGenerator<readonly ReadEntry[]> {
    const newest = this.connect().position;
    if (newest === undefined) throw new RelayError('unreachable', 'The log was never in reach yet');
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
    const page = await this.#readings.run({ owner }, () => this.connect().read(from, PAGE));
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

function createGoneError(): RelayError {
  return new RelayError('gone', 'What was published then is no longer in the log');
}
