import type { ServerResponse } from 'node:http';
import type { Observable, Subscription, Unsubscribable } from 'rxjs';
import type { Claims } from '../../../../core/oauth/access-token.js';
import type { StreamEvent } from '../../../sessions/streams/event-log.js';
import type { SessionStreams } from '../../../sessions/streams/session-streams.js';
import type { Session } from '../../../sessions/session.js';
import { STANDING_STREAM } from '../../../sessions/streams/stream-records.js';
import type { EventStreamWriter } from './event-stream-writer.js';
import type { EventStreams } from './event-streams.js';

/** What is streamed, and where. */
export interface StreamedEvents {
  readonly response: ServerResponse;
  readonly session: Session;
  readonly events$: Observable<StreamEvent>;
  /** The id to give the reader first, if its revision knows of that. */
  readonly primingId?: string | undefined;
  /** Whether it belongs to no call. @default false */
  readonly isStanding?: boolean;
  /** Whether its messages show by themselves that it lives. @default until one of them says so */
  readonly showsLife?: boolean;
  /** The claims of the token that opened the stream. */
  readonly claims?: Claims | undefined;
}

/** Writes a session's events to a response as they come, until they are over or the reader is gone. */
export function streamEvents(
  streams: EventStreams,
  { response, session, events$, primingId, isStanding = false, showsLife = false, claims }: StreamedEvents,
): EventStreamWriter {
  const reading = new Reading(session.streams);
  const writer = streams.begin(response, reading);
  // A client that is gone would take the messages that wait for a returning one.
  if (!writer.isOpen) return writer;
  writer.showsLife = showsLife;
  if (isStanding) streams.addStandalone(writer);
  if (primingId !== undefined) writer.writePriming(primingId);
  const subscription = reading.start(events$, writer);
  if (session.revision.primingEvents) subscription.add(streams.limitAge(writer));
  if (claims !== undefined) subscription.add(streams.endWithToken(writer, claims));
  writer.allowBacklog();
  return writer;
}

/** Writes what comes on a stream: one object, if closures would keep more for as long as the stream is open. */
class Reading implements Unsubscribable {
  #writer: EventStreamWriter | undefined;
  #subscription: Subscription | undefined;

  constructor(private readonly streams: SessionStreams) {}

  /** Begins to write. The subscription that it returns ends with the reading. */
  start(events$: Observable<StreamEvent>, writer: EventStreamWriter): Subscription {
    this.#writer = writer;
    this.#subscription = events$.subscribe(this);
    // What was kept may have been too much for the reader already.
    if (!writer.isOpen) this.unsubscribe();
    return this.#subscription;
  }

  next(event: StreamEvent): void {
    const isLive = event.message.isOfLiveStream === true && event.stream !== STANDING_STREAM;
    if (isLive && this.#writer !== undefined) this.#writer.showsLife = true;
    // An empty id would have the client forget its place.
    this.#writer?.writeMessage(event.message.json, this.streams.formatId(event) || undefined);
  }

  complete(): void {
    this.#writer?.end();
  }

  unsubscribe(): void {
    this.#subscription?.unsubscribe();
  }
}
