import type { Observable, Observer, Subscriber, Unsubscribable } from 'rxjs';
import type { StreamEvent } from './event-log.js';
import { holdsScopes, type ScopeHolder } from './scope-holder.interface.js';

/** What a session knows of one of its streams. */
export interface StreamRecord {
  readonly name: string;
  /** The number of the newest event. */
  last: number;
  /** The number of the newest event that a reader was given. */
  delivered: number;
  isDone: boolean;
  /** What the token must have by which the stream is read. @default nothing */
  scopes: readonly string[] | undefined;
  reader: Subscriber<StreamEvent> | undefined;
  /** Who the reader is. */
  holder: ScopeHolder | undefined;
  /** What will listen for the reader as soon as there is anything to hear. */
  waiting: StreamPart | undefined;
}

/** Begins the record of a stream that nobody reads yet. */
export function createRecord(name: string): StreamRecord {
  return {
    name,
    last: 0,
    delivered: 0,
    isDone: false,
    scopes: undefined,
    reader: undefined,
    holder: undefined,
    waiting: undefined,
  };
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

  /** Gives the reader an event of its stream, if the reader may see it: another one may come for it. */
  give(event: StreamEvent): void {
    const { record, reader } = this;
    const { holder } = record;
    if (!holdsScopes(holder, event.scopes) || !holdsScopes(holder, record.scopes)) return;
    record.delivered = Math.max(record.delivered, event.number);
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
