import type { Unsubscribable } from 'rxjs';
import { ErrorCode } from '../../../../core/protocol/error-codes.js';
import { OutboundError } from '../../../../core/protocol/outbound-message.js';
import type { Session } from '../../../sessions/session.js';
import { formatEndId, type CallEventName } from '../../../sessions/streams/call-event-id.js';
import type { EventStreamWriter } from '../streams/event-stream-writer.js';
import type { ForwardedEvent, ForwardedEvents } from './call-stream-messages.js';

/** Bytes that may wait for the client. Beyond that, no more are requested. */
const ENOUGH_BYTES = 65_536;

/** The parts of a reading. */
export interface RemoteReadingParts {
  readonly name: string;
  readonly place: CallEventName;
  readonly session: Session;
  /** Tells the process of the call how many messages were passed on. */
  readonly acknowledge: (count: number) => void;
  /** Called once, when nothing more is read; whether the process of the call knows that. */
  readonly onEnd: (isKnown: boolean) => void;
}

/** Writes the stream of a call that another process runs, as that one forwards it. */
export class RemoteReading implements Unsubscribable {
  #given = 0;
  /** What came before the answer that it comes. */
  #early: ForwardedEvents[] = [];
  #writer: EventStreamWriter | undefined;
  readonly #ends: (() => void)[] = [];
  #isBroken = false;
  #isOver = false;
  #isEnded = false;

  /** The requests that are answered if the process of the call is gone. */
  requestIds: CallEventName['requestIds'];

  constructor(private readonly parts: RemoteReadingParts) {
    this.requestIds = parts.place.requestIds;
  }

  get name(): string {
    return this.parts.name;
  }

  get place(): CallEventName {
    return this.parts.place;
  }

  get session(): Session {
    return this.parts.session;
  }

  /** How many messages came. */
  get given(): number {
    return this.#given;
  }

  get isStarted(): boolean {
    return this.#writer !== undefined;
  }

  /** Calls a function when it ends. */
  add(end: (() => void) | undefined): void {
    if (end !== undefined) this.#ends.push(end);
  }

  /** Writes from now on. */
  start(writer: EventStreamWriter): void {
    this.#writer = writer;
    if (this.#isBroken) return this.breakOff();
    for (const message of this.#early.splice(0)) this.#write(message);
  }

  /** Takes the next message. One that comes again is known already. */
  take(message: ForwardedEvents): void {
    if (this.#isEnded || message.count <= this.#given) return;
    if (message.count !== this.#given + 1) return this.breakOff();
    this.#given = message.count;
    if (this.#writer === undefined) this.#early.push(message);
    else this.#write(message);
  }

  /** Ends the stream after something got lost: the client comes back for it. */
  breakOff(): void {
    this.#isBroken = true;
    this.#writer?.dismiss();
  }

  /**
   * Ends the stream for a process that is gone.
   *
   * @param left the results that the process left. Without them, each request of the call is answered instead
   */
  finish(left?: readonly ForwardedEvent[]): void {
    const { place } = this.parts;
    const events =
      left ?? this.requestIds.map((id) => ({ id: formatEndId(place), json: buildGoneError(id).json }));
    for (const { id, json } of events) this.#writer?.writeMessage(json, id);
    this.#isOver = true;
    this.#writer?.end();
  }

  unsubscribe(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#early = [];
    for (const end of this.#ends) end();
    this.parts.onEnd(this.#isOver);
  }

  #write({ events, count, isLast, showsLife = false }: ForwardedEvents): void {
    const writer = this.#writer;
    if (showsLife && writer !== undefined) writer.showsLife = true;
    for (const { json, id } of events) writer?.writeMessage(json, id);
    this.#isOver = isLast;
    if (writer === undefined || isLast) return writer?.end();
    if (writer.unread <= ENOUGH_BYTES) return this.parts.acknowledge(count);
    writer.response.once('drain', () => this.parts.acknowledge(count));
  }
}

function buildGoneError(id: CallEventName['requestIds'][number]): OutboundError {
  const message =
    'The process that ran the call is gone: whether it was done is not known, and it may be made again';
  return new OutboundError(
    id,
    { code: ErrorCode.InternalError, message, data: { reason: 'process-gone' } },
    200,
  );
}
