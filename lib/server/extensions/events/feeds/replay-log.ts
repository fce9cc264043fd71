import { setTimeout as delay } from 'node:timers/promises';
import type { OpenObject } from '../../../../core/protocol/capabilities.js';
import type { ClusterBus, Topic } from '../../../cluster/cluster-bus.js';
import { type LogPosition, isAtOrAfter } from './event-cursors.js';

/** An event as published between processes. */
export interface PublishedEvent {
  readonly id: string;
  /** When the event was emitted, in milliseconds since 1970. */
  readonly at: number;
  /** The process that emitted it. */
  readonly by: string;
  /** The length of its payload as JSON. */
  readonly size: number;
  readonly data: OpenObject;
}

/** An event in the log. */
export interface LoggedEvent {
  /** Counts a source's events in this process, without gaps except for lost events. */
  readonly number: number;
  /** The same in every process. */
  readonly logPosition: LogPosition;
  /** When the event was emitted, in milliseconds since 1970. */
  readonly emittedAt: number;
  /** When it arrived, as `performance.now()`. */
  readonly at: number;
  readonly eventId: string;
  readonly data: OpenObject;
  /** The length of its payload as JSON. */
  readonly characters: number;
}

/** The log's limits. */
interface ReplayLimits {
  readonly size: number;
  readonly characters: number;
}

/** A source's newest events, in order. Beyond the limits, the oldest are evicted. */
export class ReplayLog {
  readonly #events = new Map<number, LoggedEvent>();
  #first = 1;
  #last = 0;
  #characters = 0;
  #isFull = false;

  /**
   * @param limits the log's limits
   * @param begin the position after which no event is missing
   */
  constructor(
    private readonly limits: ReplayLimits,
    private begin: LogPosition,
  ) {}

  /** The number of the newest event, even if it was evicted; 0 before the first. */
  get last(): number {
    return this.#last;
  }

  /** The number before the oldest logged event. */
  get beforeFirst(): number {
    return this.#first - 1;
  }

  /** The position after which no event is missing. */
  get beginning(): LogPosition {
    return this.begin;
  }

  /** The position of the newest logged event. */
  get newest(): LogPosition | undefined {
    return this.#events.get(this.#last)?.logPosition;
  }

  /** The number of logged events. */
  get size(): number {
    return this.#events.size;
  }

  /** Whether older events were evicted or did not fit. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Sets the position after which the empty log begins. */
  beginAt(logPosition: LogPosition): void {
    this.begin = logPosition;
  }

  append(event: Omit<LoggedEvent, 'number'>): LoggedEvent {
    this.#last += 1;
    const logged = { ...event, number: this.#last };
    this.#events.set(logged.number, logged);
    this.#characters += logged.characters;
    // The newest event stays, regardless of its size, because current listeners have not received it yet.
    while (this.#isOverfull && this.size > 1) this.#dropFirst();
    return logged;
  }

  /**
   * Prepends older events, newest first, as long as they fit.
   *
   * @param logPosition the position after which these events are complete
   */
  prepend(events: readonly Omit<LoggedEvent, 'number'>[], logPosition: LogPosition): void {
    for (const event of events.toReversed()) {
      const characters = this.#characters + event.characters;
      if (this.size >= this.limits.size || characters > this.limits.characters) {
        this.begin = event.logPosition;
        this.#isFull = true;
        return;
      }
      this.#first -= 1;
      this.#events.set(this.#first, { ...event, number: this.#first });
      this.#characters = characters;
    }
    this.begin = logPosition;
  }

  /** Finds the oldest logged event after a number. */
  findAfter(number: number): LoggedEvent | undefined {
    return this.#events.get(Math.max(number + 1, this.#first));
  }

  find(number: number): LoggedEvent | undefined {
    return this.#events.get(number);
  }

  /** Returns the number before the oldest event that arrived at or after a time. */
  findBefore(at: number): number {
    for (let number = this.#first; number <= this.#last; number += 1) {
      if ((this.#events.get(number)?.at ?? at) >= at) return number - 1;
    }
    return this.#last;
  }

  /** Finds the newest event that satisfies a predicate. */
  findLast(is: (event: LoggedEvent) => boolean): LoggedEvent | undefined {
    for (let number = this.#last; number >= this.#first; number -= 1) {
      const event = this.#events.get(number);
      if (event !== undefined && is(event)) return event;
    }
    return undefined;
  }

  /** Clears the log. The numbering continues. */
  clear(): void {
    this.begin = this.newest ?? this.begin;
    this.#events.clear();
    this.#isFull = false;
    this.#characters = 0;
    this.#first = this.#last + 1;
  }

  /** Records that events were lost, under a single number, and continues after a position. */
  skipTo(logPosition: LogPosition): void {
    this.#last += 1;
    this.clear();
    this.begin = logPosition;
  }

  get #isOverfull(): boolean {
    return this.size > this.limits.size || this.#characters > this.limits.characters;
  }

  #dropFirst(): void {
    const dropped = this.#events.get(this.#first);
    this.#characters -= dropped?.characters ?? 0;
    this.begin = dropped?.logPosition ?? this.begin;
    this.#events.delete(this.#first);
    this.#first += 1;
    this.#isFull = true;
  }
}

/** How long to wait for an event that another process already has, and between two checks, in milliseconds. */
const WAIT_MS = 1000;
const POLL_MS = 5;

/** The parts of a backfill. */
interface BackfillParts {
  readonly bus: ClusterBus;
  readonly topic: Topic<PublishedEvent>;
  readonly log: ReplayLog;
}

/**
 * Fills the log of a feed with the events since a client's position, which this process may not have received yet or
 * may have missed before it started.
 */
export class LogBackfill {
  /** The position before which no events can be read. */
  #lost: LogPosition | undefined;
  #reading: Promise<void> = Promise.resolve();

  constructor(private readonly parts: BackfillParts) {}

  /**
   * Resolves once the log contains the available events after a position, or after a time limit. It never rejects.
   */
  async catchUp(logPosition: LogPosition): Promise<void> {
    await this.#waitForBus(logPosition);
    if (!this.#isMissing(logPosition)) return;
    this.#reading = this.#reading.then(() => this.#read(logPosition)).catch(() => undefined);
    await this.#reading;
  }

  /** Records that events up to a position were lost, so no earlier events are read. */
  markLost(logPosition: LogPosition): void {
    this.#lost = logPosition;
  }

  async #waitForBus({ run, number }: LogPosition): Promise<void> {
    const { bus } = this.parts;
    const end = performance.now() + WAIT_MS;
    const isBehind = (): boolean => bus.position?.epoch === run && bus.position.number < number;
    while (isBehind() && bus.isConnected && performance.now() < end) await delay(POLL_MS);
  }

  /** Returns whether the log may lack events after a position and has room for them. */
  #isMissing(logPosition: LogPosition): boolean {
    const { beginning, isFull } = this.parts.log;
    const isLost = this.#lost !== undefined && isAtOrAfter(this.#lost, logPosition);
    return !isFull && !isLost && beginning.run === logPosition.run && !isAtOrAfter(logPosition, beginning);
  }

  async #read(logPosition: LogPosition): Promise<void> {
    const { bus, topic, log } = this.parts;
    const { beginning } = log;
    if (!this.#isMissing(logPosition)) return;
    const after = { epoch: logPosition.run, number: logPosition.number };
    const replayed = await bus.replay(topic, after);
    if (replayed === undefined) this.#lost = logPosition;
    // If the log has evicted its oldest event in the meantime, prepending would leave a gap.
    if (replayed === undefined || log.beginning !== beginning) return;
    const events = replayed
      .map(({ body, position }) => rebuild(body, { run: position.epoch, number: position.number }))
      .filter((event) => isAtOrAfter(beginning, event.logPosition));
    log.prepend(dropRepeated(events), logPosition);
  }
}

type BackfilledEvent = Omit<LoggedEvent, 'number'> & { readonly by: string };

function rebuild(
  { id: eventId, at: emittedAt, by, size: characters, data }: PublishedEvent,
  logPosition: LogPosition,
): BackfilledEvent {
  const at = performance.now() - Math.max(0, Date.now() - emittedAt);
  return { eventId, emittedAt, at, by, characters, data, logPosition };
}

/** An event that several processes published with the same id counts once. */
function dropRepeated(events: readonly BackfilledEvent[]): readonly BackfilledEvent[] {
  const first = new Map<string, string>();
  return events.filter(({ eventId, by }) => {
    const known = first.get(eventId) ?? by;
    first.set(eventId, known);
    return known === by;
  });
}
