import type { OutboundMessage } from '../../../core/protocol/outbound-message.js';

/** One event of a session's stream. Its id on the wire is `<stream>:<number>`. */
export interface StreamEvent {
  readonly stream: string;
  /** Counted per stream, from 1. */
  readonly number: number;
  readonly message: OutboundMessage;
  /** Whether the stream ends with this event. */
  readonly isLast: boolean;
  /** What the token must have by which the event is read. @default nothing */
  readonly scopes?: readonly string[];
}

/** Formats the id of an event: unique in the session, counted per stream; streams are counted from `first`. */
export function formatEventId(event: Pick<StreamEvent, 'stream' | 'number'>, first = 0): string {
  return `${first + Number(event.stream)}:${event.number}`;
}

/** Parses the id of an event; gives nothing for what cannot be one. */
export function parseEventId(id: string, first: number): { stream: string; number: number } | undefined {
  const match = /^(0|[1-9]\d{0,14}):(0|[1-9]\d{0,14})$/.exec(id);
  if (match === null) return undefined;
  return { stream: String(Number(match[1]) - first), number: Number(match[2]) };
}

/** How much an event log keeps. */
export interface EventLogBounds {
  readonly events: number;
  readonly characters: number;
}

interface KeptEvent {
  readonly event: StreamEvent;
  readonly characters: number;
}

/** Keeps a session's newest events for a client that comes back; the oldest make room for new ones. */
export class EventLog {
  readonly #bounds: EventLogBounds;
  readonly #countByStream = new Map<string, number>();
  #kept: KeptEvent[] = [];
  #characters = 0;

  constructor(bounds: EventLogBounds) {
    this.#bounds = bounds;
  }

  /**
   * Adds an event and gives those that are not kept any more. One that is longer than the whole log is not kept
   * itself, rather than all others.
   */
  append(event: StreamEvent): readonly StreamEvent[] {
    const characters = event.message.json.length;
    if (characters > this.#bounds.characters) return [event];
    this.#kept.push({ event, characters });
    this.#characters += characters;
    this.#count(event.stream, 1);
    return this.#evict(this.#countSurplus());
  }

  /** Gives a stream's events after a number, oldest first; nothing where one of them is no longer kept. */
  findAfter(stream: string, number: number, last: number): readonly StreamEvent[] | undefined {
    if (number >= last) return NONE;
    const events = this.keptAfter(stream, number);
    return events.length === last - number ? events : undefined;
  }

  /** Gives those of a stream's events after a number that are kept, oldest first. */
  keptAfter(stream: string, number: number): readonly StreamEvent[] {
    if (!this.holds(stream)) return NONE;
    return this.#kept.flatMap(({ event }) =>
      event.stream === stream && event.number > number ? [event] : NONE,
    );
  }

  /** Tells whether events of a stream are kept. */
  holds(stream: string): boolean {
    return this.#countByStream.has(stream);
  }

  clear(): void {
    this.#kept = [];
    this.#characters = 0;
    this.#countByStream.clear();
  }

  #evict(surplus: number): readonly StreamEvent[] {
    if (surplus === 0) return NONE;
    const evicted = this.#kept.slice(0, surplus).map(({ event }) => event);
    this.#kept = this.#kept.slice(surplus);
    for (const { stream } of evicted) this.#count(stream, -1);
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
      this.#characters -= kept.characters;
      surplus += 1;
    }
    return surplus;
  }

  #count(stream: string, change: 1 | -1): void {
    const count = (this.#countByStream.get(stream) ?? 0) + change;
    if (count === 0) this.#countByStream.delete(stream);
    else this.#countByStream.set(stream, count);
  }
}

const NONE: readonly StreamEvent[] = Object.freeze([]);
