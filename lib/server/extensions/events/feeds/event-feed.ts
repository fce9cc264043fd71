import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Observable, Subject } from 'rxjs';
import { logFault } from '../../../../core/log/log-fault.js';
import { Logger } from '../../../../core/logger/logger.js';
import type { OpenObject } from '../../../../core/protocol/capabilities.js';
import { LocalBus } from '../../../cluster/local-bus.js';
import { type Delivery, type ClusterBus, Topic } from '../../../cluster/cluster-bus.js';
import type { ClusterPosition } from '../../../settings/cluster/cluster.interface.js';
import type { EventRecipient } from '../../../settings/extensions/event-source-options.js';
import type { EventsSettings } from '../../../settings/extensions/events-options.js';
import { EventError } from '../event.error.js';
import {
  type EventCursors,
  type EventPosition,
  isAtOrBehind,
  isSamePlace,
  type EventPlace,
} from './event-cursors.js';
import type { EventSourceEntry } from './event-source-entry.js';
import { FeedPast, type PublishedEvent, ReplayLog, type KeptEvent } from './replay-log.js';
import { LocalSource } from './local-source.js';

/** Says where events stand: in the log that processes share, or in this run of the source, if the process is alone. */
class FeedPlaces {
  /** Names this run of the source: numbers begin again with each. */
  readonly run = randomBytes(9).toString('base64url');

  constructor(private readonly bus: ClusterBus) {}

  /** Returns the place behind which a feed begins now. */
  get beginning(): EventPlace {
    const { position } = this.bus;
    return position === undefined ? { run: this.run, number: 0 } : convert(position);
  }

  /** Returns the place of an event that comes. */
  next(log: ReplayLog, position: ClusterPosition | undefined): EventPlace {
    if (position !== undefined) return convert(position);
    if (!this.bus.isShared) return { run: this.run, number: log.last + 1 };
    const end = this.findEnd(log);
    return { ...end, own: (end.own ?? 0) + 1, by: this.bus.member };
  }

  /** Returns the place of a reader that has everything. It lies after unrelated entries of the log too. */
  findEnd(log: ReplayLog): EventPlace {
    const newest = log.newest ?? log.beginning;
    const { position } = this.bus;
    if (position === undefined) return newest;
    const end = convert(position);
    return isAtOrBehind(newest, end) ? newest : end;
  }

  /** Finds the number of the last event at a place or before it. Returns `undefined` if events behind it may not be here. */
  findNumber(log: ReplayLog, place: EventPlace): number | undefined {
    if (!this.bus.isShared) {
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

/** A message of a source to its listeners: a new event, a gap, or the need to begin again. */
export type FeedSignal =
  | { readonly kind: 'event' }
  | { readonly kind: 'fault'; readonly explanation: string }
  /** Ends the current listeners, while the source continues. */
  | { readonly kind: 'interruption'; readonly ending: EventError };

/** One running source. What it emits, in whichever process, becomes events, which are kept for a while and sent to listeners. */
export class EventFeed {
  /** Tells about events; completes when the source has nothing more to give. */
  readonly signals$: Observable<FeedSignal>;
  readonly log: ReplayLog;
  readonly #logger = new Logger('McpEvents');
  readonly #signals = new Subject<FeedSignal>();
  readonly #events: Topic<PublishedEvent>;
  readonly #places: FeedPlaces;
  readonly #past: FeedPast;
  readonly #source: LocalSource;
  /** Who emitted the newest events, by their names. */
  readonly #emitters: LRUCache<string, string>;
  readonly #leave: readonly (() => void)[];
  readonly #ends = new Subject<void>();
  #isOver = false;
  #ending: EventError | undefined;
  #lastCursor: { readonly place: EventPlace; readonly text: string } | undefined;

  constructor(
    readonly entry: EventSourceEntry,
    private readonly cursors: EventCursors,
    bounds: EventsSettings,
    private readonly bus: ClusterBus = new LocalBus(),
  ) {
    this.#events = new Topic(`event ${entry.name}`);
    this.#places = new FeedPlaces(bus);
    const { run, beginning } = this.#places;
    this.log = new ReplayLog({ size: bounds.logSize, characters: bounds.logCharacters }, beginning);
    this.#past = new FeedPast({ bus, topic: this.#events, log: this.log });
    this.#emitters = new LRUCache({ max: bounds.logSize });
    this.#source = new LocalSource({
      entry,
      bus,
      run,
      mostCharacters: bounds.payloadCharacters,
      onEvent: (event) => this.#publish(event),
      onFault: (explanation) => this.#signals.next({ kind: 'fault', explanation }),
      onRest: () => this.log.clear(),
      onEnd: () => this.#end(),
    });
    this.#leave = [
      bus.on(this.#events, (event, delivery) => this.#take(event, delivery)),
      bus.onGap(() => this.#skip()),
    ];
    this.signals$ = new Observable((listener) => {
      listener.add(this.#signals.subscribe(listener));
      if (this.#isOver) return;
      listener.add(() => this.#source.leave());
      this.#source.enter();
    });
  }

  /** Emits once the source has nothing more to give. */
  get ended$(): Observable<void> {
    return this.#ends.asObservable();
  }

  /** Whether nothing comes any more: what is kept can still be had. */
  get isOver(): boolean {
    return this.#ending !== undefined;
  }

  /** Why nothing comes any more. */
  get ending(): EventError {
    return this.#ending ?? EventError.sourceEnded();
  }

  /**
   * Begins to keep events for later listeners. A source without cursors begins when somebody listens.
   *
   * @throws {CatalogError} if the application gives no Observable
   */
  start(): void {
    // The process may have joined the others since the feed was built.
    if (this.log.size === 0) this.log.beginAt(this.#places.beginning);
    this.#source.start();
  }

  /** Ends all listeners and leaves the source for good. Each listener gets the kept events first, and then the reason. */
  terminate(ending: EventError): void {
    this.#ending = ending;
    this.stop();
    this.#signals.complete();
  }

  /** Ends the current listeners. The feed continues for later ones. */
  interrupt(ending: EventError): void {
    this.#signals.next({ kind: 'interruption', ending });
  }

  /** Parts from the source for good; who listens is told nothing more, the end of the source neither. */
  stop(): void {
    this.#isOver = true;
    this.#source.stop();
    for (const leave of this.#leave) leave();
  }

  /** Writes the place of an event, which is the same in every process, as a cursor; `null` if the source has none. */
  formatPlace(place: EventPlace): string | null {
    if (this.entry.isCursorless) return null;
    if (this.#lastCursor === undefined || !isSamePlace(this.#lastCursor.place, place)) {
      this.#lastCursor = { place, text: this.cursors.format({ source: this.entry.name, place }) };
    }
    return this.#lastCursor.text;
  }

  /**
   * Writes as a cursor where somebody stands who has everything up to a number.
   *
   * @param known what somebody has already, who may be ahead of this process @default nothing
   */
  formatCursor(after: number, known?: EventPlace): string | null {
    const isLast = after >= this.log.last;
    const place = isLast
      ? this.#places.findEnd(this.log)
      : (this.log.find(after)?.place ?? this.log.beginning);
    return this.formatPlace(known !== undefined && isAtOrBehind(known, place) ? known : place);
  }

  /** Returns the position of a cursor, or `undefined` if it cannot be read, as after a restart without a secret. */
  parseCursor(cursor: string): EventPosition | undefined {
    return this.cursors.parse(cursor);
  }

  /** Brings the log to where a cursor stands, as far as other processes know more; it never rejects. */
  async reach(cursor: string | undefined): Promise<void> {
    if (cursor === undefined || !this.bus.isShared || this.entry.isCursorless) return;
    const position = this.parseCursor(cursor);
    if (position?.source === this.entry.name) await this.#past.reach(position.place);
  }

  /** Finds the number of the last event at a place. Returns `undefined` if those behind it are not known to be kept, as after a restart. */
  findNumber(place: EventPlace): number | undefined {
    return this.#places.findNumber(this.log, place);
  }

  /** Tells whether a place is behind everything that this process has: another process may have more. */
  isAhead(place: EventPlace): boolean {
    const end = this.#places.findEnd(this.log);
    return isAtOrBehind(place, end) && !isAtOrBehind(end, place);
  }

  /** Tells whether somebody gets an event: if the filter says neither yes nor no, nobody does. */
  isFor(recipient: EventRecipient, { data }: KeptEvent): boolean {
    try {
      const { options } = this.entry;
      const isFor: unknown = options.filter === undefined || options.filter(data, recipient);
      return isFor === true;
    } catch (error) {
      const { name } = this.entry;
      logFault(this.#logger, error, `The filter of the event source "${name}" failed`);
      return false;
    }
  }

  /** What is worth nothing a moment later goes past the log that processes share. */
  #publish(event: PublishedEvent): void {
    if (!this.entry.isCursorless) return this.bus.publish(this.#events, event);
    this.bus.send(this.#events, event);
    this.#take(event, {});
  }

  #take(event: PublishedEvent, { position }: Delivery): void {
    if (this.#isOver || (this.entry.isCursorless && !this.#signals.observed) || this.#isRepeated(event))
      return;
    const { id: eventId, at: emittedAt, size: characters, data } = event;
    const place = this.#places.next(this.log, position);
    if (position !== undefined && isAtOrBehind(this.log.newest ?? this.log.beginning, place)) return;
    // The process may have joined the others only now.
    if (this.log.size === 0 && this.log.beginning.run !== place.run) this.#beginBefore(place);
    this.log.append({ eventId, data, characters, place, emittedAt, at: performance.now() });
    this.#signals.next({ kind: 'event' });
  }

  /** An event that the application names counts once, if several processes emit it. */
  #isRepeated({ id, by }: PublishedEvent): boolean {
    if (!this.bus.isShared || this.entry.options.eventId === undefined) return false;
    const first = this.#emitters.get(id);
    if (first === undefined) this.#emitters.set(id, by);
    return first !== undefined && first !== by;
  }

  #beginBefore({ run, number }: EventPlace): void {
    this.log.beginAt({ run, number: number - 1 });
  }

  /** Listeners, and clients that come back with an earlier cursor, are told about missing events. */
  #skip(): void {
    const end = this.#places.findEnd(this.log);
    this.#past.lose(end);
    this.log.skipTo({ ...end, own: (end.own ?? 0) + 1, by: this.bus.member });
    this.#signals.next({ kind: 'event' });
  }

  #end(): void {
    this.#isOver = true;
    this.#ending ??= EventError.sourceEnded();
    this.#signals.complete();
    this.#ends.next();
  }
}

/** An event as clients and receivers of webhooks get it. */
interface EventOccurrence {
  readonly eventId: string;
  readonly name: string;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly data: OpenObject;
  /** Where the client stands after this event; `null` if the source has no cursors. */
  readonly cursor: string | null;
}

/** Builds what is sent of an event. */
export function buildOccurrence(
  feed: EventFeed,
  { place, emittedAt, eventId, data }: KeptEvent,
): EventOccurrence {
  return {
    eventId,
    name: feed.entry.name,
    timestamp: new Date(emittedAt).toISOString(),
    data,
    cursor: feed.formatPlace(place),
  };
}
