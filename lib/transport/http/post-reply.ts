import type { ReplyChannel, Cancellable } from '../../context/peer.interface.js';
import type { AcceptedAnswers } from '../../protocol/media-type.js';
import { OutboundNotification, type OutboundMessage } from '../../protocol/outbound-message.js';
import { STANDING_STREAM } from '../../sessions/session-streams.js';
import type { Session } from '../../sessions/session.js';
import type { EventStreams, EventStreamWriter } from './event-stream-writer.js';
import type { HttpExchange } from './http-exchange.js';
import { onClientGone } from './on-client-gone.js';
import { streamEvents } from './stream-events.js';

/** What a POST is answered with in the end. */
export interface PostResponse extends OutboundMessage {
  readonly httpStatus: number;
  /** Asks for a token, or for one that allows more; a stream that has begun cannot. */
  readonly wwwAuthenticate?: string | undefined;
}

/**
 * The answer to a POST: one JSON object, or an event stream from the moment something must be sent before the response.
 *
 * @see MCP basic/transports, "Sending Messages to the Server"
 */
export interface PostReply extends ReplyChannel {
  readonly http: HttpExchange;
  /** Ends the answer with the response; without one the request was cancelled. */
  end(response: PostResponse | undefined): void;
}

/** Answers a request of the stateless wire: a client that goes away cancels it, and nothing is kept. */
export class DetachedReply implements PostReply {
  readonly takesMessages: boolean;
  #writer: EventStreamWriter | undefined;

  constructor(
    readonly http: HttpExchange,
    private readonly streams: EventStreams,
    private readonly accepted: AcceptedAnswers,
  ) {
    this.takesMessages = accepted.eventStream;
  }

  get unread(): number {
    if (this.#writer !== undefined) return this.#writer.unread;
    return this.takesMessages && this.http.isOpen ? 0 : Number.POSITIVE_INFINITY;
  }

  begin(request: Cancellable): void {
    onClientGone(this.http.response, () => request.cancel('The client is gone'));
  }

  send(message: OutboundMessage): void {
    if (!this.accepted.eventStream) return;
    this.#open()?.writeMessage(message.json);
  }

  end(response: PostResponse | undefined): void {
    if (response === undefined) return this.#writer?.end();
    if (this.#writer === undefined && (this.accepted.json || response.httpStatus !== 200)) {
      return this.http.sendMessage(response.httpStatus, response);
    }
    const writer = this.#open();
    writer?.writeMessage(response.json);
    writer?.end();
  }

  /** Gives the stream of the answer; none where something else has answered or the client is gone. */
  #open(): EventStreamWriter | undefined {
    if (this.#writer === undefined && this.http.isOpen) {
      this.#writer = this.streams.begin(this.http.beginStream());
    }
    return this.#writer;
  }
}

/** Answers a request of a session: what goes on its stream has ids and is kept for a client that comes back. */
export class SessionReply implements PostReply {
  #stream: string | undefined;
  #writer: EventStreamWriter | undefined;

  constructor(
    readonly http: HttpExchange,
    private readonly streams: EventStreams,
    private readonly accepted: AcceptedAnswers,
    private readonly session: Session,
  ) {}

  get takesMessages(): boolean {
    return this.accepted.eventStream || this.session.streams.isStanding;
  }

  get unread(): number {
    const { streams } = this.session;
    if (this.#writer?.isOpen === true) return this.#writer.unread;
    // A client that came back reads the stream by another request.
    const isRead = this.#stream === undefined ? this.takesMessages : streams.isRead(this.#stream);
    return isRead ? 0 : Number.POSITIVE_INFINITY;
  }

  send(message: OutboundMessage): void {
    if (message instanceof OutboundNotification && !this.session.accepts(message)) return;
    if (!this.#canStream) return this.#sendStanding(message);
    this.#stream ??= this.#open();
    this.session.streams.append(this.#stream, message);
  }

  release(retryMs: number | undefined): void {
    const { revision } = this.session;
    if (!this.accepted.eventStream || !revision.primingEvents) return;
    this.#stream ??= this.#open();
    this.#writer?.dismiss(retryMs);
  }

  end(response: PostResponse | undefined): void {
    if (response === undefined) return this.#endUnanswered();
    const isPlain = this.accepted.json || response.httpStatus !== 200 || !this.#canStream;
    if (this.#stream === undefined && isPlain) {
      return this.http.sendMessage(response.httpStatus, response);
    }
    this.#stream ??= this.#open();
    this.session.streams.append(this.#stream, response, true);
  }

  /** Whether there is a stream of this call, even one that has lost its reader, or can be. */
  get #canStream(): boolean {
    return this.#stream !== undefined || (this.accepted.eventStream && this.http.isOpen);
  }

  /** A client that has no stream for its call can hear of it on the standing one, if it reads that. */
  #sendStanding(message: OutboundMessage): void {
    const { streams } = this.session;
    if (streams.isStanding) streams.append(STANDING_STREAM, message);
  }

  /** A cancelled request has no response: its stream ends without one. */
  #endUnanswered(): void {
    if (this.#stream !== undefined) return this.session.streams.finish(this.#stream);
    if (!this.accepted.eventStream) return this.http.sendEmpty(202);
    if (this.http.isOpen) this.streams.begin(this.http.beginStream()).end();
  }

  #open(): string {
    const { session } = this;
    const { streams, revision } = session;
    const stream = streams.create();
    this.#writer = streamEvents(this.streams, {
      response: this.http.beginStream(),
      session,
      events$: streams.open(stream),
      primingId: revision.primingEvents ? streams.formatId({ stream, number: 0 }) : undefined,
      // Where a client does not know how to come back for its answer, the call is let end.
      claims: revision.primingEvents ? this.http.authentication?.claims : undefined,
    });
    return stream;
  }
}
