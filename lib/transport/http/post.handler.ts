import { Inject, Injectable } from '@nestjs/common';
import type { Peer } from '../../context/peer.interface.js';
import { AccessPolicy } from '../../auth/access-policy.js';
import { Dispatcher, type Arrival } from '../../dispatch/dispatcher.js';
import type { JsonRpcRequest } from '../../protocol/json-rpc.js';
import { McpError } from '../../protocol/mcp.error.js';
import type { OutboundResponse } from '../../protocol/outbound-message.js';
import { parseAccept, type AcceptedAnswers } from '../../protocol/media-type.js';
import { findRequestId, parseMessage, type InboundMessage } from '../../protocol/parse-message.js';
import {
  carriesClaim,
  parsePerRequestClaim,
  type PerRequestClaim,
} from '../../protocol/per-request-claim.js';
import { NEWEST_HANDSHAKE_REVISION } from '../../protocol/revisions.js';
import { DetachedRequests } from '../../sessions/in-flight-requests.js';
import { SessionRegistry } from '../../sessions/session-registry.js';
import type { Session } from '../../sessions/session.js';
import { SERVER_SETTINGS } from '../../settings/mcp.constants.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { BatchResponse, parseBatch } from './batch.js';
import { EventStreams } from './event-stream-writer.js';
import { HandshakePeer } from './handshake-peer.js';
import type { HttpExchange } from './http-exchange.js';
import { DetachedReply, SessionReply, type PostReply } from './post-reply.js';
import { describeRequest } from './trace-exchange.js';
import { assertHandshakeVersion, isOfPerRequestWire, SessionLookup } from './session-lookup.js';

/** Takes the messages that clients post: reads, classifies, dispatches and answers them. */
@Injectable()
export class PostHandler {
  constructor(
    @Inject(SERVER_SETTINGS) private readonly settings: ServerSettings,
    private readonly access: AccessPolicy,
    private readonly dispatcher: Dispatcher,
    private readonly lookup: SessionLookup,
    private readonly sessions: SessionRegistry,
    private readonly detached: DetachedRequests,
    private readonly streams: EventStreams,
  ) {}

  /**
   * Answers one POST.
   *
   * @throws {McpError} where the request is refused before any method is reached
   */
  async handle(exchange: HttpExchange): Promise<void> {
    const accepted = parseAccept(exchange.headers.accept);
    if (!accepted.json && !accepted.eventStream) {
      throw McpError.invalidRequest('"Accept" must allow application/json or text/event-stream', 406);
    }
    const body = await exchange.readJson(this.settings.limits.bodyBytes);
    if (Array.isArray(body)) return this.#handleBatch(exchange, body, accepted);
    try {
      await this.#handleMessage(exchange, parseMessage(body), accepted);
    } catch (error) {
      if (!(error instanceof McpError)) throw error;
      exchange.refuse(error, findRequestId(body));
    }
  }

  async #handleMessage(
    exchange: HttpExchange,
    inbound: InboundMessage,
    accepted: AcceptedAnswers,
  ): Promise<void> {
    if (inbound.kind !== 'request') return this.#accept(exchange, inbound);
    const { message: request } = inbound;
    const claim = parsePerRequestClaim(request, exchange.headers);
    if (claim !== undefined) return this.#answerDetached(exchange, request, { claim, accepted });
    assertHandshakeVersion(exchange);
    if (request.method === 'initialize') return this.#initialize(exchange, request, accepted);
    await this.#answerInSession(exchange, request, accepted);
  }

  async #answerDetached(
    exchange: HttpExchange,
    request: JsonRpcRequest,
    { claim, accepted }: { claim: PerRequestClaim; accepted: AcceptedAnswers },
  ): Promise<void> {
    const { capabilities } = this.settings;
    const logLevel = capabilities.logging === false ? undefined : claim.logLevel;
    const identity = exchange.authentication?.identity;
    const peer: Peer = { revision: claim.revision, client: claim, identity, logLevel };
    const reply = new DetachedReply(exchange, this.streams, accepted);
    reply.end(await this.#dispatch(request, reply, { peer, inFlight: this.detached }));
  }

  async #answerInSession(
    exchange: HttpExchange,
    request: JsonRpcRequest,
    accepted: AcceptedAnswers,
  ): Promise<void> {
    const session = this.#getSession(exchange, request);
    const reply = new SessionReply(exchange, this.streams, accepted, session);
    reply.end(await this.#dispatch(request, reply, { peer: session, inFlight: session.inFlight }));
  }

  /** A probe for a method that no handshake revision has is told so, so that its sender falls back to a handshake. */
  #getSession(exchange: HttpExchange, { method }: JsonRpcRequest): Session {
    const isProbe = exchange.headers['mcp-session-id'] === undefined;
    if (isProbe && !NEWEST_HANDSHAKE_REVISION.methods.has(method)) {
      throw McpError.methodNotFound(method);
    }
    return this.lookup.get(exchange);
  }

  async #initialize(
    exchange: HttpExchange,
    request: JsonRpcRequest,
    accepted: AcceptedAnswers,
  ): Promise<void> {
    if (exchange.headers['mcp-session-id'] !== undefined) {
      this.lookup.get(exchange);
      throw McpError.invalidRequest('the session is initialized already');
    }
    const peer = new HandshakePeer(this.sessions, exchange.authentication);
    const reply = new DetachedReply(exchange, this.streams, accepted);
    const response = await this.#dispatch(request, reply, { peer, inFlight: this.detached });
    if (peer.opened !== undefined && !exchange.isAnswered) {
      exchange.response.setHeader('Mcp-Session-Id', peer.opened.id);
    }
    reply.end(response);
  }

  /** Takes a message that is not answered. */
  #accept(exchange: HttpExchange, inbound: Exclude<InboundMessage, { kind: 'request' }>): void {
    const isClaimed = inbound.kind === 'notification' && carriesClaim(inbound.message);
    if (isClaimed || isOfPerRequestWire(exchange)) {
      if (inbound.kind === 'response') {
        throw McpError.invalidRequest('the revision has no responses of clients');
      }
      return exchange.sendEmpty(202);
    }
    assertHandshakeVersion(exchange);
    this.#take(inbound, this.lookup.get(exchange));
    exchange.sendEmpty(202);
  }

  #take(inbound: Exclude<InboundMessage, { kind: 'request' }>, session: Session): void {
    if (inbound.kind === 'response') return session.pending.settle(inbound.message);
    this.dispatcher.dispatchNotification(inbound.message, session, session.inFlight);
  }

  async #handleBatch(
    exchange: HttpExchange,
    values: readonly unknown[],
    accepted: AcceptedAnswers,
  ): Promise<void> {
    const messages = parseBatch(values, this.settings.limits.batchSize);
    assertHandshakeVersion(exchange);
    const session = this.lookup.get(exchange);
    if (!session.revision.batching) {
      throw McpError.invalidRequest(`revision ${session.revision.version} has no batches`);
    }
    const requests = messages.flatMap((inbound) => (inbound.kind === 'request' ? [inbound.message] : []));
    const { refusal } = this.access.authorizeAll(requests, exchange.authentication);
    if (refusal === undefined) {
      for (const inbound of messages) if (inbound.kind !== 'request') this.#take(inbound, session);
    }
    if (requests.length === 0) return exchange.sendEmpty(202);
    const reply = new SessionReply(exchange, this.streams, accepted, session);
    const arrival = { peer: session, inFlight: session.inFlight, refusal };
    const responses = await Promise.all(requests.map((request) => this.#dispatch(request, reply, arrival)));
    const answered = responses.filter((response) => response !== undefined);
    reply.end(answered.length === 0 ? undefined : new BatchResponse(answered));
  }

  /** Dispatches a request with what its caller is allowed. */
  #dispatch(
    request: JsonRpcRequest,
    reply: PostReply,
    arrival: Omit<Arrival, 'auth'>,
  ): Promise<OutboundResponse | undefined> {
    const { authentication, authState } = reply.http;
    const isRefused = arrival.refusal !== undefined;
    const authorization = isRefused ? arrival : this.access.authorize(request, authentication);
    const dispatch = (): Promise<OutboundResponse | undefined> =>
      this.dispatcher.dispatch(request, reply, { ...arrival, ...authorization });
    const span = authState?.span;
    if (span === undefined) return dispatch();
    describeRequest(span, request);
    return span.run(dispatch);
  }
}
