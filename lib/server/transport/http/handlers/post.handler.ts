import type { JsonRpcRequest } from '../../../../core/protocol/json-rpc.js';
import { McpError } from '../../../../core/protocol/mcp.error.js';
import { type AcceptedMediaTypes, parseAccept } from '../../../../core/protocol/headers/http-headers.js';
import { findRequestId, type InboundMessage, parseMessage } from '../../../../core/protocol/parse-message.js';
import {
  carriesClaim,
  parsePerRequestClaim,
  type PerRequestClaim,
} from '../../../../core/protocol/headers/per-request-claim.js';
import type { MethodTable } from '../../../dispatch/method-table.js';
import type { RequestDispatcher } from '../../../dispatch/request-dispatcher.js';
import {
  estimateRequests,
  type MemoryBudget,
  type MemoryReservation,
} from '../../../memory/memory-budget.js';
import type { StatelessRequests } from '../../../sessions/in-flight-requests.js';
import type { ServerSettings } from '../../../settings/server-settings.js';
import type { EventStreams } from '../streams/event-streams.js';
import type { HttpExchange } from '../http-exchange.js';
import { DetachedReply } from '../replies/post-reply.js';
import { THIS_TURN, type Uploads } from '../bodies/uploads.js';
import { answerRequest, buildClaimedPeer, parseBatch } from './requests.js';
import type { HandshakeMessages, UnansweredMessage } from './handshake-messages.js';
import { assertHandshakeVersion, isOfPerRequestWire } from './session-lookup.js';
import type { ServerResponse } from 'node:http';
import { HeapCost } from '../../../memory/memory-limits.js';
import { countQueuedBytes, isClientGone, onClientGone } from '../connections/client-progress.js';

/** Reads bodies, and counts their memory. */
interface Bodies {
  readonly uploads: Uploads;
  readonly memory: MemoryBudget;
}

/** Reads and classifies posted messages, and dispatches them. */
export class PostHandler {
  constructor(
    private readonly settings: ServerSettings,
    private readonly handshakes: HandshakeMessages,
    private readonly methods: MethodTable,
    private readonly dispatcher: RequestDispatcher,
    private readonly detached: StatelessRequests,
    private readonly streams: EventStreams,
    private readonly bodies: Bodies,
  ) {}

  /**
   * Handles one POST.
   *
   * @throws {McpError} if it is rejected before dispatch
   */
  async handle(exchange: HttpExchange): Promise<void> {
    const accepted = parseAccept(exchange.headers.accept);
    if (!accepted.json && !accepted.eventStream) {
      throw McpError.invalidRequest('"Accept" must allow application/json or text/event-stream', 406);
    }
    const stored = this.handshakes.touchSession(exchange);
    let body = this.bodies.uploads.take(exchange);
    if (body === undefined) {
      // Inlined from `readJson`, whose promise would cost every request two more microtasks.
      await THIS_TURN;
      body = this.bodies.uploads.take(exchange) ?? (await this.bodies.uploads.receive(exchange, stored));
    }
    const { value, heapBytes } = body;
    try {
      const bytes = estimateRequests(value, this.settings.limits.batchSize) + heapBytes;
      exchange.memory = this.bodies.memory.hold(exchange.caller, bytes, true, stored);
      const arriving = this.handshakes.prepare(exchange);
      if (arriving !== undefined) await arriving;
      if (Array.isArray(value)) await this.#handleBatch(exchange, value, accepted);
      else await this.#handleMessage(exchange, parseMessage(value), accepted);
    } catch (error) {
      if (!(error instanceof McpError)) throw error;
      exchange.refuse(error, findRequestId(value), value);
    } finally {
      if (exchange.isStream) exchange.memory?.release();
      else releaseWhenRead(exchange.memory, exchange.response);
    }
  }

  #handleMessage(
    exchange: HttpExchange,
    inbound: InboundMessage,
    accepted: AcceptedMediaTypes,
  ): void | Promise<void> {
    if (inbound.kind !== 'request') return this.#accept(exchange, inbound);
    const { message: request } = inbound;
    const claim = parsePerRequestClaim(request, exchange.headers, this.methods.names);
    if (claim !== undefined) return this.#answerDetached(exchange, request, { claim, accepted });
    assertHandshakeVersion(exchange);
    return this.handshakes.answer(exchange, request, accepted);
  }

  #answerDetached(
    exchange: HttpExchange,
    request: JsonRpcRequest,
    { claim, accepted }: { claim: PerRequestClaim; accepted: AcceptedMediaTypes },
  ): Promise<void> {
    const { headers, authentication } = exchange;
    const peer = buildClaimedPeer(claim, this.settings, { identity: authentication?.identity, headers });
    const reply = new DetachedReply(exchange, this.streams, accepted);
    const sender = { peer, inFlight: this.detached };
    const dispatched = answerRequest(this.dispatcher, request, reply, sender);
    return dispatched.then((response) => reply.end(response));
  }

  /** Accepts a notification or a response. */
  async #accept(exchange: HttpExchange, inbound: UnansweredMessage): Promise<void> {
    const isClaimed = inbound.kind === 'notification' && carriesClaim(inbound.message);
    if (isClaimed || isOfPerRequestWire(exchange)) {
      if (inbound.kind === 'response') {
        throw McpError.invalidRequest('the revision does not define client responses');
      }
      return exchange.sendEmpty(202);
    }
    assertHandshakeVersion(exchange);
    await this.handshakes.receive(exchange, inbound);
    exchange.sendEmpty(202);
  }

  async #handleBatch(
    exchange: HttpExchange,
    values: readonly unknown[],
    accepted: AcceptedMediaTypes,
  ): Promise<void> {
    const messages = parseBatch(values, this.settings.limits.batchSize);
    assertHandshakeVersion(exchange);
    await this.handshakes.answerBatch(exchange, messages, accepted);
  }
}

/** Releases a request's memory. An unread response counts until the client has read it or disconnected. */
function releaseWhenRead(memory: MemoryReservation | undefined, response: ServerResponse): void {
  if (memory === undefined) return;
  const queued = countQueuedBytes(response);
  if (queued === 0 || isClientGone(response)) return memory.release();
  memory.resize(HeapCost.request + queued);
  onClientGone(response, () => memory.release());
}
