import type { OutboundMessage } from '../../../core/protocol/outbound-message.js';
import { estimateText } from '../../../core/protocol/measured-json.js';
import { HeapCost } from '../../memory/memory-limits.js';
import type { MemoryReservation } from '../../memory/memory-budget.js';
import { isCallName, parseCallEventId } from './call-event-id.js';

/** One event of a session's stream. Its id on the wire is `<stream>:<number>`. */
export interface StreamEvent {
  readonly stream: string;
  /** Counted per stream, from 1. */
  readonly number: number;
  readonly message: OutboundMessage;
  /** Whether the stream ends with this event. */
  readonly isLast: boolean;
  /** The scopes that the token of the event's reader must have. @default nothing */
  readonly scopes?: readonly string[];
  /** The id that it has from elsewhere; empty if a client cannot come back to it. */
  readonly id?: string;
}

/** Formats the id of an event: unique in the session, counted per stream; streams that have no name are counted from `first`. */
export function formatEventId(event: Pick<StreamEvent, 'stream' | 'number'>, first = 0): string {
  if (isCallName(event.stream)) return `${event.stream}:${event.number}`;
  return `${first + Number(event.stream)}:${event.number}`;
}

/** Where an event stands, by its id. */
export interface LogPosition {
  readonly stream: string;
  readonly number: number;
  /** Counts the streams of calls. */
  readonly ordinal: number;
}

/** Parses the id of an event. Returns `undefined` if it is not valid. */
export function parseEventId(id: string, first: number): LogPosition | undefined {
  const match = /^(0|[1-9]\d{0,14}):(0|[1-9]\d{0,14})$/.exec(id);
  if (match === null) return parseNamedEventId(id, first);
  const ordinal = Number(match[1]) - first;
  return { stream: String(ordinal), number: Number(match[2]), ordinal };
}

function parseNamedEventId(id: string, first: number): LogPosition | undefined {
  const { stream, number, ordinal = 0 } = parseCallEventId(id) ?? {};
  return stream === undefined || number === undefined
    ? undefined
    : { stream, number, ordinal: ordinal - first };
}

/** How much an event log keeps. */
export interface EventLogLimits {
  readonly events: number;
  readonly characters: number;
}

/** An event as the log keeps it. The message object is dropped, because it is as large as the sent text. */
class LoggedEvent implements StreamEvent, OutboundMessage {
  readonly stream: string;
  readonly number: number;
  readonly isLast: boolean;
  readonly json: string;
  readonly scopes?: readonly string[];

  constructor({ stream, number, message, isLast, scopes }: StreamEvent) {
    this.stream = stream;
    this.number = number;
    this.isLast = isLast;
    this.json = message.json;
    if (scopes !== undefined) this.scopes = scopes;
  }

  get message(): OutboundMessage {
    return this;
  }
}

/** Tells about an event whether the log can do without it. */
export type IsEvictable = (event: StreamEvent) => boolean;

/** Keeps a session's newest events for a client that comes back; the oldest make room for new ones. */
export class EventLog {
  readonly #bounds: EventLogLimits;
  readonly #countByStream = new Map<string, number>();
  readonly #memory: MemoryReservation | undefined;
  #kept: LoggedEvent[] = [];
  #characters = 0;

  /** @param memory counts what is kept; if it has no room, nothing more is kept */
  constructor(bounds: EventLogLimits, memory?: MemoryReservation) {
    this.#bounds = bounds;
    this.#memory = memory;
  }

  /**
   * Adds an event. Returns the events that are no longer kept. One that is longer than the whole log is not kept itself,
   * rather than all others.
   */
  append(event: StreamEvent): readonly StreamEvent[] {
    const { json } = event.message;
    // One that has no room is lost for itself alone.
    if (json.length > this.#bounds.characters) return [event];
    if (this.#memory?.tryAdd(countBytes(json)) === false) return [event];
    this.#kept.push(new LoggedEvent(event));
    this.#characters += json.length;
    this.#count(event.stream, 1);
    return this.#evict(this.#countSurplus());
  }

  /** Returns a stream's events after a number, oldest first, or `undefined` if one of them is no longer kept. */
  findAfter(stream: string, number: number, last: number): readonly StreamEvent[] | undefined {
    if (number >= last) return NONE;
    const events = this.storedAfter(stream, number);
    return events.length === last - number ? events : undefined;
  }

  /** Gives those of a stream's events after a number that are kept, oldest first. */
  storedAfter(stream: string, number: number): readonly StreamEvent[] {
    if (!this.holds(stream)) return NONE;
    return this.#kept.filter((event) => event.stream === stream && event.number > number);
  }

  /** Returns whether events of a stream are kept. */
  holds(stream: string): boolean {
    return this.#countByStream.has(stream);
  }

  /** Gives up the events that can be done without, and returns them. */
  dropEvictable(isEvictable: IsEvictable): readonly StreamEvent[] {
    const dropped = this.#kept.filter(isEvictable);
    if (dropped.length === 0) return NONE;
    this.#kept = this.#kept.filter((event) => !isEvictable(event));
    for (const { json } of dropped) this.#characters -= json.length;
    this.#forget(dropped);
    return dropped;
  }

  clear(): void {
    this.#forget(this.#kept);
    this.#kept = [];
    this.#characters = 0;
  }

  #evict(surplus: number): readonly StreamEvent[] {
    if (surplus === 0) return NONE;
    const evicted = this.#kept.slice(0, surplus);
    this.#kept = this.#kept.slice(surplus);
    this.#forget(evicted);
    return evicted;
  }

  /** Drops in steps of an eighth, so that a full log does not move its events at each one. */
  #countSurplus(): number {
    const { events, characters } = this.#bounds;
    if (this.#kept.length <= events && this.#characters <= characters) return 0;
    const keep = events - Math.floor(events / 8);
    let surplus = 0;
    for (const kept of this.#kept) {
      if (this.#kept.length - surplus <= keep && this.#characters <= characters) break;
      this.#characters -= kept.json.length;
      surplus += 1;
    }
    return surplus;
  }

  #forget(events: readonly LoggedEvent[]): void {
    for (const { stream, json } of events) {
      this.#count(stream, -1);
      this.#memory?.add(-countBytes(json));
    }
  }

  #count(stream: string, change: 1 | -1): void {
    const count = (this.#countByStream.get(stream) ?? 0) + change;
    if (count === 0) this.#countByStream.delete(stream);
    else this.#countByStream.set(stream, count);
  }
}

/** The last measured message is remembered, because a message to many sessions is measured once for each, one after the other. */
let counted = '';
let countedBytes: number = HeapCost.event;

function countBytes(json: string): number {
  if (json === counted) return countedBytes;
  const bytes = HeapCost.event + estimateText(json);
  if (json.length <= LONGEST_REMEMBERED) {
    counted = json;
    countedBytes = bytes;
  }
  return bytes;
}

/** Characters of a message that is remembered though nobody may need it any more. */
const LONGEST_REMEMBERED = 4096;

const NONE: readonly StreamEvent[] = Object.freeze([]);
