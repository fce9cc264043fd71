import { Subscription, type Observable } from 'rxjs';
import type { ServerResponse } from 'node:http';
import { formatEventId, type StreamEvent } from '../../sessions/event-log.js';
import type { EventStreams } from './event-stream-writer.js';

/** What is streamed, and where. */
export interface StreamedEvents {
  readonly response: ServerResponse;
  readonly events$: Observable<StreamEvent>;
  /** The id to give the reader first, where its revision knows of that. */
  readonly primingId?: string | undefined;
}

/** Writes events to a response as they come, until they are over or the reader is gone. */
export function streamEvents(streams: EventStreams, { response, events$, primingId }: StreamedEvents): void {
  const reading = new Subscription();
  const writer = streams.begin(response, () => reading.unsubscribe());
  // A client that is gone would take what waits for one that comes back.
  if (!writer.isOpen) return;
  if (primingId !== undefined) writer.writePriming(primingId);
  reading.add(
    events$.subscribe({
      next: (event) => writer.writeMessage(event.message.json, formatEventId(event)),
      complete: () => writer.end(),
    }),
  );
  writer.allowBacklog();
}
