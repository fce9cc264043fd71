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
 * One session's event streams. All messages go through one Subject, and each open stream is an Observable of its
 * part.
 *
 * Each message is sent on exactly one stream, is numbered there, and is stored for a while. A client that reconnects
 * receives the missed messages in order, each exactly once.
 *
 * @see MCP 2025-11-25 basic/transports, "Resumability and Redelivery"
 */
export class SessionStreams implements Reclaimable {
  readonly #limits: EventLogLimits;
  readonly #first: number;
  readonly #memory: MemoryReservation | undefined;
  readonly #keepsStandalone: boolean;
  // Most sessions are idle, so the properties for events and calls are created on first use.
  #events: Subject<StreamEvent> | undefined;
  #log = EMPTY_LOG;
  readonly #records = new StreamRecords();
  /** The number of calls that had streams when the session was recovered. */
  #createdBefore = 0;

  /**
   * @param first the first stream number in event ids, which must differ from other processes that had this session
   * @param memory counts events that are stored for clients that reconnect
   * @param keepsStandalone whether the standalone SSE stream's messages are stored here instead of in the shared log
   */
  constructor(limits: EventLogLimits, first = 0, memory?: MemoryReservation, keepsStandalone = true) {
    this.#keepsStandalone = keepsStandalone;
    this.#limits = limits;
    this.#first = first;
    this.#memory = memory;
  }

  /** Whether any stream has a reader. */
  get hasReader(): boolean {
    for (const record of this.#records.all()) if (record.reader !== undefined) return true;
    return false;
  }

  /** Whether the standalone SSE stream has a reader. */
  get isStandalone(): boolean {
    return this.isRead(STANDALONE_STREAM);
  }

  /** Returns whether a stream has a reader. */
  isRead(stream: string): boolean {
    return this.#records.find(stream)?.reader !== undefined;
  }

  /** Returns whether a stream has a reader whose token has the scopes. */
  isReadWith(stream: string, scopes: readonly string[]): boolean {
    return isReadWith(this.#records.find(stream), scopes);
  }

  /**
   * Creates the stream of one call and returns its name.
   *
   * @param naming the parts of its name, if other processes must recognize the stream
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

  /** Evicts events that were already sent to readers. They may have been lost with a connection, but rarely are. */
  reclaim(): void {
    this.#memory?.withdrawOffer();
    const isEvictable = ({ stream, number }: StreamEvent): boolean => {
      const record = this.#records.find(stream);
      return record === undefined || isDelivered(record, number);
    };
    for (const { stream } of this.#log.dropEvictable(isEvictable)) this.#forgetIfOver(stream);
  }

  /** Returns the facts about an event id's stream, such as the scopes that its reader's token must have. */
  find(lastEventId: string): Pick<StreamRecord, 'scopes' | 'showsLife'> | undefined {
    return this.#records.find(parseEventId(lastEventId, this.#first)?.stream ?? '');
  }

  /** Sends a message on a stream, or stores it until the stream has a reader. */
  append(stream: string, message: OutboundMessage, isLast = false): void {
    this.#append(stream, message, { isLast });
  }

  /**
   * Sends a message on the standalone SSE stream.
   *
   * @param scopes the scopes that the reader's token must have
   */
  appendStandalone(message: OutboundMessage, scopes = NO_SCOPES): void {
    if (this.#keepsStandalone) this.#append(STANDALONE_STREAM, message, { scopes });
    else this.pass(message, '', scopes);
  }

  /**
   * Sends a message on the standalone SSE stream without storing it, if a client with the required scopes is reading
   * the stream. If `id` is empty, a client cannot resume from it.
   */
  pass(message: OutboundMessage, id: string, scopes = NO_SCOPES): void {
    const record = this.#records.find(STANDALONE_STREAM);
    if (record === undefined || !this.isReadWith(STANDALONE_STREAM, scopes)) return;
    record.last += 1;
    this.#begin().next({ stream: record.name, number: record.last, message, isLast: false, id });
  }

  /**
   * Sends a message that does not belong to a call on the standalone SSE stream, or else on a running call's stream.
   * Stores it if neither has a reader.
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

  /** Opens a stream for a reader, and first sends messages that were not sent to any reader. */
  open(stream: string, holder?: ScopeHolder): Observable<StreamEvent> {
    return this.#read(stream, { holder });
  }

  /** Returns the event id that precedes the first event that {@link open} would send now. */
  formatPosition(stream: string, holder?: ScopeHolder): string {
    const record = this.#records.find(stream);
    const next = record && findMissed(this.#log, record).find(({ scopes }) => holdsScopes(holder, scopes));
    return this.formatId({ stream, number: next === undefined ? (record?.last ?? 0) : next.number - 1 });
  }

  /**
   * Formats an event id: its id in the cluster log if it has one, and otherwise `<stream>:<number>`, which is unique
   * in the session.
   */
  formatId(event: Pick<StreamEvent, 'stream' | 'number' | 'id'>): string {
    return event.id ?? formatEventId(event, this.#first);
  }

  /** Opens the stream that an event id belongs to, after that event. An earlier reader is disconnected. */
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

  /** Returns call streams' stored events. */
  get callRests(): readonly CallRest[] {
    return collectRests(this.#records.calls(), this.#log);
  }

  /** Disconnects the session's previous client. A running call retains its stream, but only for its own messages. */
  takeOver(): void {
    this.#createdBefore = this.#records.created;
    this.#records.find(STANDALONE_STREAM)?.reader?.complete();
  }

  /** Ends all streams. Nothing can be sent afterwards. */
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
    if (this.#log === EMPTY_LOG) this.#log = new EventLog(this.#limits, this.#memory);
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

  /** Returns the Subject, and subscribes the readers that wait for the first event. */
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

/** The log for all sessions before their first event. Nothing is ever added to it. */
const EMPTY_LOG = new EventLog({ events: 0, characters: 0 });
