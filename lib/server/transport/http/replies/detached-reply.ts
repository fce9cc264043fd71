import { namesEventStream, type AcceptedAnswers } from '../../../../core/protocol/headers/media-type.js';
import type { OutboundMessage } from '../../../../core/protocol/outbound-message.js';
import type { Cancellable } from '../../../context/peer.interface.js';
import type { EventStreamWriter } from '../streams/event-stream-writer.js';
import type { EventStreams } from '../streams/event-streams.js';
import type { SilentReply } from '../streams/silent-replies.js';
import type { HttpExchange } from '../http-exchange.js';
import { isClientGone, onClientGone } from '../connections/on-client-gone.js';
import type { PostReply, PostResponse } from './post-reply.interface.js';

/** Answers a request of the stateless wire: a client that goes away cancels it, and nothing is kept. */
export class DetachedReply implements PostReply, SilentReply {
  place: SilentReply['place'] = undefined;
  readonly takesMessages: boolean;
  #writer: EventStreamWriter | undefined;
  /** Several if they came as a batch. */
  #requests: Cancellable[] | undefined;

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

  /** Returns the stream of the answer; none if something else has answered or the client is gone. */
  #open(): EventStreamWriter | undefined {
    if (this.#writer === undefined && this.http.isOpen) {
      this.streams.silent.forget(this);
      this.#writer = this.streams.begin(this.http.beginStream());
    }
    return this.#writer;
  }
}
