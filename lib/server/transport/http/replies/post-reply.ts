import { type OutboundMessage, OutboundNotification } from '../../../../core/protocol/outbound-message.js';
import type { Cancellable, ReplyChannel } from '../../../context/peer.interface.js';
import type { HttpExchange } from '../http-exchange.js';
import { type AcceptedMediaTypes, namesEventStream } from '../../../../core/protocol/headers/http-headers.js';
import type { EventStreamWriter } from '../streams/event-stream-writer.js';
import type { EventStreams, SilentReply } from '../streams/event-streams.js';
import { isClientGone, onClientGone } from '../connections/client-progress.js';
import { mergeScopes } from '../../../../core/oauth/scope.js';
import type { AuthView } from '../../../context/auth-view.interface.js';
import type { CallName } from '../../../sessions/streams/call-event-id.js';
import type { CallRequests } from '../cluster/call-records.js';
import type { StandaloneStreamMessages } from '../cluster/standalone-stream-messages.js';
import { STANDALONE_STREAM } from '../../../sessions/streams/stream-records.js';
import type { Session } from '../../../sessions/session.js';
import { streamEvents } from '../streams/stream-events.js';

/** The final response to a POST. */
export interface PostResponse extends OutboundMessage {
  readonly httpStatus: number;
  /** The challenge for a token, or for more scopes. A stream that has started cannot send it. */
  readonly wwwAuthenticate?: string | undefined;
}

/**
 * The response to a POST: one JSON object, or an event stream if a message must be sent earlier or the response is slow.
 *
 * @see MCP basic/transports, "Sending Messages to the Server"
 */
export interface PostReply extends ReplyChannel {
  readonly http: HttpExchange;
  /** Finishes with the response. If there is none, the request was cancelled. */
  end(response: PostResponse | undefined): void;
}

/** Responds to a stateless request. Disconnecting cancels the request, and nothing is stored. */
export class DetachedReply implements PostReply, SilentReply {
  entry: SilentReply['entry'] = undefined;
  readonly takesMessages: boolean;
  #writer: EventStreamWriter | undefined;
  /** Several in a batch. */
  #requests: Cancellable[] | undefined;

  constructor(
    readonly http: HttpExchange,
    private readonly streams: EventStreams,
    private readonly accepted: AcceptedMediaTypes,
  ) {
    this.takesMessages = accepted.eventStream;
  }

  get unread(): number {
    if (this.#writer !== undefined) return this.#writer.unread;
    return this.takesMessages && this.http.isOpen ? 0 : Number.POSITIVE_INFINITY;
  }

  begin(request: Cancellable): void {
    if (this.accepted.eventStream) this.streams.silent.watch(this);
    const { response } = this.http;
    if (this.#requests === undefined) {
      this.#requests = [request];
      return onClientGone(response, () => this.#cancelAll());
    }
    this.#requests.push(request);
    if (isClientGone(response)) this.#cancelAll();
  }

  beginStream(): void {
    if (namesEventStream(this.http.headers.accept)) this.#open();
  }

  send(message: OutboundMessage): void {
    if (!this.accepted.eventStream) return;
    const writer = this.#open();
    if (writer !== undefined && message.isOfLiveStream === true) writer.showsLife = true;
    writer?.writeMessage(message.json);
  }

  end(response: PostResponse | undefined): void {
    this.streams.silent.forget(this);
    if (response === undefined) return this.#writer?.end();
    if (this.#writer === undefined && (this.accepted.json || response.httpStatus !== 200)) {
      return this.http.sendMessage(response.httpStatus, response);
    }
    const writer = this.#open();
    writer?.writeMessage(response.json);
    writer?.end();
  }

  #cancelAll(): void {
    for (const request of this.#requests?.splice(0) ?? []) request.cancel('The client is gone');
  }

  /** Returns the stream, or `undefined` if something else has responded or the client is gone. */
  #open(): EventStreamWriter | undefined {
    if (this.#writer === undefined && this.http.isOpen) {
      this.streams.silent.forget(this);
      this.#writer = this.streams.begin(this.http.beginStream());
    }
    return this.#writer;
  }
}

/** The facts about a call that event ids carry to other processes, and access to further ones. */
export interface CallNaming extends Omit<CallName, 'ordinal'> {
  readonly requests: CallRequests;
  readonly standalone: StandaloneStreamMessages;
}

/** Responds to a request in a session. Messages on its stream have ids and are stored for resumption. */
export class SessionReply implements PostReply, SilentReply {
  entry: SilentReply['entry'] = undefined;
  #stream: string | undefined;
  #writer: EventStreamWriter | undefined;
  #endNote: (() => void) | undefined;
  /** Several in a batch. */
  #auths: AuthView[] | undefined;

  constructor(
    readonly http: HttpExchange,
    private readonly streams: EventStreams,
    private readonly accepted: AcceptedMediaTypes,
    private readonly session: Session,
    /** Absent without other processes. */
    private readonly naming?: CallNaming,
  ) {}

  get takesMessages(): boolean {
    return this.accepted.eventStream || this.#isStandaloneRead;
  }

  async findReader(): Promise<boolean> {
    return (await this.naming?.standalone.isReadElsewhere(this.session)) === true;
  }

  get unread(): number {
    const { streams } = this.session;
    if (this.#writer?.isOpen === true) return this.#writer.unread;
    // A reconnected client reads the stream through another request.
    const isRead = this.#stream === undefined ? this.takesMessages : streams.isRead(this.#stream);
    return isRead ? 0 : Number.POSITIVE_INFINITY;
  }

  restrictTo(auth: AuthView): void {
    (this.#auths ??= []).push(auth);
  }

  begin(): void {
    if (this.accepted.eventStream) this.streams.silent.watch(this);
  }

  beginStream(): void {
    if (this.#canStream && namesEventStream(this.http.headers.accept)) this.#stream ??= this.#open();
  }

  send(message: OutboundMessage): void {
    if (message instanceof OutboundNotification && !this.session.accepts(message)) return;
    if (!this.#canStream) return this.#sendStandalone(message);
    this.#stream ??= this.#open();
    this.#append(this.#stream, message);
  }

  release(retryMs: number | undefined): void {
    const { revision } = this.session;
    if (!this.accepted.eventStream || !revision.primingEvents) return;
    this.#stream ??= this.#open();
    this.#writer?.dismiss(retryMs);
  }

  end(response: PostResponse | undefined): void {
    this.streams.silent.forget(this);
    this.#endNote?.();
    if (response === undefined) return this.#endUnanswered();
    const isPlain = this.accepted.json || response.httpStatus !== 200 || !this.#canStream;
    if (this.#stream === undefined && isPlain) {
      return this.http.sendMessage(response.httpStatus, response);
    }
    this.#stream ??= this.#open();
    this.#append(this.#stream, response, true);
  }

  /** Whether the call has a stream, even without a reader, or can open one. */
  get #canStream(): boolean {
    return this.#stream !== undefined || (this.accepted.eventStream && this.http.isOpen);
  }

  /** A client without a stream for its call receives messages on the standalone stream, if it is reading that. */
  #sendStandalone(message: OutboundMessage): void {
    const { session, naming } = this;
    if (this.#isStandaloneRead) session.streams.appendStandalone(message, this.#requiredScopes);
    else naming?.standalone.pass(session, message, this.#requiredScopes);
  }

  get #isStandaloneRead(): boolean {
    return this.session.streams.isReadWith(STANDALONE_STREAM, this.#requiredScopes);
  }

  /** The scopes required so far; a handler may require more. */
  get #requiredScopes(): readonly string[] {
    const [first, ...others] = this.#auths ?? [];
    const scopes = first?.requiredScopes ?? [];
    return others.length === 0
      ? scopes
      : mergeScopes(scopes, ...others.map(({ requiredScopes = [] }) => requiredScopes));
  }

  #append(stream: string, message: OutboundMessage, isLast = false): void {
    const { streams } = this.session;
    streams.restrict(stream, this.#requiredScopes);
    streams.append(stream, message, isLast);
  }

  /** A cancelled request has no response, so its stream ends without one. */
  #endUnanswered(): void {
    if (this.#stream !== undefined) return this.session.streams.finish(this.#stream);
    if (!this.accepted.eventStream) return this.http.sendEmpty(202);
    if (this.http.isOpen) this.streams.begin(this.http.beginStream()).end();
  }

  #open(): string {
    this.streams.silent.forget(this);
    const { session } = this;
    const { streams, revision } = session;
    const stream = streams.create(this.naming);
    this.#endNote = this.naming?.requests.note(session, stream, this.naming.requestIds);
    streams.restrict(stream, this.#requiredScopes);
    this.#writer = streamEvents(this.streams, {
      response: this.http.beginStream(),
      session,
      events$: streams.open(stream, this.http.authentication),
      primingId: revision.primingEvents ? streams.formatId({ stream, number: 0 }) : undefined,
      // A call by a client that cannot resume may finish after its token expires.
      claims: revision.primingEvents ? this.http.authentication?.claims : undefined,
    });
    return stream;
  }
}
