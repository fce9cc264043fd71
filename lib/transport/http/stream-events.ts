import type { ServerResponse } from 'node:http';
import type { Observable, Observer, Subscription } from 'rxjs';
import type { Claims } from '../../oauth/claims.js';
import type { StreamEvent } from '../../sessions/event-log.js';
import type { SessionStreams } from '../../sessions/session-streams.js';
import type { Session } from '../../sessions/session.js';
import type { EventStreams, EventStreamWriter } from './event-stream-writer.js';

/** What is streamed, and where. */
export interface StreamedEvents {
  readonly response: ServerResponse;
  readonly session: Session;
  readonly events$: Observable<StreamEvent>;
  /** The id to give the reader first, where its revision knows of that. */
  readonly primingId?: string | undefined;
  /** What the token says by which the stream was opened. */
  readonly claims?: Claims | undefined;
}

/** Writes a session's events to a response as they come, until they are over or the reader is gone. */
export function streamEvents(
  streams: EventStreams,
  { response, session, events$, primingId, claims }: StreamedEvents,
): EventStreamWriter {
  let reading: Subscription | undefined;
  const writer = streams.begin(response, () => reading?.unsubscribe());
  // A client that is gone would take what waits for one that comes back.
  if (!writer.isOpen) return writer;
  if (primingId !== undefined) writer.writePriming(primingId);
  reading = events$.subscribe(new EventReader(writer, session.streams));
  if (!writer.isOpen) reading.unsubscribe();
  if (session.revision.primingEvents) reading.add(streams.limitAge(writer));
  if (claims !== undefined) reading.add(streams.endWithToken(writer, claims));
  writer.allowBacklog();
  return writer;
}

/** Writes what comes on a stream; one object where closures would keep more for as long as the stream is open. */
class EventReader implements Pick<Observer<StreamEvent>, 'next' | 'complete'> {
  constructor(
    private readonly writer: EventStreamWriter,
    private readonly streams: SessionStreams,
  ) {}

  next(event: StreamEvent): void {
    this.writer.writeMessage(event.message.json, this.streams.formatId(event));
  }

  complete(): void {
    this.writer.end();
  }
}
