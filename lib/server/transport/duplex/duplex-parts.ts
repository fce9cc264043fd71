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
import type { MemoryBudget, MemoryHold } from '../../memory/memory-budget.js';
import type { CapabilitiesDeclaration } from '../../methods/capabilities-declaration.js';
import type { ListenerRegistry } from '../../notifications/listener-registry.js';
import type { StatelessRequests } from '../../sessions/in-flight-requests.js';
import type { SessionRegistry } from '../../sessions/session-registry.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import type { RequestSpan, RequestTracing } from '../../telemetry/request-tracing.js';
import { recordCaller } from '../../auth/request-span.js';

/** Writes a message to the other end of a pipe. */
export type WriteMessage = (message: OutboundMessage) => void;

/** Counts the bytes that wait for the other end. */
export type CountUnread = () => number;

/** What a reply goes over, and what it answers. */
export interface DuplexReplyParts {
  readonly write: WriteMessage;
  readonly countUnread: CountUnread;
  readonly session: Session | undefined;
  readonly http?: HttpView | undefined;
  readonly isPipe?: boolean | undefined;
}

/** Sends what belongs to a request over the one pipe that carries everything. */
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

/** What connections need of their server. */
export interface DuplexServer {
  readonly dispatcher: RequestDispatcher;
  readonly methods: MethodTable;
  readonly capabilities: CapabilitiesDeclaration;
  readonly listeners: ListenerRegistry;
  readonly sessions: SessionRegistry;
  readonly settings: ServerSettings;
  /** Where the requests of all connections that are of no session are known. */
  readonly detached: StatelessRequests;
  readonly memory: MemoryBudget;
  readonly refusals: RefusalRecorder;
  readonly audit: AuditTrail;
}

/** The client's end of a pipe. */
export interface DuplexEnd {
  readonly write: WriteMessage;
  /** Counts what waits for the client. */
  readonly countUnread: CountUnread;
  /** Is called when the client does more than a handshake and pings. */
  readonly onUse?: (() => void) | undefined;
  /** Is called if the session ended without the client. The client may make another handshake. */
  readonly onSessionEnd?: (() => void) | undefined;
}

/** The events of a pipe for its opener. */
export type DuplexEvents = Pick<DuplexEnd, 'onUse' | 'onSessionEnd'>;

/** The sender of a message, and its rights. */
export interface DuplexCaller {
  readonly authentication?: Authentication | undefined;
  /** The revision of a client that may have shaken hands on a connection that is gone. @default it has to do so on this one */
  readonly assumed?: Revision | undefined;
  /** Where a stranger calls from, if that is known. */
  readonly address?: string | undefined;
  /** The HTTP request that the message came with, if it did. */
  readonly http?: HttpView | undefined;
  /** Whether messages come over standard input. @default false */
  readonly isPipe?: boolean | undefined;
  /** Is called with each request before it is answered. */
  onRequest?(request: JsonRpcRequest): void;
  /** Starts the span of a request, which ends with its answer; if nothing else traces it. */
  trace?(request: JsonRpcRequest): RequestSpan | undefined;
}

/** The sender of a message, and the memory of the message until it is answered. */
export interface Arrived {
  readonly caller: DuplexCaller;
  readonly memory: MemoryHold;
  /** Bytes of the message as it came, if there is one alone and they were counted. */
  readonly bytes?: number | undefined;
}

/** How a connection whose client says nothing more comes to its end. */
export interface DrainOptions {
  readonly reason: string;
  /** Milliseconds to wait for pending answers. */
  readonly graceMs: number;
  /** Ends the wait. */
  readonly signal: AbortSignal;
}

/**
 * Starts the span of a request that comes without headers, below the one that its `_meta` names.
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
    // The token was validated when the connection was made.
    recordCaller(span, authentication, true);
  }
  return span;
}

function onlyText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
