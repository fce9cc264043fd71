import { setTimeout as delay } from 'node:timers/promises';
import type { OpenObject } from '../../../../core/protocol/capabilities.js';
import type { ClusterBus, Topic } from '../../../cluster/cluster-bus.js';
import { type EventPlace, isAtOrBehind } from './event-cursors.js';

/** An event as processes tell one another. */
export interface PublishedEvent {
  readonly id: string;
  /** When it was emitted, in milliseconds of the epoch. */
  readonly at: number;
  /** The process that emitted it. */
  readonly by: string;
  /** The length of its payload as JSON. */
  readonly size: number;
  readonly data: OpenObject;
}

/** An event as it is kept. */
export interface KeptEvent {
  /** Counts here for each source, and has no holes except for what was lost. */
  readonly number: number;
  /** The same in every process. */
  readonly place: EventPlace;
  /** When it was emitted, in milliseconds of the epoch. */
  readonly emittedAt: number;
  /** When it came, in milliseconds as `performance.now()` counts. */
  readonly at: number;
  readonly eventId: string;
  readonly data: OpenObject;
  /** The length of its payload as JSON. */
  readonly characters: number;
}

/** How much is kept. */
interface ReplayBounds {
  readonly size: number;
  readonly characters: number;
}

/** The newest events of one source, in order: the oldest go if there would be too many. */
export class ReplayLog {
  readonly #events = new Map<number, KeptEvent>();
  #first = 1;
  #last = 0;
  #characters = 0;
  #isFull = false;

  /**
   * @param bounds how much is kept
   * @param begin the place behind which every event is here
   */
  constructor(
    private readonly bounds: ReplayBounds,
    private begin: EventPlace,
  ) {}

  /** The number of the newest event, kept or not; 0 before there is any. */
  get last(): number {
    return this.#last;
  }

  /** The number before that of the oldest event that is kept. */
  get beforeFirst(): number {
    return this.#first - 1;
  }

  /** The place behind which every event is here. */
  get beginning(): EventPlace {
    return this.begin;
  }

  /** The place of the newest event that is here. */
  get newest(): EventPlace | undefined {
    return this.#events.get(this.#last)?.place;
  }

  /** How many events are kept. */
  get size(): number {
    return this.#events.size;
  }

  /** Whether older events found no room. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Begins behind a place, with nothing. */
  beginAt(place: EventPlace): void {
    this.begin = place;
  }

  append(event: Omit<KeptEvent, 'number'>): KeptEvent {
    this.#last += 1;
    const kept = { ...event, number: this.#last };
    this.#events.set(kept.number, kept);
    this.#characters += kept.characters;
    // The newest stays, however large it is: who listens now has not had it yet.
    while (this.#isOverfull && this.size > 1) this.#dropFirst();
    return kept;
  }

  /**
   * Puts older events in front, the newest of them as long as there is room.
   *
   * @param place the place behind which these are all
   */
  prepend(events: readonly Omit<KeptEvent, 'number'>[], place: EventPlace): void {
    for (const event of events.toReversed()) {
      const characters = this.#characters + event.characters;
      if (this.size >= this.bounds.size || characters > this.bounds.characters) {
        this.begin = event.place;
        this.#isFull = true;
        return;
      }
      this.#first -= 1;
      this.#events.set(this.#first, { ...event, number: this.#first });
      this.#characters = characters;
    }
    this.begin = place;
  }

  /** Finds the oldest event behind a number that is still kept. */
  findAfter(number: number): KeptEvent | undefined {
    return this.#events.get(Math.max(number + 1, this.#first));
  }

  find(number: number): KeptEvent | undefined {
    return this.#events.get(number);
  }

  /** Returns the number before that of the oldest event that came at a time or later. */
  findBefore(at: number): number {
    for (let number = this.#first; number <= this.#last; number += 1) {
      if ((this.#events.get(number)?.at ?? at) >= at) return number - 1;
    }
    return this.#last;
  }

  /** Finds the newest event that a judgement is true of, from the newest on. */
  findLast(is: (event: KeptEvent) => boolean): KeptEvent | undefined {
    for (let number = this.#last; number >= this.#first; number -= 1) {
      const event = this.#events.get(number);
      if (event !== undefined && is(event)) return event;
    }
    return undefined;
  }

  /** Forgets the kept events. The numbering continues. */
  clear(): void {
    this.begin = this.newest ?? this.begin;
    this.#events.clear();
    this.#isFull = false;
    this.#characters = 0;
    this.#first = this.#last + 1;
  }

  /** Notes that events were lost, and that it continues behind a place: a number stands for them. */
  skipTo(place: EventPlace): void {
    this.#last += 1;
    this.clear();
    this.begin = place;
  }

  get #isOverfull(): boolean {
    return this.size > this.bounds.size || this.#characters > this.bounds.characters;
  }

  #dropFirst(): void {
    const dropped = this.#events.get(this.#first);
    this.#characters -= dropped?.characters ?? 0;
    this.begin = dropped?.place ?? this.begin;
    this.#events.delete(this.#first);
    this.#first += 1;
    this.#isFull = true;
  }
}

/** Milliseconds to wait for an event that another process already has. */
const CATCH_UP_MS = 1000;
const LOOK_MS = 5;

/** The parts that read the past of a feed. */
interface PastParts {
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
