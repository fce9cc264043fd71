import type { JsonRpcRequest } from '../../../core/protocol/json-rpc.js';
import type { Revision } from '../../../core/protocol/revisions.js';
import type { AuditTrail } from '../../audit/audit-trail.js';
import type { RefusalRecorder } from '../../audit/refusal-recorder.js';
import type { Authentication } from '../../context/authentication.js';
import type { HttpView } from '../../context/mcp-context.interface.js';
import type { MethodTable } from '../../dispatch/method-table.js';
import type { RequestDispatcher } from '../../dispatch/request-dispatcher.js';
import type { MemoryHold } from '../../memory/memory-hold.js';
import type { MemoryBudget } from '../../memory/memory-budget.js';
import type { CapabilitiesDeclaration } from '../../methods/capabilities-declaration.js';
import type { ListenerRegistry } from '../../notifications/listener-registry.js';
import type { StatelessRequests } from '../../sessions/in-flight-requests.js';
import type { SessionRegistry } from '../../sessions/session-registry.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import type { RequestSpan } from '../../telemetry/request-tracing.js';
import type { CountUnread, WriteMessage } from './duplex-reply.js';

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
