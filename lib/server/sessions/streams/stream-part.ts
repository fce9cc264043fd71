import type { Observable, Observer, Subscriber, Unsubscribable } from 'rxjs';
import type { EventLog, StreamEvent } from './event-log.js';
import { holdsScopes, type ScopeHolder } from './scope-holder.interface.js';

/** What a session knows of one of its streams. */
export interface StreamRecord {
  readonly name: string;
  /** Counts the streams of calls, from 1. */
  readonly ordinal: number;
  /** The number of the newest event. */
  last: number;
  /** The number of the newest event that a reader was given. */
  delivered: number;
  /** The numbers of earlier events that no reader got, because the readers may not see them. */
  withheld: Set<number> | undefined;
  isDone: boolean;
  /** Whether its messages show by themselves that it lives. */
  showsLife: boolean;
  /** The scopes that the token of the stream's reader must have. @default nothing */
  scopes: readonly string[] | undefined;
  reader: Subscriber<StreamEvent> | undefined;
  /** Who the reader is. */
  holder: ScopeHolder | undefined;
  /** What will listen for the reader as soon as there is anything to hear. */
  waiting: StreamPart | undefined;
}

/** Begins the record of a stream that nobody reads yet. */
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

/** Returns whether a reader is on a stream whose token has some scopes. */
export function isReadWith(record: StreamRecord | undefined, scopes: readonly string[]): boolean {
  return record?.reader !== undefined && (scopes.length === 0 || holdsScopes(record.holder, scopes));
}

/** Returns whether a reader of a stream was given an event of it. */
export function isDelivered({ delivered, withheld }: StreamRecord, number: number): boolean {
  return number <= delivered && withheld?.has(number) !== true;
}

/** Finds what a log keeps of a stream that no reader was given, behind an event. */
export function findMissed(log: EventLog, record: StreamRecord, after = 0): readonly StreamEvent[] {
  const { name, delivered, withheld } = record;
  if (withheld === undefined) return log.storedAfter(name, Math.max(after, delivered));
  return log.storedAfter(name, after).filter(({ number }) => !isDelivered(record, number));
}

/** Passes one stream's events on and completes after its last; gives the stream up when its reader leaves. */
export class StreamPart implements Observer<StreamEvent>, Unsubscribable {
  constructor(
    readonly record: StreamRecord,
    readonly reader: Subscriber<StreamEvent>,
  ) {}

  /** Listens to the events of the whole session, as long as the reader stays. */
  listen(events$: Observable<StreamEvent>): void {
    this.record.waiting = undefined;
    this.reader.add(events$.subscribe(this));
  }

  /**
   * Sends the kept messages to the reader, and then those that came meanwhile.
   *
   * @param after the number of the event that comes before; left out for all that no reader was given
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

  /** Gives the reader an event of its stream, if the reader may see it: another one may come for it. */
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
