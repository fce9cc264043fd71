import type { ServerResponse } from 'node:http';
import type { Observable, Subscription, Unsubscribable } from 'rxjs';
import type { Claims } from '../../../../core/oauth/access-token.js';
import type { StreamEvent } from '../../../sessions/streams/event-log.js';
import type { SessionStreams } from '../../../sessions/streams/session-streams.js';
import type { Session } from '../../../sessions/session.js';
import { STANDALONE_STREAM } from '../../../sessions/streams/stream-records.js';
import type { EventStreamWriter } from './event-stream-writer.js';
import type { EventStreams } from './event-streams.js';

/** The events, and the response to which they are written. */
export interface StreamedEvents {
  readonly response: ServerResponse;
  readonly session: Session;
  readonly events$: Observable<StreamEvent>;
  /** The id to send first, if the revision supports priming events. */
  readonly primingId?: string | undefined;
  /** Whether it is a standalone stream. @default false */
  readonly isStandalone?: boolean;
  /** Whether its messages serve as heartbeats. @default until one of them does */
  readonly showsLife?: boolean;
  /** The claims of the token that opened the stream. */
  readonly claims?: Claims | undefined;
}

/** Writes a session's events to a response until they end or the reader disconnects. */
export function streamEvents(
  streams: EventStreams,
  { response, session, events$, primingId, isStandalone = false, showsLife = false, claims }: StreamedEvents,
): EventStreamWriter {
  const reading = new Reading(session.streams);
  const writer = streams.begin(response, reading);
  // A disconnected client would consume messages that are stored for resumption.
  if (!writer.isOpen) return writer;
  writer.showsLife = showsLife;
  if (isStandalone) streams.addStandalone(writer);
  if (primingId !== undefined) writer.writePriming(primingId);
  const subscription = reading.start(events$, writer);
  if (session.revision.primingEvents) subscription.add(streams.limitAge(writer));
  if (claims !== undefined) subscription.add(streams.endWithToken(writer, claims));
  writer.allowBacklog();
  return writer;
}

/**
 * Writes a stream's events. This is a single object, because closures would retain more for as long as the stream is
 * open.
 */
class Reading implements Unsubscribable {
  #writer: EventStreamWriter | undefined;
  #subscription: Subscription | undefined;

  constructor(private readonly streams: SessionStreams) {}

  /** Starts writing. The returned subscription closes when reading stops. */
  start(events$: Observable<StreamEvent>, writer: EventStreamWriter): Subscription {
    this.#writer = writer;
    this.#subscription = events$.subscribe(this);
    // Stored messages may already have exceeded the reader's limit.
    if (!writer.isOpen) this.unsubscribe();
    return this.#subscription;
  }

  next(event: StreamEvent): void {
    const isLive = event.message.isOfLiveStream === true && event.stream !== STANDALONE_STREAM;
    if (isLive && this.#writer !== undefined) this.#writer.showsLife = true;
    // An empty id would reset the client's position.
    this.#writer?.writeMessage(event.message.json, this.streams.formatId(event) || undefined);
  }

  complete(): void {
    this.#writer?.end();
  }

  unsubscribe(): void {
    this.#subscription?.unsubscribe();
  }
}
