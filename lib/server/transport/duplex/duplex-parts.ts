import { type OutboundMessage, OutboundNotification } from '../../../core/protocol/outbound-message.js';
import type { HttpView } from '../../context/mcp-context.interface.js';
import type { ReplyChannel } from '../../context/peer.interface.js';
import type { Session } from '../../sessions/session.js';
import { isObject, type JsonRpcRequest } from '../../../core/protocol/json-rpc.js';
import type { Revision } from '../../../core/protocol/revisions.js';
import type { AuditTrail } from '../../audit/audit-trail.js';
import type { RefusalRecorder } from '../../audit/refusal-recorder.js';
import type { Authentication } from '../../context/authentication.js';
import type { MethodTable } from '../../dispatch/method-table.js';
import type { RequestDispatcher } from '../../dispatch/request-dispatcher.js';
import type { MemoryBudget, MemoryReservation } from '../../memory/memory-budget.js';
import type { CapabilitiesDeclaration } from '../../methods/capabilities-declaration.js';
import type { ListenerRegistry } from '../../notifications/listener-registry.js';
import type { StatelessRequests } from '../../sessions/in-flight-requests.js';
import type { SessionRegistry } from '../../sessions/session-registry.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import type { RequestSpan, RequestTracing } from '../../telemetry/request-tracing.js';
import { recordCaller } from '../../auth/request-span.js';

/** Writes a message to the client. */
export type WriteMessage = (message: OutboundMessage) => void;

/** Counts bytes that the client has not read yet. */
export type CountUnread = () => number;

/** A reply's connection and session. */
export interface DuplexReplyParts {
  readonly write: WriteMessage;
  readonly countUnread: CountUnread;
  readonly session: Session | undefined;
  readonly http?: HttpView | undefined;
  readonly isPipe?: boolean | undefined;
}

/** Sends a request's messages over the one connection for all messages. */
export class DuplexReply implements ReplyChannel {
  readonly takesMessages = true;

  readonly http: HttpView | undefined;
  readonly isPipe: boolean | undefined;

  constructor(private readonly parts: DuplexReplyParts) {
    this.http = parts.http;
    this.isPipe = parts.isPipe;
  }

  get unread(): number {
    return this.parts.countUnread();
  }

  send(message: OutboundMessage): void {
    const { session, write } = this.parts;
    const isEarly = message instanceof OutboundNotification && session?.accepts(message) === false;
    if (!isEarly) write(message);
  }
}

/** The parts of a server that connections use. */
export interface DuplexServer {
  readonly dispatcher: RequestDispatcher;
  readonly methods: MethodTable;
  readonly capabilities: CapabilitiesDeclaration;
  readonly listeners: ListenerRegistry;
  readonly sessions: SessionRegistry;
  readonly settings: ServerSettings;
  /** The stateless requests of all connections. */
  readonly detached: StatelessRequests;
  readonly memory: MemoryBudget;
  readonly refusals: RefusalRecorder;
  readonly audit: AuditTrail;
}

/** The client's end of a duplex connection. */
export interface DuplexEnd {
  readonly write: WriteMessage;
  /** Counts bytes that the client has not read yet. */
  readonly countUnread: CountUnread;
  /** Called when the client does more than initialize and ping. */
  readonly onUse?: (() => void) | undefined;
  /** Called when the server has ended the session. The client may initialize again. */
  readonly onSessionEnd?: (() => void) | undefined;
}

/** Connection events for the connection's owner. */
export type DuplexEvents = Pick<DuplexEnd, 'onUse' | 'onSessionEnd'>;

/** A message's sender, and its scopes. */
export interface DuplexCaller {
  readonly authentication?: Authentication | undefined;
  /**
   * The revision of a client that may have initialized on a lost connection. @default the client must initialize on
   * this connection
   */
  readonly assumed?: Revision | undefined;
  /** An anonymous caller's address, if known. */
  readonly address?: string | undefined;
  /** The HTTP request that carried the message, if any. */
  readonly http?: HttpView | undefined;
  /** Whether messages arrive over standard input. @default false */
  readonly isPipe?: boolean | undefined;
  /** Called with each request before it is dispatched. */
  onRequest?(request: JsonRpcRequest): void;
  /** Starts a request span unless something else traces it. */
  trace?(request: JsonRpcRequest): RequestSpan | undefined;
}

/** A message's sender, and the message's memory while it is handled. */
export interface Arrived {
  readonly caller: DuplexCaller;
  readonly memory: MemoryReservation;
  /** The message's size on the wire, if it was not part of a batch and was measured. */
  readonly bytes?: number | undefined;
}

/** How to close a connection whose client has finished sending. */
export interface DrainOptions {
  readonly reason: string;
  /** Milliseconds to wait for pending requests. */
  readonly graceMs: number;
  /** Aborts the wait. */
  readonly signal: AbortSignal;
}

/**
 * Starts the span for a request without headers as a child of the span named in its `_meta`.
 *
 * @see MCP 2026-07-28 basic, "Trace context"
 */
export function traceMessage(
  tracing: RequestTracing,
  request: JsonRpcRequest,
  authentication: Authentication | undefined,
): RequestSpan {
  const meta = request.params?.['_meta'];
  const { traceparent, tracestate } = isObject(meta) ? meta : {};
  const span = tracing.startRequest({ traceparent: onlyText(traceparent), tracestate: onlyText(tracestate) });
  span.describe(request);
  if (authentication !== undefined) {
    span.set('mcp.auth.method', authentication.method);
    // The token was validated when the connection was opened.
    recordCaller(span, authentication, true);
  }
  return span;
}

function onlyText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
