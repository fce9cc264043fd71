import type { ScopeHolder } from '../../../lib/server/sessions/streams/scope-holder.interface.js';
import type { Observable, Subscription } from 'rxjs';
import { OutboundNotification, type OutboundMessage } from '../../../lib/core/protocol/outbound-message.js';
import { formatEventId, type StreamEvent } from '../../../lib/server/sessions/streams/event-log.js';
import type { SessionStreams } from '../../../lib/server/sessions/streams/session-streams.js';

/** Reads a stream and keeps what it was given. */
export class StreamReader {
  readonly ids: string[] = [];
  readonly texts: string[] = [];
  isComplete = false;
  readonly #subscription: Subscription;

  constructor(events$: Observable<StreamEvent>, onEvent: (event: StreamEvent) => void = () => undefined) {
    this.#subscription = events$.subscribe({
      next: (event) => {
        this.ids.push(formatEventId(event));
        this.texts.push(textOf(event.message));
        onEvent(event);
      },
      complete: () => {
        this.isComplete = true;
      },
    });
  }

  /** Leaves the stream, as a connection that breaks does. */
  leave(): void {
    this.#subscription.unsubscribe();
  }
}

/**
 * Takes a lost stream up again, after one of its events.
 *
 * @throws Error if it cannot be
 */
export function resumeStream(
  streams: SessionStreams,
  id: string,
  holder?: ScopeHolder,
): Observable<StreamEvent> {
  const resumed = streams.resume(id, holder);
  if (typeof resumed === 'string') throw new Error(`The stream is ${resumed}`);
  return resumed;
}

/** Builds a message that is told from others by its text. */
export function buildMessage(text: string): OutboundNotification {
  return new OutboundNotification('notifications/test', { text });
}

/** Gives the text of {@link buildMessage}. */
export function textOf({ json }: OutboundMessage): string {
  return (JSON.parse(json) as { params: { text: string } }).params.text;
}
