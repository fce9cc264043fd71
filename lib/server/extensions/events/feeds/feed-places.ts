import { randomBytes } from 'node:crypto';
import type { Relay } from '../../../relay/relay.js';
import type { ClusterPosition } from '../../../settings/cluster/cluster.interface.js';
import { isAtOrBehind, type EventPlace } from './event-place.js';
import type { ReplayLog } from './replay-log.js';

/** Says where events stand: in the log that processes share, or in this run of the source, if the process is alone. */
export class FeedPlaces {
  /** Names this run of the source: numbers begin again with each. */
  readonly run = randomBytes(9).toString('base64url');

  constructor(private readonly relay: Relay) {}

  /** Returns the place behind which a feed begins now. */
  get beginning(): EventPlace {
    const { position } = this.relay;
    return position === undefined ? { run: this.run, number: 0 } : convert(position);
  }

  /** Returns the place of an event that comes. */
  next(log: ReplayLog, position: ClusterPosition | undefined): EventPlace {
    if (position !== undefined) return convert(position);
    if (!this.relay.isShared) return { run: this.run, number: log.last + 1 };
    const end = this.findEnd(log);
    return { ...end, own: (end.own ?? 0) + 1, by: this.relay.member };
  }

  /** Returns the place of a reader that has everything. It lies after unrelated entries of the log too. */
  findEnd(log: ReplayLog): EventPlace {
    const newest = log.newest ?? log.beginning;
    const { position } = this.relay;
    if (position === undefined) return newest;
    const end = convert(position);
    return isAtOrBehind(newest, end) ? newest : end;
  }

  /** Finds the number of the last event at a place or before it. Returns `undefined` if events behind it may not be here. */
  findNumber(log: ReplayLog, place: EventPlace): number | undefined {
    if (!this.relay.isShared) {
      return place.run === this.run && place.number <= log.last ? place.number : undefined;
    }
    const found = log.findLast((event) => isAtOrBehind(place, event.place));
    if (found !== undefined) return found.number;
    return isAtOrBehind(place, log.beginning) ? log.beforeFirst : undefined;
  }
}

function convert({ epoch, number }: ClusterPosition): EventPlace {
  return { run: epoch, number };
}
