import type { Observable, Observer, Subscriber, Unsubscribable } from 'rxjs';
import type { EventLog, StreamEvent } from './event-log.js';
import { holdsScopes, type ScopeHolder } from './scope-holder.interface.js';

/** The state of one of a session's streams. */
export interface StreamRecord {
  readonly name: string;
  /** The number of the call's stream, from 1. */
  readonly ordinal: number;
  /** The number of the newest event. */
  last: number;
  /** The number of the newest event that was sent to a reader. */
  delivered: number;
  /** The numbers of earlier events that were not sent, because the readers lacked their scopes. */
  withheld: Set<number> | undefined;
  isDone: boolean;
  /** Whether its messages serve as heartbeats. */
  showsLife: boolean;
  /** The scopes that the reader's token must have. @default none */
  scopes: readonly string[] | undefined;
  reader: Subscriber<StreamEvent> | undefined;
  /** The reader's scopes. */
  holder: ScopeHolder | undefined;
  /** Subscribes the reader when the session's first event occurs. */
  waiting: StreamPart | undefined;
}

/** Creates the state of a stream without a reader. */
export function createRecord(name: string, ordinal: number): StreamRecord {
  return {
    name,
    ordinal,
    last: 0,
    delivered: 0,
    withheld: undefined,
    isDone: false,
    showsLife: false,
    scopes: undefined,
    reader: undefined,
    holder: undefined,
    waiting: undefined,
  };
}

/** Returns whether a stream has a reader whose token has the scopes. */
export function isReadWith(record: StreamRecord | undefined, scopes: readonly string[]): boolean {
  return record?.reader !== undefined && (scopes.length === 0 || holdsScopes(record.holder, scopes));
}

/** Returns whether an event was sent to one of the stream's readers. */
export function isDelivered({ delivered, withheld }: StreamRecord, number: number): boolean {
  return number <= delivered && withheld?.has(number) !== true;
}

/** Finds a stream's stored events that follow a given event and were not sent to any reader. */
export function findMissed(log: EventLog, record: StreamRecord, after = 0): readonly StreamEvent[] {
  const { name, delivered, withheld } = record;
  if (withheld === undefined) return log.storedAfter(name, Math.max(after, delivered));
  return log.storedAfter(name, after).filter(({ number }) => !isDelivered(record, number));
}

/**
 * Sends one stream's events to its reader, and completes after the last. Frees the stream when the reader
 * disconnects.
 */
export class StreamPart implements Observer<StreamEvent>, Unsubscribable {
  constructor(
    readonly record: StreamRecord,
    readonly reader: Subscriber<StreamEvent>,
  ) {}

  /** Subscribes to the session's events until the reader disconnects. */
  listen(events$: Observable<StreamEvent>): void {
    this.record.waiting = undefined;
    this.reader.add(events$.subscribe(this));
  }

  /**
   * Sends stored messages to the reader, including those that arrive during this.
   *
   * @param after the number of the preceding event; by default, all messages that were not sent to any reader are
   *   sent
   */
  catchUp(log: EventLog, after?: number): void {
    const { record, reader } = this;
    const find = (last?: number): readonly StreamEvent[] =>
      after === undefined ? findMissed(log, record, last) : log.storedAfter(record.name, last ?? after);
    for (let missed = find(); missed.length > 0; missed = find(missed.at(-1)?.number)) {
      for (const event of missed) {
        if (reader.closed) return;
        this.give(event);
      }
    }
  }

  /**
   * Sends the reader an event from its stream, if the reader has the scopes. Otherwise, the event waits for another
   * reader.
   */
  give(event: StreamEvent): void {
    const { record, reader } = this;
    const { holder } = record;
    const { number } = event;
    if (!holdsScopes(holder, event.scopes) || !holdsScopes(holder, record.scopes)) {
      if (!isDelivered(record, number)) (record.withheld ??= new Set()).add(number);
      return;
    }
    record.withheld?.delete(number);
    record.delivered = Math.max(record.delivered, number);
    reader.next(event);
  }

  next(event: StreamEvent): void {
    if (event.stream !== this.record.name) return;
    this.give(event);
    if (event.isLast) this.reader.complete();
  }

  error(failure: unknown): void {
    this.reader.error(failure);
  }

  complete(): void {
    this.reader.complete();
  }

  unsubscribe(): void {
    const { record, reader } = this;
    if (record.reader !== reader) return;
    record.reader = undefined;
    record.holder = undefined;
    record.waiting = undefined;
  }
}
