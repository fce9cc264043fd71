import { setTimeout as delay } from 'node:timers/promises';
import type { ClusterBus, Topic } from '../../../cluster/cluster-bus.js';
import { isAtOrBehind, type EventPlace } from './event-place.js';
import type { KeptEvent, ReplayLog } from './replay-log.js';
import type { PublishedEvent } from './published-event.js';

/** Milliseconds to wait for an event that another process already has. */
const CATCH_UP_MS = 1000;
const LOOK_MS = 5;

/** The parts that read the past of a feed. */
export interface PastParts {
  readonly bus: ClusterBus;
  readonly topic: Topic<PublishedEvent>;
  readonly log: ReplayLog;
}

/**
 * Brings the log of a feed to the place of a client. This process may not have got the entries after that place yet, or
 * may have started later.
 */
export class FeedPast {
  /** The place behind which nothing could be read. */
  #gone: EventPlace | undefined;
  #reading: Promise<void> = Promise.resolve();

  constructor(private readonly parts: PastParts) {}

  /** Settles once the log has what there is behind a place; in bounded time, and it never rejects. */
  async reach(place: EventPlace): Promise<void> {
    await this.#catchUp(place);
    if (!this.#isMissing(place)) return;
    this.#reading = this.#reading.then(() => this.#read(place)).catch(() => undefined);
    await this.#reading;
  }

  /** Notes that something up to a place was lost: nothing before it is read any more. */
  lose(place: EventPlace): void {
    this.#gone = place;
  }

  async #catchUp({ run, number }: EventPlace): Promise<void> {
    const { bus } = this.parts;
    const end = performance.now() + CATCH_UP_MS;
    const isBehind = (): boolean => bus.position?.epoch === run && bus.position.number < number;
    while (isBehind() && bus.isConnected && performance.now() < end) await delay(LOOK_MS);
  }

  /** Tells whether there may be events behind a place that the log has room for, and does not have. */
  #isMissing(place: EventPlace): boolean {
    const { beginning, isFull } = this.parts.log;
    const isGone = this.#gone !== undefined && isAtOrBehind(this.#gone, place);
    return !isFull && !isGone && beginning.run === place.run && !isAtOrBehind(place, beginning);
  }

  async #read(place: EventPlace): Promise<void> {
    const { bus, topic, log } = this.parts;
    const { beginning } = log;
    if (!this.#isMissing(place)) return;
    const after = { epoch: place.run, number: place.number };
    const recalled = await bus.replay(topic, after);
    if (recalled === undefined) this.#gone = place;
    // Meanwhile the log may have lost its oldest: then there would be a hole.
    if (recalled === undefined || log.beginning !== beginning) return;
    const events = recalled
      .map(({ body, position }) => rebuild(body, { run: position.epoch, number: position.number }))
      .filter((event) => isAtOrBehind(beginning, event.place));
    log.prepend(dropRepeated(events), place);
  }
}

type PastEvent = Omit<KeptEvent, 'number'> & { readonly by: string };

function rebuild(
  { id: eventId, at: emittedAt, by, size: characters, data }: PublishedEvent,
  place: EventPlace,
): PastEvent {
  const at = performance.now() - Math.max(0, Date.now() - emittedAt);
  return { eventId, emittedAt, at, by, characters, data, place };
}

/** What several processes published by the same name counts once. */
function dropRepeated(events: readonly PastEvent[]): readonly PastEvent[] {
  const first = new Map<string, string>();
  return events.filter(({ eventId, by }) => {
    const known = first.get(eventId) ?? by;
    first.set(eventId, known);
    return known === by;
  });
}
