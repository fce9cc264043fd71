import { MetaKey } from '../../../../core/protocol/meta-keys.js';
import { findStrangerAddress } from '../../../context/caller-address.js';
import type { ExtensionContext } from '../../../dispatch/extension.interface.js';
import type { EventRecipient } from '../../../settings/extensions/event-source-options.js';
import type { EventFeed } from '../feeds/event-feed.js';
import { EventError } from '../event.error.js';
import { buildOccurrence } from '../feeds/event-occurrence.js';
import type { FoundPosition } from '../feeds/find-position.js';
import type { KeptEvent } from '../feeds/replay-log.js';
import { EventPump, type EventSink } from './event-pump.js';

/** The parameters of one `events/stream`. */
export interface StreamParts {
  readonly context: ExtensionContext;
  readonly feed: EventFeed;
  readonly recipient: EventRecipient;
  readonly position: FoundPosition;
}

/** Bytes that may wait for a client. While more are waiting, nothing is sent, and the log keeps as much as it can. */
const MOST_UNREAD_BYTES = 65_536;

/** One `events/stream` request: events are notifications that belong to it, until either side ends it. */
export class EventStream implements EventSink {
  /** Resolves when the stream is over. */
  readonly over: Promise<void>;
  /** Where a caller without a token is. */
  readonly address: string | undefined;
  readonly #pump: EventPump;
  #finish = (): void => {};
  #lastRead = performance.now();

  constructor(private readonly parts: StreamParts) {
    const { context, feed, recipient, position } = parts;
    const { after, known } = position;
    this.#pump = new EventPump({ feed, recipient, sink: this, after, known });
    this.address = findStrangerAddress(context);
    this.over = new Promise((resolve) => {
      this.#finish = resolve;
    });
    context.signal.addEventListener('abort', () => this.finish(), { once: true });
  }

  /** Whose the stream is. */
  get identity(): string | undefined {
    return this.parts.context.identity;
  }

  /** Confirms the stream, and sends events from then on. */
  start(): void {
    const { context, position } = this.parts;
    if (context.signal.aborted) return this.finish();
    this.#tellPosition('notifications/events/active', { truncated: position.isTruncated });
    this.#pump.start();
  }

  /** Shows that the stream lives, and how far it has come. */
  beat(): void {
    if (this.hasRoom()) this.#tellPosition('notifications/events/heartbeat');
  }

  /** Tells whether the client has left for so long what was sent. */
  isUnreadFor(ms: number): boolean {
    const now = performance.now();
    if (this.hasRoom()) this.#lastRead = now;
    return now - this.#lastRead >= ms;
  }

  /** Ends the stream for good, and says why. */
  terminate(error: EventError): void {
    this.#notify('notifications/events/terminated', { error: error.toJSON() });
    this.finish();
  }

  /** Ends the stream; the client may come back with its cursor. */
  finish(): void {
    this.#pump.stop();
    this.#finish();
  }

  hasRoom(): boolean {
    return this.parts.context.bufferedBytes <= MOST_UNREAD_BYTES;
  }

  send(event: KeptEvent): void {
    this.#notify('notifications/events/event', buildOccurrence(this.parts.feed, event));
  }

  skip(): void {
    this.#tellPosition('notifications/events/active', { truncated: true });
  }

  fault(explanation: string): void {
    const error = EventError.sourceFault(explanation);
    this.#notify('notifications/events/error', { error: error.toJSON() });
  }

  end(ending: EventError): void {
    this.terminate(ending);
  }

  #tellPosition(method: string, rest: object = {}): void {
    this.#notify(method, { cursor: this.#pump.cursor, ...rest });
  }

  /** Says twice which request it belongs to: the sketch has moved the id to `_meta`, and clients of its earlier states are about. */
  #notify(method: string, params: object): void {
    const { context } = this.parts;
    const _meta = { [MetaKey.subscriptionId]: context.id };
    context.notify(method, { requestId: context.id, ...params, _meta });
  }
}
