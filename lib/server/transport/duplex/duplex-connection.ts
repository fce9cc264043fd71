import {
  type Arrived,
  type CountUnread,
  type DrainOptions,
  type DuplexCaller,
  type DuplexEnd,
  type DuplexEvents,
  DuplexReply,
  type DuplexServer,
  type WriteMessage,
} from './duplex-parts.js';
import { describeFailure } from '../../../core/log/describe-failure.js';
import { Logger } from '../../../core/logger/logger.js';
import { carriesClaim, parsePerRequestClaim } from '../../../core/protocol/headers/per-request-claim.js';
import { isObject, type JsonRpcNotification, type JsonRpcRequest } from '../../../core/protocol/json-rpc.js';
import { McpError } from '../../../core/protocol/mcp.error.js';
import { type MeasuredJson, parseMeasuredJson } from '../../../core/protocol/measured-json.js';
import {
  OutboundError,
  type OutboundMessage,
  type OutboundResponse,
} from '../../../core/protocol/outbound-message.js';
import { findRequestId, type InboundMessage, parseMessage } from '../../../core/protocol/parse-message.js';
import { NEWEST_HANDSHAKE_REVISION } from '../../../core/protocol/revisions.js';
import { settleWithin } from '../../../core/async/timeouts.js';
import type { Peer } from '../../context/peer.interface.js';
import type { IncomingRequest } from '../../dispatch/step.js';
import { formatLine } from '../../log/format-line.js';
import { logIncident } from '../../log/log-failure.js';
import { estimateRequests } from '../../memory/memory-budget.js';
import { HandshakePeer } from '../../sessions/handshake-peer.js';
import { ConnectionRequests, type RequestTracker } from '../../sessions/in-flight-requests.js';
import { isUse } from '../../sessions/session-registry.js';
import type { Session } from '../../sessions/session.js';
import type { ScopeHolder } from '../../sessions/streams/scope-holder.interface.js';
import { selectStructureBounds } from '../../settings/limit-options.js';
import type { Refusal } from '../../telemetry/refusal.js';
import { answerBatch, buildClaimedPeer, parseBatch } from '../http/handlers/requests.js';
import { DuplexSession } from './duplex-session.js';

/** Opens duplex connections to a server. */
export class DuplexConnections {
  constructor(private readonly server: DuplexServer) {}

  /**
   * Connects a client.
   *
   * @param countUnread counts bytes that the client has not read yet; by default there are none
   * @param hearing listens to connection events
   */
  open(
    write: WriteMessage,
    countUnread: CountUnread = () => 0,
    hearing: DuplexEvents = {},
  ): DuplexConnection {
    return new DuplexConnection(this.server, { write, countUnread, ...hearing });
  }
}

/** The sender of a rejected message. */
interface Refused {
  readonly caller: DuplexCaller;
  readonly session: Session | undefined;
}

/** Sends errors for messages that were rejected. */
class DuplexRefusals {
  readonly #logger = new Logger('McpDuplex');

  constructor(
    private readonly server: Pick<DuplexServer, 'refusals'>,
    private readonly write: WriteMessage,
  ) {}

  /** Sends the error for a rejected message. Errors that are not the client's fault are logged. */
  refuse(error: unknown, value: unknown, refused: Refused): void {
    const incident = error instanceof McpError ? undefined : this.#logIncident(error, value, refused);
    const known = error instanceof McpError ? error : McpError.internal(incident);
    const answer = new OutboundError(findRequestId(value), known.toJSON(), 400);
    const pending = this.note({ error: answer.error, message: value, incident }, refused, answer);
    if (pending === undefined) this.write(answer);
    else void this.#writeKept(answer, pending);
  }

  /** Records that a message was rejected. */
  note(
    refusal: Pick<Refusal, 'error' | 'message' | 'reason' | 'incident'>,
    { caller: { http, isPipe, authentication }, session }: Refused,
    answer?: OutboundError,
  ): Promise<McpError | undefined> | undefined {
    const { refusals } = this.server;
    const answerBytes = answer && refusals.isAudited ? Buffer.byteLength(answer.json) : undefined;
    return refusals.record({ ...refusal, http, isPipe, authentication, sessionId: session?.id, answerBytes });
  }

  async #writeKept(answer: OutboundError, pending: Promise<McpError | undefined>): Promise<void> {
    const failure = await pending;
    this.write(failure === undefined ? answer : new OutboundError(answer.id, failure.toJSON(), 500));
  }

  #logIncident(
    error: unknown,
    value: unknown,
    { caller: { http, authentication }, session }: Refused,
  ): string {
    const { method, params } = isObject(value) ? value : {};
    return logIncident(this.#logger, error, {
      authentication,
      http,
      session,
      method: typeof method === 'string' ? method : undefined,
      params,
    });
  }
}

/**
 * One client on a duplex connection, which carries sessions and stateless requests, responses and notifications, and
 * requests in both directions.
 *
 * @see MCP basic/transports, "stdio"
 */
export class DuplexConnection implements ScopeHolder {
  /** The latest token's scopes, which also apply to notifications. */
  scopes: ReadonlySet<string> | undefined;
  readonly #logger = new Logger('McpDuplex');
  readonly #detached: ConnectionRequests;
  readonly #running = new Set<Promise<unknown>>();
  readonly #session: DuplexSession;
  readonly #refusals: DuplexRefusals;
  readonly #write: WriteMessage;
  #isClosed = false;

  constructor(
    private readonly server: DuplexServer,
    private readonly end: DuplexEnd,
  ) {
    this.#detached = new ConnectionRequests(server.detached);
    this.#write = guardWrite(end.write, (error) => this.#breakOff(error));
    this.#refusals = new DuplexRefusals(server, this.#write);
    this.#session = new DuplexSession(server, { ...end, write: this.#write }, this);
  }

  /** The number of pending requests. */
  get size(): number {
    return this.#detached.size + (this.session?.inFlight.size ?? 0);
  }

  /** The session that the client has initialized, if any. */
  get session(): Session | undefined {
    return this.#session.current;
  }

  /** Treats a reconnecting client as initialized, so that it receives notifications before its first request. */
  resume(caller: DuplexCaller): void {
    this.scopes = caller.authentication?.scopes;
    if (this.#session.assume(caller) !== undefined) this.#session.listen();
  }

  /** Receives a message or a batch as JSON. */
  receiveText(json: string, caller: DuplexCaller): void {
    try {
      this.receive(parseMeasuredJson(json, selectStructureBounds(this.server.settings)), caller);
    } catch (error) {
      this.refuse(error, caller);
    }
  }

  /** Receives a message or a batch. Errors are sent to the client. A closed connection ignores messages. */
  receive(message: MeasuredJson, caller: DuplexCaller): void {
    // A late initialization would open a session that nothing closes.
    if (this.#isClosed) return;
    this.scopes = caller.authentication?.scopes;
    this.#session.note(caller);
    const handling = this.#handleWithin(message, caller).catch((error) =>
      this.#refusals.refuse(error, message.value, { caller, session: this.session }),
    );
    this.#running.add(handling);
    void handling.then(() => this.#running.delete(handling));
  }

  /**
   * Sends the error for an unreadable message, such as one that is not JSON. Errors that are not the client's fault
   * are logged.
   */
  refuse(error: unknown, caller: DuplexCaller): void {
    this.#refusals.refuse(error, undefined, { caller, session: this.session });
  }

  /** Resolves when all received messages are handled. */
  async drain(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /**
   * Closes the connection of a client that has finished sending but still reads. Subscriptions end with their result,
   * input requests with an error. Running calls may finish within the grace period.
   */
  async finish({ reason, graceMs, signal }: DrainOptions): Promise<void> {
    this.server.listeners.endAmong(this.#detached.all());
    this.session?.pending.close();
    await settleWithin(this.drain(), graceMs, signal);
    for (const context of [...this.#detached.all(), ...(this.session?.inFlight.all() ?? [])]) {
      context.fail(McpError.shuttingDown());
    }
    await settleWithin(this.drain(), LAST_ANSWERS_MS);
    this.close(reason);
  }

  /** Closes the connection and cancels its running calls. */
  close(reason: string): void {
    this.#isClosed = true;
    for (const context of this.#detached.all()) context.cancel(reason);
    this.#session.close(reason);
  }

  /** Counts a message's memory until it is handled. */
  async #handleWithin({ value, heapBytes, bytes }: MeasuredJson, caller: DuplexCaller): Promise<void> {
    const { authentication, address } = caller;
    const owner = { identity: authentication?.identity, address };
    const held = estimateRequests(value, this.server.settings.limits.batchSize) + heapBytes;
    const memory = this.server.memory.hold(owner, held, true, this.session?.memory);
    try {
      await this.#handle(value, { caller, memory, bytes: Array.isArray(value) ? undefined : bytes });
    } finally {
      memory.release();
    }
  }

  async #handle(value: unknown, arrived: Arrived): Promise<void> {
    if (Array.isArray(value)) return this.#handleBatch(value, arrived);
    const inbound = parseMessage(value);
    this.#noteUse(inbound);
    if (inbound.kind !== 'request') return this.#take(inbound, arrived.caller);
    const response = await this.#answer(inbound.message, arrived);
    if (response !== undefined) this.#write(response);
    this.#session.listen();
  }

  async #handleBatch(values: readonly unknown[], arrived: Arrived): Promise<void> {
    const messages = parseBatch(values, this.server.settings.limits.batchSize);
    if (this.#session.assume(arrived.caller)?.revision.batching !== true) throw McpError.noBatches();
    const requests: { readonly request: JsonRpcRequest }[] = [];
    for (const inbound of messages) {
      this.#noteUse(inbound);
      if (inbound.kind === 'request') requests.push({ request: inbound.message });
      else this.#take(inbound, arrived.caller);
    }
    const response = await answerBatch(requests, {
      answer: ({ request }) => this.#answer(request, arrived),
      onRefused: (refusal) => void this.#refusals.note(refusal, { ...arrived, session: this.session }),
      memory: arrived.memory,
    });
    if (response !== undefined) this.#write(response);
    this.#session.listen();
  }

  #answer(request: JsonRpcRequest, arrived: Arrived): Promise<OutboundResponse | undefined> {
    const claim = parsePerRequestClaim(request);
    const { caller } = arrived;
    const { identity } = caller.authentication ?? {};
    const peer = claim && buildClaimedPeer(claim, this.server.settings, { identity });
    if (peer !== undefined) return this.#dispatch(request, arrived, peer);
    if (request.method === 'initialize' && this.#session.takesHandshake) {
      return this.#initialize(request, arrived);
    }
    const session = this.#findSession(request, caller);
    if (session !== undefined) return this.#dispatch(request, arrived, session);
    // A client may ping before it initializes (MCP 2025-11-25 basic/lifecycle).
    if (request.method === 'ping') {
      return this.#dispatch(request, arrived, this.#session.createHandshake(caller));
    }
    throw NEWEST_HANDSHAKE_REVISION.methods.has(request.method)
      ? McpError.notInitialized()
      : McpError.methodNotFound(request.method);
  }

  /**
   * Neither a notification nor an unknown method opens a session, because the client may be probing whether it must
   * initialize.
   */
  #findSession({ method }: JsonRpcRequest, caller: DuplexCaller): Session | undefined {
    const { assumed } = caller;
    const isAsking = method !== 'ping' && assumed && this.server.methods.find(method, assumed) !== undefined;
    return isAsking ? this.#session.assume(caller) : this.session;
  }

  #initialize(request: JsonRpcRequest, arrived: Arrived): Promise<OutboundResponse | undefined> {
    const peer = this.#session.createHandshake(arrived.caller);
    const answer = this.#dispatch(request, arrived, peer);
    // A client may send requests before it receives the response, so the session exists from here on.
    this.#session.enter(peer);
    return answer;
  }

  #dispatch(
    request: JsonRpcRequest,
    { caller, memory, bytes }: Arrived,
    peer: Peer,
  ): Promise<OutboundResponse | undefined> {
    const session = peer === this.session ? this.session : undefined;
    const { http, isPipe } = caller;
    const channel = new DuplexReply({ ...this.end, session, http, isPipe });
    const inFlight = session?.inFlight ?? this.#detached;
    const { authentication } = caller;
    caller.onRequest?.(request);
    const span = caller.trace?.(request);
    const arrival: IncomingRequest = { peer, channel, inFlight, authentication, memory, bytes, span };
    if (span === undefined) return this.server.dispatcher.dispatch(request, arrival);
    return span.run(() => this.server.dispatcher.dispatch(request, arrival)).finally(() => span.end());
  }

  #noteUse(inbound: InboundMessage): void {
    if (isUse(inbound)) this.end.onUse?.();
  }

  #take(inbound: Exclude<InboundMessage, { kind: 'request' }>, caller: DuplexCaller): void {
    if (inbound.kind === 'response') return this.session?.pending.settle(inbound.message, this);
    const { message } = inbound;
    // Stateless clients send only cancellations, which never belong to the session.
    const session = carriesClaim(message) ? undefined : this.session;
    const peer = session ?? new HandshakePeer(this.server.sessions);
    void this.server.dispatcher.dispatchNotification(message, peer, this.#findTracker(message), caller);
  }

  /**
   * Sessions and stateless requests share the connection, so a cancellation applies to whichever request has its id.
   */
  #findTracker({ params }: JsonRpcNotification): RequestTracker {
    const id = params?.['requestId'];
    const isDetached = (typeof id === 'string' || typeof id === 'number') && this.#detached.has(id);
    return isDetached ? this.#detached : (this.session?.inFlight ?? this.#detached);
  }

  #breakOff(error: unknown): void {
    if (this.#isClosed) return;
    const { text, stack } = describeFailure(error);
    const line = `The connection is closed because writing to it failed: ${text}`;
    this.#logger.error(formatLine(line, { session: this.session }), stack);
    this.close('Writing to the client failed');
  }
}

/** Time for responses that are ready to be written. */
const LAST_ANSWERS_MS = 1000;

/** Writes without waiting for the result. If a write throws, the client is gone. */
function guardWrite(write: WriteMessage, onFailure: (error: unknown) => void): WriteMessage {
  return (message: OutboundMessage) => {
    try {
      write(message);
    } catch (error) {
      onFailure(error);
    }
  };
}
