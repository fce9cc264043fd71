import type { OutboundMessage } from '../protocol/outbound-message.js';

/** One event of a session's stream. Its id on the wire is `<stream>:<number>`. */
export interface StreamEvent {
  readonly stream: string;
  /** Counted per stream, from 1. */
  readonly number: number;
  readonly message: OutboundMessage;
  /** Whether the stream ends with this event. */
  readonly isLast: boolean;
}

/** Formats the id of an event: unique in the session, counted per stream. */
export function formatEventId(event: Pick<StreamEvent, 'stream' | 'number'>): string {
  return `${event.stream}:${event.number}`;
}

/** How much an event log keeps. */
export interface EventLogBounds {
  readonly events: number;
  readonly characters: number;
}

/** Keeps a session's newest events for a client that comes back; the oldest make room for new ones. */
export class EventLog {
  readonly #bounds: EventLogBounds;
  #events: StreamEvent[] = [];
  #characters = 0;

  constructor(bounds: EventLogBounds) {
    this.#bounds = bounds;
  }

  /** Adds an event and gives those that had to go. */
  append(event: StreamEvent): readonly StreamEvent[] {
    this.#events.push(event);
    this.#characters += event.message.json.length;
    const surplus = this.#countSurplus();
    if (surplus === 0) return NONE;
    const evicted = this.#events.slice(0, surplus);
    this.#events = this.#events.slice(surplus);
    return evicted;
  }

  /** Gives a stream's events after a number, oldest first; nothing where one of them is no longer kept. */
  findAfter(stream: string, number: number, last: number): readonly StreamEvent[] | undefined {
    if (number >= last) return NONE;
    const events = this.#events.filter((event) => event.stream === stream && event.number > number);
    return events.length === last - number ? events : undefined;
  }

  /** Tells whether events of a stream are kept. */
  holds(stream: string): boolean {
    return this.#events.some((event) => event.stream === stream);
  }

  clear(): void {
    this.#events = [];
    this.#characters = 0;
  }

  /** Drops in steps of an eighth, so that a full log does not move its events at each one. */
  #countSurplus(): number {
    const { events, characters } = this.#bounds;
    if (this.#events.length <= events && this.#characters <= characters) return 0;
    const keep = events - Math.floor(events / 8);
    let surplus = 0;
    while (
      surplus < this.#events.length &&
      (this.#events.length - surplus > keep || this.#characters > characters)
    ) {
      this.#characters -= this.#events[surplus]?.message.json.length ?? 0;
      surplus += 1;
    }
    return surplus;
  }
}

const NONE: readonly StreamEvent[] = Object.freeze([]);
