import { Observable, Subject } from 'rxjs';
import type { OutboundMessage } from '../../../core/protocol/outbound-message.js';
import type { MemoryReservation } from '../../memory/memory-budget.js';
import type { Reclaimable } from '../../memory/memory-account.js';
import { EventLog, type EventLogLimits, formatEventId, parseEventId, type StreamEvent } from './event-log.js';
import { type CallName, formatCallName } from './call-event-id.js';
import type { ResumptionFailure, StreamDelivery, StreamReading } from './stream-reading.interface.js';
import { holdsScopes, NO_SCOPES, type ScopeHolder } from './scope-holder.interface.js';
import { type CallRest, collectRests } from './call-rest.js';
import { findMissed, isDelivered, isReadWith, StreamPart, type StreamRecord } from './stream-part.js';
import { STANDALONE_STREAM, StreamRecords } from './stream-records.js';

/**
 * The event streams of one session: one Subject is the only way out, each open stream is an Observable of its part.
 *
 * A message goes to exactly one stream, is numbered there and kept for a while. So a reader that lost its connection gets
 * what it missed, in order and once.
 *
 * @see MCP 2025-11-25 basic/transports, "Resumability and Redelivery"
 */
export class SessionStreams implements Reclaimable {
  readonly #bounds: EventLogLimits;
  readonly #first: number;
  readonly #memory: MemoryReservation | undefined;
  readonly #keepsStandalone: boolean;
  // Most sessions of a server are idle, so parts for events and calls are created with the first of them.
  #events: Subject<StreamEvent> | undefined;
  #log = EMPTY_LOG;
  readonly #records = new StreamRecords();
  /** How many calls had streams when the session was taken over. */
  #createdBefore = 0;

  /**
   * @param first where event ids count streams from: not where another process began for the same session
   * @param memory counts what is kept for a client that comes back
   * @param keepsStandalone whether messages of the standing stream are kept here, not in the shared log
   */
  constructor(bounds: EventLogLimits, first = 0, memory?: MemoryReservation, keepsStandalone = true) {
    this.#keepsStandalone = keepsStandalone;
    this.#bounds = bounds;
    this.#first = first;
    this.#memory = memory;
  }

  /** Whether a reader is on any stream. */
  get hasReader(): boolean {
    for (const record of this.#records.all()) if (record.reader !== undefined) return true;
    return false;
  }

  /** Whether a reader is on the standing stream. */
  get isStandalone(): boolean {
    return this.isRead(STANDALONE_STREAM);
  }

  /** Returns whether a reader is on a stream. */
  isRead(stream: string): boolean {
    return this.#records.find(stream)?.reader !== undefined;
  }

  /** Returns whether a reader is on a stream whose token has some scopes. */
  isReadWith(stream: string, scopes: readonly string[]): boolean {
    return isReadWith(this.#records.find(stream), scopes);
  }

  /**
   * Creates the stream of one call and gives its name.
   *
   * @param naming what is known of the call, if other processes must know it by its name
   */
  create(naming?: Omit<CallName, 'ordinal'>): string {
    return this.#records.create(
      naming && ((count) => formatCallName({ ...naming, ordinal: this.#first + count })),
    );
  }

  /** Sets the scopes that the token of a stream's reader must have from now on. */
  restrict(stream: string, scopes: readonly string[]): void {
    const record = this.#records.find(stream);
    if (record !== undefined && scopes.length > 0) record.scopes = scopes;
  }

  /** Gives up what readers were given already: they may have lost it with their connections, but hardly ever have. */
  reclaim(): void {
    this.#memory?.withdrawOffer();
    const isEvictable = ({ stream, number }: StreamEvent): boolean => {
      const record = this.#records.find(stream);
      return record === undefined || isDelivered(record, number);
    };
    for (const { stream } of this.#log.dropEvictable(isEvictable)) this.#forgetIfOver(stream);
  }

  /** Returns the facts about the stream of an event id, such as the scopes that its reader's token must have. */
  find(lastEventId: string): Pick<StreamRecord, 'scopes' | 'showsLife'> | undefined {
    return this.#records.find(parseEventId(lastEventId, this.#first)?.stream ?? '');
  }

  /** Puts a message on a stream: to its reader, or into the log until one comes. */
  append(stream: string, message: OutboundMessage, isLast = false): void {
    this.#append(stream, message, { isLast });
  }

  /**
   * Puts a message on the standing stream.
   *
   * @param scopes the scopes that the reader's token must have
   */
  appendStandalone(message: OutboundMessage, scopes = NO_SCOPES): void {
    if (this.#keepsStandalone) this.#append(STANDALONE_STREAM, message, { scopes });
    else this.pass(message, '', scopes);
  }

  /**
   * Sends a message on the standing stream without keeping it, if a permitted client reads the stream. With an empty
   * id, a client cannot come back to it.
   */
  pass(message: OutboundMessage, id: string, scopes = NO_SCOPES): void {
    const record = this.#records.find(STANDALONE_STREAM);
    if (record === undefined || !this.isReadWith(STANDALONE_STREAM, scopes)) return;
    record.last += 1;
    this.#begin().next({ stream: record.name, number: record.last, message, isLast: false, id });
  }

  /**
   * Puts a message that belongs to no call on the standing stream, else on an open call's, else into the log.
   *
   * @param scopes the scopes that the reader's token must have
   */
  appendUnrelated(message: OutboundMessage, scopes = NO_SCOPES): void {
    const isStandalone = this.isReadWith(STANDALONE_STREAM, scopes);
    const call = isStandalone ? undefined : this.#records.findOpenCall(scopes, this.#createdBefore);
    this.#append(call ?? STANDALONE_STREAM, message, { scopes });
  }

  /** Ends a stream that will have no response, as after a cancellation. */
  finish(stream: string): void {
    const record = this.#records.find(stream);
    if (record === undefined) return;
    record.isDone = true;
    record.reader?.complete();
    this.#forgetIfOver(stream);
  }

  /** Opens a stream for a reader: what no reader was given comes first. */
  open(stream: string, holder?: ScopeHolder): Observable<StreamEvent> {
    return this.#read(stream, { holder });
  }

  /** Returns the id of the event before the first that {@link open} would give a reader now. */
  formatPosition(stream: string, holder?: ScopeHolder): string {
    const record = this.#records.find(stream);
    const next = record && findMissed(this.#log, record).find(({ scopes }) => holdsScopes(holder, scopes));
    return this.formatId({ stream, number: next === undefined ? (record?.last ?? 0) : next.number - 1 });
  }

  /** Formats the id of an event: `<stream>:<number>`, unique in the session, unless it has one from elsewhere. */
  formatId(event: Pick<StreamEvent, 'stream' | 'number' | 'id'>): string {
    return event.id ?? formatEventId(event, this.#first);
  }

  /** Opens the stream of an event id after that event; a reader that is still on it loses it. */
  resume(lastEventId: string, holder?: ScopeHolder): Observable<StreamEvent> | ResumptionFailure {
    const position = parseEventId(lastEventId, this.#first);
    if (position === undefined) return 'unknown';
    const { stream, number, ordinal } = position;
    const record = this.#records.find(stream);
    if (record === undefined) return ordinal >= 0 && ordinal <= this.#records.created ? 'expired' : 'unknown';
    if (number > record.last) return 'unknown';
    const missed = this.#log.findAfter(stream, number, record.last);
    return missed === undefined ? 'expired' : this.#read(stream, { after: number, holder });
  }

  /** Returns what is kept of calls' streams. */
  get callRests(): readonly CallRest[] {
    return collectRests(this.#records.calls(), this.#log);
  }

  /** Disconnects the earlier holder of the session. A running call keeps its stream, but only for its own messages. */
  takeOver(): void {
    this.#createdBefore = this.#records.created;
    this.#records.find(STANDALONE_STREAM)?.reader?.complete();
  }

  /** Ends every stream; nothing can be appended afterwards. */
  close(): void {
    this.#begin().complete();
    this.#memory?.withdrawOffer();
    this.#log.clear();
    this.#log = EMPTY_LOG;
    this.#records.clear();
  }

  #append(
    stream: string,
    message: OutboundMessage,
    { isLast = false, scopes = NO_SCOPES }: StreamDelivery,
  ): void {
    const record = this.#records.find(stream);
    if (record === undefined || record.isDone) return;
    const number = record.last + 1;
    const event: StreamEvent =
      scopes.length === 0 ? { stream, number, message, isLast } : { stream, number, message, isLast, scopes };
    if (this.#log === EMPTY_LOG) this.#log = new EventLog(this.#bounds, this.#memory);
    const evicted = this.#log.append(event);
    record.last = event.number;
    record.isDone = isLast;
    if (message.isOfLiveStream === true && stream !== STANDALONE_STREAM) record.showsLife = true;
    this.#begin().next(event);
    for (const { stream: name, number: lost } of evicted) {
      this.#records.find(name)?.withheld?.delete(lost);
      this.#forgetIfOver(name);
    }
    if (record.reader !== undefined || record.delivered > 0) this.#memory?.offerToReclaim(this);
  }

  #read(stream: string, { after, holder }: StreamReading): Observable<StreamEvent> {
    return new Observable((reader) => {
      const record = this.#records.find(stream);
      if (record === undefined) return reader.complete();
      const previous = record.reader;
      record.reader = reader;
      record.holder = holder;
      const part = new StreamPart(record, reader);
      reader.add(part);
      previous?.complete();
      part.catchUp(this.#log, after);
      this.#memory?.offerToReclaim(this);
      if (record.isDone) return reader.complete();
      if (reader.closed) return;
      if (this.#events === undefined) record.waiting = part;
      else part.listen(this.#events);
    });
  }

  /** Returns the Subject, with every reader on it that has waited for the first event. */
  #begin(): Subject<StreamEvent> {
    if (this.#events !== undefined) return this.#events;
    this.#events = new Subject();
    for (const record of this.#records.all()) record.waiting?.listen(this.#events);
    return this.#events;
  }

  #forgetIfOver(stream: string): void {
    if (this.#records.find(stream)?.isDone !== true || this.#log.holds(stream)) return;
    this.#records.forget(stream);
  }
}

/** What every session has before its first event: nothing is ever put into it. */
const EMPTY_LOG = new EventLog({ events: 0, characters: 0 });
