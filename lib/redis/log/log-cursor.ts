import type { ClusterEntry } from '../../server/settings/cluster/cluster.interface.js';
import type { LogPlace } from './log-place.js';
import type { StreamEntry } from './parse-streams.js';

/** What a cursor calls. */
export interface LogEvents {
  onEntry(entry: ClusterEntry): void;
  onGap(): void;
}

/** What an entry shows about the log. */
export type LogFinding = 'fine' | 'lost';

/** Goes through the log, entry by entry, and notices what is missing. */
export class LogCursor {
  /** How often entries were missing. */
  gaps = 0;
  /** The time at which Redis took the newest entry, in microseconds of its clock; 0 before the first. */
  writtenMicros = 0;

  constructor(
    public place: LogPlace,
    private readonly events: LogEvents,
  ) {}

  /** Continues at the start of another log. All its entries are new. */
  begin(epoch: string): void {
    this.place = { epoch, number: 0, mark: undefined };
    this.#tellGap();
  }

  /**
   * Takes the next entry. Returns `lost` if the log has lost entries that were read before, or if it has one that no process
   * can have written. Then no place in it is reliable.
   */
  take({ number, fields }: StreamEntry): LogFinding {
    if (!Number.isSafeInteger(number)) return 'lost';
    const before = this.place;
    const epoch = fields.get('e') ?? '';
    const mark = fields.get('m') ?? '';
    const isSame = epoch === before.epoch;
    const isNext = before.mark === undefined || number === before.number + 1;
    const follows = before.mark === undefined || fields.get('p') === before.mark;
    this.place = { epoch, number, mark };
    if (!isSame || !isNext || !follows) this.#tellGap();
    const text = fields.get('t');
    if (text !== undefined) {
      this.writtenMicros = Number(mark);
      this.events.onEntry({ position: { epoch, number }, text });
    }
    return isSame && isNext && !follows ? 'lost' : 'fine';
  }

  #tellGap(): void {
    this.gaps += 1;
    this.events.onGap();
  }
}
