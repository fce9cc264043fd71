import { MetaKey } from '../../../../core/protocol/meta-keys.js';
import { McpError } from '../../../../core/protocol/mcp.error.js';
import { findAnonymousAddress } from '../../../context/caller-identity.js';
import type { ExtensionContext } from '../../../dispatch/extension.interface.js';
import type { EventRecipient } from '../../../settings/extensions/event-source-options.js';
import { CallerShares } from '../../../sessions/caller-shares.js';
import type { EventsSettings } from '../../../settings/extensions/events-options.js';
import { type EventFeed, buildOccurrence } from '../feeds/event-feed.js';
import { EventError } from '../event.error.js';
import type { FoundPosition } from '../feeds/find-position.js';
import type { LoggedEvent } from '../feeds/replay-log.js';
import { EventPump, type EventSink } from './event-pump.js';

/** The parameters of one `events/stream`. */
interface StreamParts {
  readonly context: ExtensionContext;
  readonly feed: EventFeed;
  readonly recipient: EventRecipient;
  readonly position: FoundPosition;
}

/** The maximum number of unread bytes per client. Beyond it, nothing more is sent, and events wait in the log. */
const MOST_UNREAD_BYTES = 65_536;

/** An `events/stream` request. Its events are sent as notifications until either side ends it. */
export class EventStream implements EventSink {
  /** Resolves when the stream has ended. */
  readonly over: Promise<void>;
  /** An anonymous caller's address. */
  readonly address: string | undefined;
  readonly #pump: EventPump;
  #finish = (): void => {};
  #lastRead = performance.now();

  constructor(private readonly parts: StreamParts) {
    const { context, feed, recipient, position } = parts;
    const { after, known } = position;
    this.#pump = new EventPump({ feed, recipient, sink: this, after, known });
    this.address = findAnonymousAddress(context);
    this.over = new Promise((resolve) => {
      this.#finish = resolve;
    });
    context.signal.addEventListener('abort', () => this.finish(), { once: true });
  }

  /** The stream's caller. */
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

  /** Sends a heartbeat with the current cursor. */
  beat(): void {
    if (this.hasRoom()) this.#tellPosition('notifications/events/heartbeat');
  }

  /** Returns whether the client has not read anything for a while. */
  isUnreadFor(ms: number): boolean {
    const now = performance.now();
    if (this.hasRoom()) this.#lastRead = now;
    return now - this.#lastRead >= ms;
  }

  /** Ends the stream for good, with the reason. */
  terminate(error: EventError): void {
    this.#notify('notifications/events/terminated', { error: error.toJSON() });
    this.finish();
  }

  /** Ends the stream. The client may resume with its cursor. */
  finish(): void {
    this.#pump.stop();
    this.#finish();
  }

  hasRoom(): boolean {
    return this.parts.context.bufferedBytes <= MOST_UNREAD_BYTES;
  }

  send(event: LoggedEvent): void {
    this.#notify('notifications/events/event', buildOccurrence(this.parts.feed, event));
  }

  skip(): void {
    this.#tellPosition('notifications/events/active', { truncated: true });
  }

  problem(explanation: string): void {
    const error = EventError.sourceProblem(explanation);
    this.#notify('notifications/events/error', { error: error.toJSON() });
  }

  end(ending: EventError): void {
    this.terminate(ending);
  }

  #tellPosition(method: string, rest: object = {}): void {
    this.#notify(method, { cursor: this.#pump.cursor, ...rest });
  }

  /** Sends the request id twice: the draft moved it to `_meta`, but some clients still follow earlier drafts. */
  #notify(method: string, params: object): void {
    const { context } = this.parts;
    const _meta = { [MetaKey.subscriptionId]: context.id };
    context.notify(method, { requestId: context.id, ...params, _meta });
  }
}

/**
 * A server's open `events/stream` requests. Their number is limited, and they share a heartbeat timer and close
 * together.
 */
export class OpenStreams {
  readonly #open = new Set<EventStream>();
  readonly #shares: CallerShares;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  /**
   * @param isProtected whether the server requires tokens. If so, anonymous callers leave capacity for authenticated
   * ones
   */
  constructor(
    private readonly limits: EventsSettings,
    isProtected = false,
  ) {
    const { maxStreams: all, maxStreamsPerCaller: perCaller } = limits;
    this.#shares = new CallerShares({ all, perCaller, isProtected });
  }

  get size(): number {
    return this.#open.size;
  }

  /**
   * Runs a stream to its end.
   *
   * @throws {EventError} -32013 if the server's or the caller's limit is reached
   * @throws {McpError} if the server is shutting down
   */
  async run(stream: EventStream): Promise<void> {
    this.#add(stream);
    try {
      stream.start();
      await stream.over;
    } finally {
      this.#remove(stream);
    }
  }

  /** Ends every stream with its result, and refuses new ones. */
  close(): void {
    this.#isClosed = true;
    for (const stream of this.#open) stream.finish();
  }

  #add(stream: EventStream): void {
    if (this.#isClosed) throw McpError.shuttingDown(503);
    const bound = this.#shares.findBound(stream);
    if (bound !== undefined) throw EventError.tooManySubscriptions(bound);
    this.#shares.add(stream);
    this.#open.add(stream);
    this.#timer ??= setInterval(() => this.#beat(), this.limits.heartbeatMs).unref();
  }

  #remove(stream: EventStream): void {
    this.#open.delete(stream);
    this.#shares.remove(stream);
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #beat(): void {
    for (const stream of this.#open) {
      if (stream.isUnreadFor(this.limits.unreadTimeoutMs)) stream.finish();
      else stream.beat();
    }
  }
}
