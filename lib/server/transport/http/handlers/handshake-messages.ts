import type { JsonRpcRequest } from '../../../../core/protocol/json-rpc.js';
import type { AcceptedMediaTypes } from '../../../../core/protocol/headers/http-headers.js';
import type { InboundMessage } from '../../../../core/protocol/parse-message.js';
import type { MemoryReservation } from '../../../memory/memory-budget.js';
import type { HttpExchange } from '../http-exchange.js';
import type { AuthError } from '../../../../core/oauth/auth.error.js';
import { mergeScopes } from '../../../../core/oauth/scope.js';
import { McpError } from '../../../../core/protocol/mcp.error.js';
import { NEWEST_HANDSHAKE_REVISION } from '../../../../core/protocol/revisions.js';
import type { InputResponseForwarding } from '../../../input-requests/input-response-forwarding.js';
import type { AccessPolicy } from '../../../auth/access/access-policy.js';
import type { RequestDispatcher } from '../../../dispatch/request-dispatcher.js';
import type { ClusterBus } from '../../../cluster/cluster-bus.js';
import { HandshakePeer } from '../../../sessions/handshake-peer.js';
import type { StatelessRequests } from '../../../sessions/in-flight-requests.js';
import { isUse, type SessionRegistry } from '../../../sessions/session-registry.js';
import { buildForwardedSender } from '../../../sessions/forwarded-sender.js';
import type { Session } from '../../../sessions/session.js';
import type { CallRequests } from '../cluster/call-records.js';
import type { StandaloneStreamMessages } from '../cluster/standalone-stream-messages.js';
import type { EventStreams } from '../streams/event-streams.js';
import { refuseAccess } from '../refusals.js';
import { type CallNaming, DetachedReply, SessionReply } from '../replies/post-reply.js';
import { answerRequest, answerRequests, judgeRequests } from './requests.js';
import type { SessionLookup } from './session-lookup.js';
import { StatelessPeer } from '../../../sessions/stateless-peer.js';
import { Logger } from '../../../../core/logger/logger.js';

/** A notification or a response. */
export type UnansweredMessage = Exclude<InboundMessage, { readonly kind: 'request' }>;

/** Handles messages from session-based revisions, with or without sessions. */
export interface HandshakeMessages {
  /** Called before the body is read. Returns the memory of the message's session, if any. */
  touchSession(exchange: HttpExchange): MemoryReservation | undefined;
  /** Loads a message's session. Returns `undefined` if there is nothing to wait for. */
  prepare(exchange: HttpExchange): Promise<void> | undefined;
  /** Handles a request. */
  answer(exchange: HttpExchange, request: JsonRpcRequest, accepted: AcceptedMediaTypes): Promise<void>;
  /** Handles a batch. */
  answerBatch(
    exchange: HttpExchange,
    messages: readonly InboundMessage[],
    accepted: AcceptedMediaTypes,
  ): Promise<void>;
  /** Handles a notification or a response. */
  receive(exchange: HttpExchange, inbound: UnansweredMessage): void | Promise<void>;
}

/** The sessions of messages. */
interface Conversations {
  readonly lookup: SessionLookup;
  readonly sessions: SessionRegistry;
  /** Requests outside sessions, such as `initialize`. */
  readonly detached: StatelessRequests;
}

/** Lets a client fetch a response from another process. */
interface RemoteResponses {
  readonly bus: ClusterBus;
  readonly calls: CallRequests;
  readonly standalone: StandaloneStreamMessages;
}

/** Handles messages in their sessions. */
export class SessionMessages implements HandshakeMessages {
  readonly #proxies = new UntrustedProxyWarning();

  constructor(
    private readonly access: AccessPolicy,
    private readonly dispatcher: RequestDispatcher,
    private readonly answers: InputResponseForwarding,
    private readonly conversations: Conversations,
    private readonly streams: EventStreams,
    private readonly remote: RemoteResponses,
  ) {}

  touchSession(exchange: HttpExchange): MemoryReservation | undefined {
    return this.conversations.lookup.notice(exchange)?.memory;
  }

  prepare(exchange: HttpExchange): Promise<void> | undefined {
    return this.conversations.lookup.prepare(exchange);
  }

  answer(exchange: HttpExchange, request: JsonRpcRequest, accepted: AcceptedMediaTypes): Promise<void> {
    if (request.method === 'initialize') return this.#initialize(exchange, request, accepted);
    const session = this.#getSession(exchange, request);
    this.#note({ kind: 'request', message: request }, session);
    const reply = new SessionReply(exchange, this.streams, accepted, session, this.#nameCall(request));
    const sender = { peer: session, inFlight: session.inFlight };
    return answerRequest(this.dispatcher, request, reply, sender).then((response) => reply.end(response));
  }

  async answerBatch(
    exchange: HttpExchange,
    messages: readonly InboundMessage[],
    accepted: AcceptedMediaTypes,
  ): Promise<void> {
    const session = this.conversations.lookup.get(exchange);
    if (!session.revision.batching) throw McpError.noBatches(session.revision.version);
    for (const inbound of messages) this.#note(inbound, session);
    const requests = messages.flatMap((inbound) => (inbound.kind === 'request' ? [inbound.message] : []));
    const naming = this.#nameCall(...requests);
    const reply = new SessionReply(exchange, this.streams, accepted, session, naming);
    const unanswered = messages.filter((inbound) => inbound.kind !== 'request');
    const sender = { peer: session, inFlight: session.inFlight };
    const batch = await judgeRequests(this.dispatcher, requests, reply, sender);
    const refusal =
      batch.refusal ??
      this.#findRefusal(exchange, messages, session) ??
      (await this.#forward(exchange, unanswered, session, true)) ??
      (await this.#forward(exchange, unanswered, session));
    if (refusal === undefined) {
      for (const inbound of unanswered) await this.#take(inbound, session, exchange);
    }
    if (requests.length === 0) {
      return refusal === undefined ? exchange.sendEmpty(202) : refuseAccess(exchange, refusal);
    }
    reply.end(await answerRequests(this.dispatcher, batch, reply, refusal));
  }

  async receive(exchange: HttpExchange, inbound: UnansweredMessage): Promise<void> {
    const session = this.conversations.lookup.get(exchange);
    this.#note(inbound, session);
    const refusal =
      this.#findRefusal(exchange, [inbound], session) ?? (await this.#forward(exchange, [inbound], session));
    if (refusal === undefined) await this.#take(inbound, session, exchange);
    else refuseAccess(exchange, refusal);
  }

  /** A client may fetch the response from any process. */
  #nameCall(...requests: readonly JsonRpcRequest[]): CallNaming | undefined {
    const { bus, calls, standalone } = this.remote;
    const { isShared, member } = bus;
    if (!isShared) return undefined;
    const requestIds = requests.map(({ id }) => id);
    return { member, requestIds, requests: calls, standalone };
  }

  #note(inbound: InboundMessage, session: Session): void {
    if (isUse(inbound)) this.conversations.sessions.use(session);
  }

  /**
   * Finds the reason to reject a response to an input request, for example because the call now requires more
   * scopes.
   */
  #findRefusal(
    { authentication }: HttpExchange,
    messages: readonly InboundMessage[],
    { pending }: Session,
  ): AuthError | undefined {
    const scopes = messages.map((one) => (one.kind === 'response' ? pending.findScopes(one.message) : []));
    return this.access.findRefusal(authentication, mergeScopes(...scopes));
  }

  /** Forwards responses to other processes' input requests. Returns the error if one must be rejected. */
  async #forward(
    { authentication }: HttpExchange,
    inbounds: readonly UnansweredMessage[],
    session: Session,
    isTrial = false,
  ): Promise<AuthError | undefined> {
    const messages = inbounds
      .map(({ message }) => message)
      .filter((message) => this.answers.findOwner(message) !== undefined);
    if (messages.length === 0) return undefined;
    const required = await this.answers.forward(
      buildForwardedSender(session, authentication),
      messages,
      isTrial,
    );
    return this.access.findRefusal(authentication, required);
  }

  /** @throws {McpError} if it must be audited but cannot be */
  async #take(inbound: UnansweredMessage, session: Session, http: HttpExchange): Promise<void> {
    const { authentication } = http;
    if (inbound.kind === 'response') return session.pending.settle(inbound.message, authentication);
    const { message } = inbound;
    const carriage = { http, authentication };
    const failure = await this.dispatcher.dispatchNotification(message, session, session.inFlight, carriage);
    if (failure instanceof McpError) throw failure;
  }

  async #initialize(
    exchange: HttpExchange,
    request: JsonRpcRequest,
    accepted: AcceptedMediaTypes,
  ): Promise<void> {
    if (exchange.headers['mcp-session-id'] !== undefined) {
      this.conversations.lookup.get(exchange);
      throw McpError.invalidRequest('the session is already initialized');
    }
    this.#proxies.notice(exchange);
    const peer = new HandshakePeer(this.conversations.sessions, exchange.authentication, exchange);
    const reply = new DetachedReply(exchange, this.streams, accepted);
    const sender = { peer, inFlight: this.conversations.detached };
    const response = await answerRequest(this.dispatcher, request, reply, sender);
    if (peer.opened?.isEnded === false) exchange.openedSession = peer.opened.id;
    reply.end(response);
  }

  /** Probing for a method that no such revision defines must fail, so that the client falls back to `initialize`. */
  #getSession(exchange: HttpExchange, { method }: JsonRpcRequest): Session {
    const isProbe = exchange.headers['mcp-session-id'] === undefined;
    if (isProbe && !NEWEST_HANDSHAKE_REVISION.methods.has(method)) {
      throw McpError.methodNotFound(method);
    }
    return this.conversations.lookup.get(exchange);
  }
}

/**
 * Handles messages of session-based revisions without storing anything: each is served by whichever process receives it, as
 * if its client had initialized.
 *
 * @see MCP 2025-11-25 basic/transports, "Session Management"
 */
export class StatelessMessages implements HandshakeMessages {
  constructor(
    private readonly dispatcher: RequestDispatcher,
    private readonly detached: StatelessRequests,
    private readonly streams: EventStreams,
  ) {}

  /** There are no sessions. */
  touchSession(): undefined {
    return undefined;
  }

  /** There is nothing to load. */
  prepare(): undefined {
    return undefined;
  }

  answer(exchange: HttpExchange, request: JsonRpcRequest, accepted: AcceptedMediaTypes): Promise<void> {
    const reply = new DetachedReply(exchange, this.streams, accepted);
    const sender = { peer: createPeer(exchange), inFlight: this.detached };
    return answerRequest(this.dispatcher, request, reply, sender).then((response) => reply.end(response));
  }

  async answerBatch(
    exchange: HttpExchange,
    messages: readonly InboundMessage[],
    accepted: AcceptedMediaTypes,
  ): Promise<void> {
    const peer = createPeer(exchange);
    if (!peer.revision.batching) throw McpError.noBatches(peer.revision.version);
    const requests = messages.flatMap((inbound) => (inbound.kind === 'request' ? [inbound.message] : []));
    if (requests.length === 0) return exchange.sendEmpty(202);
    const reply = new DetachedReply(exchange, this.streams, accepted);
    const batch = await judgeRequests(this.dispatcher, requests, reply, { peer, inFlight: this.detached });
    reply.end(await answerRequests(this.dispatcher, batch, reply, batch.refusal));
  }

  /** There is nothing that a notification or a response could refer to. */
  receive(): void {}
}

function createPeer({ headers, authentication }: HttpExchange): StatelessPeer {
  const version = headers['mcp-protocol-version'];
  return new StatelessPeer(typeof version === 'string' ? version : undefined, authentication);
}

/** Warns once if anonymous callers arrive through a proxy that the adapter does not trust, which hides their addresses. */
export class UntrustedProxyWarning {
  readonly #logger = new Logger('McpHttpTransport');
  #isTold = false;

  /** Checks an `initialize` request. */
  notice({ authentication, headers, request, raw }: HttpExchange): void {
    if (this.#isTold || authentication !== undefined) return;
    if (headers['x-forwarded-for'] === undefined && headers.forwarded === undefined) return;
    const { ip } = request as { readonly ip?: unknown };
    if (ip !== raw.socket.remoteAddress) return;
    this.#isTold = true;
    this.#logger.warn(
      'A proxy forwards requests, but the HTTP adapter does not trust it: callers without a token share its address, so one caller can cause the sessions of others to be evicted. Set "trust proxy" on Express, or "trustProxy" on Fastify',
    );
  }
}
