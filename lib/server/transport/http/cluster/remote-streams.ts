import type { BeforeApplicationShutdown } from '@nestjs/common';
import { ErrorCode } from '../../../../core/protocol/error-codes.js';
import { McpError } from '../../../../core/protocol/mcp.error.js';
import type { AccessPolicy } from '../../../auth/access/access-policy.js';
import type { Owners } from '../../../cluster/owners.js';
import { type ClusterBus, ClusterBusError, type ClusterTimeouts } from '../../../cluster/cluster-bus.js';
import { buildForwardedSender } from '../../../sessions/forwarded-sender.js';
import { nameSharer } from '../../../sessions/caller-shares.js';
import type { Session } from '../../../sessions/session.js';
import { type CallEventName, formatEndId } from '../../../sessions/streams/call-event-id.js';
import type { ResumptionFailure } from '../../../sessions/streams/stream-reading.interface.js';
import type { HttpExchange } from '../http-exchange.js';
import { refuseAccess } from '../refusals.js';
import type { EventStreams } from '../streams/event-streams.js';
import {
  EVENTS_TAKEN,
  type ForwardedEvent,
  type ForwardedEvents,
  OPEN_STREAM,
  REPORT_READINGS,
  STREAM_EVENTS,
  STREAM_LEFT,
  type StreamResponse,
} from './call-stream-messages.js';
import type { CallRequests, ArchivedStream, StreamArchive } from './call-records.js';
import type { Unsubscribable } from 'rxjs';
import { OutboundError } from '../../../../core/protocol/outbound-message.js';
import type { EventStreamWriter } from '../streams/event-stream-writer.js';

/** The stream that a client resumes. */
export interface Return {
  readonly session: Session;
  readonly place: CallEventName;
  readonly lastEventId: string;
}

/** Serves the streams of calls that other processes run. */
export class RemoteStreams implements BeforeApplicationShutdown {
  readonly #readings = new Map<string, RemoteReading>();
  /** Processes with a pending report. */
  readonly #reported = new Set<string>();
  #reporter: NodeJS.Timeout | undefined;
  #count = 0;

  constructor(
    private readonly bus: ClusterBus,
    private readonly owners: Owners,
    private readonly waits: ClusterTimeouts,
    private readonly handOver: StreamArchive,
    private readonly calls: CallRequests,
    private readonly access: AccessPolicy,
    private readonly streams: EventStreams,
  ) {
    bus.on(STREAM_EVENTS, (message) => this.#readings.get(message.reading)?.take(message));
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.#reporter);
  }

  /**
   * Resumes a stream.
   *
   * @throws {McpError} if the call's process does not know the event, or is unavailable
   */
  async resume(exchange: HttpExchange, { session, place, lastEventId }: Return): Promise<void> {
    // Nothing follows the error for a process that is gone.
    if (place.number === undefined) return this.streams.begin(exchange.beginStream()).end();
    const { member } = place;
    const reading = this.#register(session, place);
    try {
      const sender = buildForwardedSender(session, exchange.authentication);
      const request = { sender, lastEventId, member: this.bus.member, reading: reading.name };
      const answer = await this.#ask(request, member, nameSharer(session));
      const left = answer === undefined ? await this.#find(reading) : undefined;
      if (answer === undefined && left === undefined) await this.#nameRequests(reading);
      const required = answer?.required ?? left?.scopes ?? [];
      const refusal = this.access.findRefusal(exchange.authentication, required);
      if (refusal !== undefined) return refuseAccess(exchange, refusal);
      const failure = answer?.failure ?? findFailure(reading, answer, left);
      if (failure !== undefined) throw createResumptionError(failure);
      if (this.streams.isClosed) throw McpError.shuttingDown(503);
      const showsLife = answer?.showsLife === true;
      if (exchange.isOpen) this.#begin(exchange, reading, { lastEventId, showsLife });
      if (answer === undefined) reading.finish(left?.events);
    } finally {
      if (!reading.isStarted) reading.unsubscribe();
    }
  }

  async #ask(
    request: typeof OPEN_STREAM.body,
    member: string,
    caller: string,
  ): Promise<typeof OPEN_STREAM.reply | undefined> {
    try {
      return await this.owners.ask(OPEN_STREAM, request, {
        member,
        patienceMs: this.waits.streamMs,
        caller,
      });
    } catch (error) {
      if (error instanceof ClusterBusError) throw createUnreachableError();
      throw error;
    }
  }

  async #find({ session, place }: RemoteReading): Promise<ArchivedStream | undefined> {
    try {
      return await this.handOver.find(session, place);
    } catch {
      throw createUnreachableError();
    }
  }

  /** Finds the requests of a call whose process is gone. */
  async #nameRequests(reading: RemoteReading): Promise<void> {
    try {
      reading.requestIds = await this.calls.find(reading.session, reading.place);
    } catch {
      throw createUnreachableError();
    }
  }

  #register(session: Session, place: CallEventName): RemoteReading {
    const { member: owner } = place;
    this.#count += 1;
    const name = `${this.bus.member}:${this.#count}`;
    const reading = new RemoteReading({
      name,
      place,
      session,
      acknowledge: (count) => this.bus.send(EVENTS_TAKEN, { reading: name, count }, owner),
      onEnd: (isKnown) => {
        this.#readings.delete(name);
        if (!isKnown) this.bus.send(STREAM_LEFT, { reading: name }, owner);
      },
    });
    this.#readings.set(name, reading);
    this.#reporter ??= setInterval(() => this.#reportAll(), this.waits.reportMs).unref();
    return reading;
  }

  #begin(
    exchange: HttpExchange,
    reading: RemoteReading,
    { lastEventId, showsLife }: { readonly lastEventId: string; readonly showsLife: boolean },
  ): void {
    const { revision, claims } = reading.session;
    const writer = this.streams.begin(exchange.beginStream(), reading);
    if (!writer.isOpen) return;
    writer.showsLife = showsLife;
    // A client that loses this stream before its first event has a position to resume from.
    if (revision.primingEvents) {
      writer.writePriming(lastEventId);
      reading.add(this.streams.limitAge(writer));
    }
    if (claims !== undefined) reading.add(this.streams.endWithToken(writer, claims));
    reading.start(writer);
  }

  /** Ends a stream whose process is gone. Stored messages are available when the client reconnects. */
  async #replace(reading: RemoteReading): Promise<void> {
    const left = await this.#find(reading);
    if (left !== undefined) return reading.breakOff();
    await this.#nameRequests(reading);
    reading.finish();
  }

  #reportAll(): void {
    const byOwner = new Map<string, RemoteReading[]>();
    for (const reading of this.#readings.values()) {
      if (!reading.isStarted) continue;
      const { member } = reading.place;
      const readings = byOwner.get(member) ?? [];
      readings.push(reading);
      byOwner.set(member, readings);
    }
    for (const [owner, readings] of byOwner) void this.#report(owner, readings);
  }

  /** Reports progress to a process, and detects whether it is alive. */
  async #report(member: string, readings: readonly RemoteReading[]): Promise<void> {
    if (this.#reported.has(member)) return;
    this.#reported.add(member);
    for (const { session } of readings) session.keepAlive();
    try {
      const given = Object.fromEntries(readings.map((reading) => [reading.name, reading.given]));
      const verdict = await this.owners.ask(
        REPORT_READINGS,
        { given },
        { member, patienceMs: this.waits.streamMs },
      );
      if (verdict === undefined) await Promise.all(readings.map((reading) => this.#replace(reading)));
      else for (const name of verdict.lost) this.#readings.get(name)?.breakOff();
    } catch {
      for (const reading of readings) reading.breakOff();
    } finally {
      this.#reported.delete(member);
    }
  }
}

/** Without a stored stream or known requests, there is nothing to respond to. */
function findFailure(
  { requestIds }: Pick<RemoteReading, 'requestIds'>,
  answer: StreamResponse | undefined,
  left: ArchivedStream | undefined,
): ResumptionFailure | undefined {
  if (answer !== undefined) return undefined;
  if (left !== undefined) return left.events === undefined ? 'expired' : undefined;
  return requestIds.length === 0 ? 'expired' : undefined;
}

function createUnreachableError(): McpError {
  const text = 'The process that runs the call is unavailable at the moment: resume its stream later';
  return new McpError(ErrorCode.InternalError, text, undefined, 503);
}

/** The number of queued bytes beyond which no more messages are requested. */
const ENOUGH_BYTES = 65_536;

/** Parameters of a reading. */
export interface RemoteReadingParts {
  readonly name: string;
  readonly place: CallEventName;
  readonly session: Session;
  /** Acknowledges delivered messages to the call's process. */
  readonly acknowledge: (count: number) => void;
  /** Called once, at the end; `isKnown` if the call's process has ended the stream. */
  readonly onEnd: (isKnown: boolean) => void;
}

/** Writes the stream of a call that another process runs. */
export class RemoteReading implements Unsubscribable {
  #given = 0;
  /** Messages that arrived before the stream was accepted. */
  #early: ForwardedEvents[] = [];
  #writer: EventStreamWriter | undefined;
  readonly #ends: (() => void)[] = [];
  #isBroken = false;
  #isOver = false;
  #isEnded = false;

  /** The requests to respond to if the call's process is gone. */
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

  /** Number of messages received. */
  get given(): number {
    return this.#given;
  }

  get isStarted(): boolean {
    return this.#writer !== undefined;
  }

  /** Calls a function at the end. */
  add(end: (() => void) | undefined): void {
    if (end !== undefined) this.#ends.push(end);
  }

  /** Starts writing. */
  start(writer: EventStreamWriter): void {
    this.#writer = writer;
    if (this.#isBroken) return this.breakOff();
    for (const message of this.#early.splice(0)) this.#write(message);
  }

  /** Receives the next message. Duplicates are ignored. */
  take(message: ForwardedEvents): void {
    if (this.#isEnded || message.count <= this.#given) return;
    if (message.count !== this.#given + 1) return this.breakOff();
    this.#given = message.count;
    if (this.#writer === undefined) this.#early.push(message);
    else this.#write(message);
  }

  /** Ends the stream after a lost message, so that the client reconnects. */
  breakOff(): void {
    this.#isBroken = true;
    this.#writer?.dismiss();
  }

  /**
   * Ends the stream from a process that is gone.
   *
   * @param left the stored results. Without them, each of the call's requests receives an error
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
    'The process that ran the call is gone: it is unknown whether the call completed, but it can be retried';
  return new OutboundError(
    id,
    { code: ErrorCode.InternalError, message, data: { reason: 'process-gone' } },
    200,
  );
}

/** Creates the error for a stream that cannot be resumed. */
export function createResumptionError(failure: ResumptionFailure): McpError {
  return failure === 'unknown'
    ? McpError.invalidRequest('"Last-Event-ID" is not the id of an event in this session')
    : new McpError(
        ErrorCode.InvalidRequest,
        'Invalid request: "Last-Event-ID" is too old, and later events are no longer stored',
        { reason: 'event-id-expired' },
        400,
      );
}
