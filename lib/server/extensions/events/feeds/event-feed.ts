import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Observable, Subject } from 'rxjs';
import { logError } from '../../../../core/log/describe-failure.js';
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
  type EventCursor,
  isAtOrAfter,
  isSamePosition,
  type LogPosition,
} from './event-cursors.js';
import type { EventSourceEntry } from './event-source-entry.js';
import { LogBackfill, type PublishedEvent, ReplayLog, type LoggedEvent } from './replay-log.js';
import { LocalSource } from './local-source.js';

/** Computes event positions: in the log that the cluster shares or, without a cluster, in this run of the source. */
class FeedPositions {
  /** Identifies this run of the source, because numbers restart with each run. */
  readonly run = randomBytes(9).toString('base64url');

  constructor(private readonly bus: ClusterBus) {}

  /** Returns the position after which a feed begins now. */
  get beginning(): LogPosition {
    const { position } = this.bus;
    return position === undefined ? { run: this.run, number: 0 } : convert(position);
  }

  /** Returns the position of a new event. */
  next(log: ReplayLog, position: ClusterPosition | undefined): LogPosition {
    if (position !== undefined) return convert(position);
    if (!this.bus.isShared) return { run: this.run, number: log.last + 1 };
    const end = this.findEnd(log);
    return { ...end, own: (end.own ?? 0) + 1, by: this.bus.member };
  }

  /** Returns the position of a reader that has all events. Unrelated log entries are treated as read. */
  findEnd(log: ReplayLog): LogPosition {
    const newest = log.newest ?? log.beginning;
    const { position } = this.bus;
    if (position === undefined) return newest;
    const end = convert(position);
    return isAtOrAfter(newest, end) ? newest : end;
  }

  /**
   * Finds the number of the last event at or before a position. Returns `undefined` if later events may be missing
   * here.
   */
  findNumber(log: ReplayLog, logPosition: LogPosition): number | undefined {
    if (!this.bus.isShared) {
      return logPosition.run === this.run && logPosition.number <= log.last ? logPosition.number : undefined;
    }
    const found = log.findLast((event) => isAtOrAfter(logPosition, event.logPosition));
    if (found !== undefined) return found.number;
    return isAtOrAfter(logPosition, log.beginning) ? log.beforeFirst : undefined;
  }
}

function convert({ epoch, number }: ClusterPosition): LogPosition {
  return { run: epoch, number };
}

/** A source's signal to its listeners: a new event, a failure, or a request to subscribe again. */
export type FeedSignal =
  | { readonly kind: 'event' }
  | { readonly kind: 'problem'; readonly explanation: string }
  /** Ends the current listeners, while the source continues. */
  | { readonly kind: 'interruption'; readonly ending: EventError };

/** A running source. Values emitted in any process become events, which are logged and sent to listeners. */
export class EventFeed {
  /** Signals new events and failures. Completes when the source has ended. */
  readonly signals$: Observable<FeedSignal>;
  readonly log: ReplayLog;
  readonly #logger = new Logger('McpEvents');
  readonly #signals = new Subject<FeedSignal>();
  readonly #events: Topic<PublishedEvent>;
  readonly #positions: FeedPositions;
  readonly #backfill: LogBackfill;
  readonly #source: LocalSource;
  /** The process that emitted each of the newest events, by event id. */
  readonly #emitters: LRUCache<string, string>;
  readonly #unsubscribers: readonly (() => void)[];
  readonly #ends = new Subject<void>();
  #isOver = false;
  #ending: EventError | undefined;
  #lastCursor: { readonly logPosition: LogPosition; readonly text: string } | undefined;

  constructor(
    readonly entry: EventSourceEntry,
    private readonly cursors: EventCursors,
    limits: EventsSettings,
    private readonly bus: ClusterBus = new LocalBus(),
  ) {
    this.#events = new Topic(`event ${entry.name}`);
    this.#positions = new FeedPositions(bus);
    const { run, beginning } = this.#positions;
    this.log = new ReplayLog({ size: limits.logSize, characters: limits.logCharacters }, beginning);
    this.#backfill = new LogBackfill({ bus, topic: this.#events, log: this.log });
    this.#emitters = new LRUCache({ max: limits.logSize });
    this.#source = new LocalSource({
      entry,
      bus,
      run,
      maxCharacters: limits.payloadCharacters,
      onEvent: (event) => this.#publish(event),
      onProblem: (explanation) => this.#signals.next({ kind: 'problem', explanation }),
      onPause: () => this.log.clear(),
      onEnd: () => this.#end(),
    });
    this.#unsubscribers = [
      bus.on(this.#events, (event, delivery) => this.#append(event, delivery)),
      bus.onGap(() => this.#skip()),
    ];
    this.signals$ = new Observable((listener) => {
      listener.add(this.#signals.subscribe(listener));
      if (this.#isOver) return;
      listener.add(() => this.#source.leave());
      this.#source.enter();
    });
  }

  /** Emits once the source has ended. */
  get ended$(): Observable<void> {
    return this.#ends.asObservable();
  }

  /** Whether the source has ended. Logged events can still be read. */
  get isOver(): boolean {
    return this.#ending !== undefined;
  }

  /** Why the source has ended. */
  get ending(): EventError {
    return this.#ending ?? EventError.sourceEnded();
  }

  /**
   * Starts the source. A source without cursors starts with its first listener.
   *
   * @throws {CatalogError} if the application returns no Observable
   */
  start(): void {
    // The process may have joined the cluster since the feed was built.
    if (this.log.size === 0) this.log.beginAt(this.#positions.beginning);
    this.#source.start();
  }

  /** Ends the source. Listeners get the logged events first, and then the reason. */
  terminate(ending: EventError): void {
    this.#ending = ending;
    this.stop();
    this.#signals.complete();
  }

  /** Ends the current listeners, while the feed continues for later ones. */
  interrupt(ending: EventError): void {
    this.#signals.next({ kind: 'interruption', ending });
  }

  /** Stops the source without notifying listeners. */
  stop(): void {
    this.#isOver = true;
    this.#source.stop();
    for (const unsubscribe of this.#unsubscribers) unsubscribe();
  }

  /** Encodes an event's position as a cursor, or `null` if the source has no cursors. */
  formatPosition(logPosition: LogPosition): string | null {
    if (this.entry.isCursorless) return null;
    if (this.#lastCursor === undefined || !isSamePosition(this.#lastCursor.logPosition, logPosition)) {
      this.#lastCursor = { logPosition, text: this.cursors.format({ source: this.entry.name, logPosition }) };
    }
    return this.#lastCursor.text;
  }

  /**
   * Encodes the cursor of a reader that has all events up to a number.
   *
   * @param known the reader's known position, which may be ahead of this process @default none
   */
  formatCursor(after: number, known?: LogPosition): string | null {
    const isLast = after >= this.log.last;
    const logPosition = isLast
      ? this.#positions.findEnd(this.log)
      : (this.log.find(after)?.logPosition ?? this.log.beginning);
    return this.formatPosition(known !== undefined && isAtOrAfter(known, logPosition) ? known : logPosition);
  }

  /** Decodes a cursor. Returns `undefined` if it is unreadable, such as after a restart without a fixed secret. */
  parseCursor(cursor: string): EventCursor | undefined {
    return this.cursors.parse(cursor);
  }

  /** Fills the log from other processes up to a cursor. It never rejects. */
  async catchUp(cursor: string | undefined): Promise<void> {
    if (cursor === undefined || !this.bus.isShared || this.entry.isCursorless) return;
    const position = this.parseCursor(cursor);
    if (position?.source === this.entry.name) await this.#backfill.catchUp(position.logPosition);
  }

  /**
   * Finds the number of the last event at a position. Returns `undefined` if later events may be missing, such as after
   * a restart.
   */
  findNumber(logPosition: LogPosition): number | undefined {
    return this.#positions.findNumber(this.log, logPosition);
  }

  /** Returns whether a position is after all of this process's events, because another process has more. */
  isAhead(logPosition: LogPosition): boolean {
    const end = this.#positions.findEnd(this.log);
    return isAtOrAfter(logPosition, end) && !isAtOrAfter(end, logPosition);
  }

  /** Returns whether a recipient gets an event. Only `true` from the filter lets it through. */
  isFor(recipient: EventRecipient, { data }: LoggedEvent): boolean {
    try {
      const { options } = this.entry;
      const isFor: unknown = options.filter === undefined || options.filter(data, recipient);
      return isFor === true;
    } catch (error) {
      const { name } = this.entry;
      logError(this.#logger, error, `The filter for the event source "${name}" failed`);
      return false;
    }
  }

  /** Events without cursors are not written to the log that the cluster shares. */
  #publish(event: PublishedEvent): void {
    if (!this.entry.isCursorless) return this.bus.publish(this.#events, event);
    this.bus.send(this.#events, event);
    this.#append(event, {});
  }

  #append(event: PublishedEvent, { position }: Delivery): void {
    if (this.#isOver || (this.entry.isCursorless && !this.#signals.observed) || this.#isRepeated(event))
      return;
    const { id: eventId, at: emittedAt, size: characters, data } = event;
    const logPosition = this.#positions.next(this.log, position);
    if (position !== undefined && isAtOrAfter(this.log.newest ?? this.log.beginning, logPosition)) return;
    // The process may have just joined the cluster.
    if (this.log.size === 0 && this.log.beginning.run !== logPosition.run) this.#beginBefore(logPosition);
    this.log.append({ eventId, data, characters, logPosition, emittedAt, at: performance.now() });
    this.#signals.next({ kind: 'event' });
  }

  /** An event with an id from the application counts once, even if several processes emit it. */
  #isRepeated({ id, by }: PublishedEvent): boolean {
    if (!this.bus.isShared || this.entry.options.eventId === undefined) return false;
    const first = this.#emitters.get(id);
    if (first === undefined) this.#emitters.set(id, by);
    return first !== undefined && first !== by;
  }

  #beginBefore({ run, number }: LogPosition): void {
    this.log.beginAt({ run, number: number - 1 });
  }

  /** Leaves a gap in the log, and notifies listeners and clients with an earlier cursor. */
  #skip(): void {
    const end = this.#positions.findEnd(this.log);
    this.#backfill.markLost(end);
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

/** An event as sent to clients and webhook receivers. */
interface EventOccurrence {
  readonly eventId: string;
  readonly name: string;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly data: OpenObject;
  /** The client's position after this event; `null` if the source has no cursors. */
  readonly cursor: string | null;
}

/** Builds an event's message. */
export function buildOccurrence(
  feed: EventFeed,
  { logPosition, emittedAt, eventId, data }: LoggedEvent,
): EventOccurrence {
  return {
    eventId,
    name: feed.entry.name,
    timestamp: new Date(emittedAt).toISOString(),
    data,
    cursor: feed.formatPosition(logPosition),
  };
}
