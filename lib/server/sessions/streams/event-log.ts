import type { OutboundMessage } from '../../../core/protocol/outbound-message.js';
import { estimateText } from '../../../core/protocol/measured-json.js';
import { HeapCost } from '../../memory/memory-limits.js';
import type { MemoryReservation } from '../../memory/memory-budget.js';
import { isCallName, parseCallEventId } from './call-event-id.js';

/** One event on a session's stream. Its id on the wire is `<stream>:<number>`. */
export interface StreamEvent {
  readonly stream: string;
  /** Counted per stream, starting at 1. */
  readonly number: number;
  readonly message: OutboundMessage;
  /** Whether the stream ends with this event. */
  readonly isLast: boolean;
  /** The scopes that the reader's token must have. @default none */
  readonly scopes?: readonly string[];
  /** The id that it has in the cluster log. Empty if a client cannot resume from it. */
  readonly id?: string;
}

/** Formats an event id, which is unique in the session. Streams without a name are numbered from `first`. */
export function formatEventId(event: Pick<StreamEvent, 'stream' | 'number'>, first = 0): string {
  if (isCallName(event.stream)) return `${event.stream}:${event.number}`;
  return `${first + Number(event.stream)}:${event.number}`;
}

/** An event's position, parsed from its id. */
export interface LogPosition {
  readonly stream: string;
  readonly number: number;
  /** The number of the call's stream. */
  readonly ordinal: number;
}

/** Parses an event id. Returns `undefined` if it is invalid. */
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

/** The maximum size of an event log. */
export interface EventLogLimits {
  readonly events: number;
  readonly characters: number;
}

/** A stored event. It does not retain the message object, which is as large as the serialized message. */
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

/** Returns whether the log may evict an event. */
export type IsEvictable = (event: StreamEvent) => boolean;

/** Stores a session's newest events for clients that reconnect, and evicts the oldest. */
export class EventLog {
  readonly #limits: EventLogLimits;
  readonly #countByStream = new Map<string, number>();
  readonly #memory: MemoryReservation | undefined;
  #stored: LoggedEvent[] = [];
  #characters = 0;

  /** @param memory counts the stored events; if it is exhausted, no further event is stored */
  constructor(limits: EventLogLimits, memory?: MemoryReservation) {
    this.#limits = limits;
    this.#memory = memory;
  }

  /** Adds an event. Returns the evicted events. An event that exceeds the whole log is not stored, so that it does not evict all others. */
  append(event: StreamEvent): readonly StreamEvent[] {
    const { json } = event.message;
    // An event that does not fit does not evict others.
    if (json.length > this.#limits.characters) return [event];
    if (this.#memory?.tryAdd(countBytes(json)) === false) return [event];
    this.#stored.push(new LoggedEvent(event));
    this.#characters += json.length;
    this.#count(event.stream, 1);
    return this.#evict(this.#countSurplus());
  }

  /** Returns a stream's events after a number, oldest first, or `undefined` if one of them was evicted. */
  findAfter(stream: string, number: number, last: number): readonly StreamEvent[] | undefined {
    if (number >= last) return NONE;
    const events = this.storedAfter(stream, number);
    return events.length === last - number ? events : undefined;
  }

  /** Returns a stream's stored events after a number, oldest first. */
  storedAfter(stream: string, number: number): readonly StreamEvent[] {
    if (!this.holds(stream)) return NONE;
    return this.#stored.filter((event) => event.stream === stream && event.number > number);
  }

  /** Returns whether any of a stream's events are stored. */
  holds(stream: string): boolean {
    return this.#countByStream.has(stream);
  }

  /** Removes evictable events, and returns them. */
  dropEvictable(isEvictable: IsEvictable): readonly StreamEvent[] {
    const dropped = this.#stored.filter(isEvictable);
    if (dropped.length === 0) return NONE;
    this.#stored = this.#stored.filter((event) => !isEvictable(event));
    for (const { json } of dropped) this.#characters -= json.length;
    this.#forget(dropped);
    return dropped;
  }

  clear(): void {
    this.#forget(this.#stored);
    this.#stored = [];
    this.#characters = 0;
  }

  #evict(surplus: number): readonly StreamEvent[] {
    if (surplus === 0) return NONE;
    const evicted = this.#stored.slice(0, surplus);
    this.#stored = this.#stored.slice(surplus);
    this.#forget(evicted);
    return evicted;
  }

  /** Evicts an eighth of the log at a time, so that a full log does not have to shift its events for each new one. */
  #countSurplus(): number {
    const { events, characters } = this.#limits;
    if (this.#stored.length <= events && this.#characters <= characters) return 0;
    const keep = events - Math.floor(events / 8);
    let surplus = 0;
    for (const stored of this.#stored) {
      if (this.#stored.length - surplus <= keep && this.#characters <= characters) break;
      this.#characters -= stored.json.length;
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

/** The size of the last message, because a message to many sessions is measured for one session after another. */
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

/** The maximum length of a cached message, because the cache may retain it indefinitely. */
const LONGEST_REMEMBERED = 4096;

const NONE: readonly StreamEvent[] = Object.freeze([]);
