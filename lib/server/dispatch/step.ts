import type { AuthError } from '../../core/oauth/auth.error.js';
import type { InputRequest } from '../../core/protocol/input-requests.js';
import { ErrorCode } from '../../core/protocol/error-codes.js';
import type { JsonRpcNotification, JsonRpcRequest } from '../../core/protocol/json-rpc.js';
import type { McpError } from '../../core/protocol/mcp.error.js';
import {
  ChallengingResponse,
  OutboundError,
  type OutboundResponse,
} from '../../core/protocol/outbound-message.js';
import { AuditError } from '../audit/audit-trail.js';
import type { AuditedCall } from '../audit/audited-call.js';
import type { Authorization } from '../auth/access/access-policy.js';
import type { AuthView } from '../context/auth-view.interface.js';
import type { Authentication } from '../context/authentication.js';
import type {
  DeferredResponse,
  CallOperation,
  SendInputRequest,
} from '../context/call-operation.interface.js';
import type { Peer, ReplyChannel } from '../context/peer.interface.js';
import type { RequestContext } from '../context/request-context.js';
import type { Hosting, RequestParts } from '../context/request-parts.interface.js';
import type { MemoryReservation } from '../memory/memory-budget.js';
import type { McpMethod } from '../methods/mcp-method.interface.js';
import { HandshakePeer } from '../sessions/handshake-peer.js';
import type { RequestTracker } from '../sessions/in-flight-requests.js';
import type { Session } from '../sessions/session.js';
import type { ObservedCall } from '../telemetry/observed-call.js';
import type { RequestSource } from '../telemetry/network.js';
import {
  findHiddenReason,
  selectReasonOfError,
  selectRefusalReason,
  type RefusalReason,
} from '../telemetry/refusal.js';
import type { RequestSpan } from '../telemetry/request-tracing.js';

/** The facts about an incoming request. */
export interface IncomingRequest {
  readonly channel: ReplyChannel;
  readonly peer: Peer;
  readonly inFlight: RequestTracker;
  /** The caller, if a token identifies one. */
  readonly authentication?: Authentication | undefined;
  /** The access for a request that is already authorized. @default its steps decide */
  readonly auth?: AuthView | undefined;
  /** The share of the memory budget that the request holds. @default not counted */
  readonly memory?: MemoryReservation | undefined;
  /** The size of the received message in bytes. @default not counted */
  readonly bytes?: number | undefined;
  /** The message's span, which fails if the caller is not authorized. @default the transport ends it itself */
  readonly span?: RequestSpan | undefined;
  /** Present if an extension makes the request on behalf of the client. @default absent */
  readonly hosting?: (Hosting & Pick<RequestParts, 'inputRequesters'>) | undefined;
}

/** A request on its way to its method. */
export class Call {
  /** The caller's authorization; absent if nothing restricts callers. */
  authorization: Authorization | undefined;
  /** Why the request's whole batch is rejected. */
  refusal: AuthError | undefined;
  /** Why this request alone does not reach its method. */
  failure: unknown;
  /** Whether it was admitted together with the other requests of its batch. */
  isAdmitted = false;
  /** Absent without an observer. */
  operation: CallObservation | undefined;

  constructor(
    readonly request: JsonRpcRequest,
    readonly arrival: IncomingRequest,
    readonly context: RequestContext,
    /** Absent if the peer's revision lacks the method. */
    readonly method: McpMethod | undefined,
  ) {}

  /** The session that an `initialize` request has opened. */
  get openedSession(): Session | undefined {
    const { peer } = this.arrival;
    return this.request.method === 'initialize' && peer instanceof HandshakePeer ? peer.opened : undefined;
  }
}

/** Facts about a notification from its transport. */
export interface NotificationSource extends RequestSource {
  readonly authentication?: Authentication | undefined;
}

/** A client notification, as observers see it. */
export interface ObservedNotification {
  readonly notification: JsonRpcNotification;
  readonly peer: Peer;
  readonly carriage: NotificationSource;
  /** The trace in which it is recorded. */
  traceId?: string | undefined;
}

/**
 * Handles a notification. Its promise, if there is one, resolves to the error that causes the notification to be
 * ignored.
 */
export type HandleNotification = () => Promise<McpError | undefined | void> | undefined;

/** The decision on requests that run together or not at all; `later` if it depends on later steps. */
export type AuthorizationDecision = AuthError | 'later' | undefined;

/**
 * A step that requests pass on their way to the method. It implements the functions that it needs. `steps.ts` defines
 * the order. Each function is called for all steps before the next function.
 */
export interface Step {
  /**
   * Whether requests pass through the step. It is read again after {@link watch} has called its listener.
   * @default true
   */
  readonly isWanted?: boolean;
  /**
   * Whether {@link admit} consults the application, which it does for one call of a batch at a time. @default false
   */
  readonly asksApplication?: boolean;
  /** Registers a listener for changes of {@link isWanted}. */
  watch?(listener: () => void): void;
  /** Rejects every request from now on, at shutdown. */
  close?(): void;

  /** Replaces a request with the one that it forwards. */
  rewrite?(request: JsonRpcRequest): JsonRpcRequest;
  /** Completes a call before any decision about it. */
  open?(call: Call): void;
  /** Starts to observe a call. Required for {@link end} and {@link observeNotification}. */
  begin?(observation: CallObservation): void;
  /** Rejects a call before it counts as running. Such a step has no {@link admit}. */
  refuse?(call: Call): AuthError | McpError | undefined;
  /** Authorizes calls that run together or not at all. A single call is a batch of one. */
  authorize?(calls: readonly Call[]): AuthorizationDecision;
  /**
   * Admits a running call to its method. An error that it throws becomes the response to that call only.
   *
   * @returns `undefined` if there is nothing to wait for
   */
  admit?(call: Call): Promise<void> | undefined;
  /** Ends the observation of a call. Returns the response to send. */
  end?(
    observation: CallObservation,
    response: OutboundResponse | undefined,
  ): OutboundResponse | undefined | Promise<OutboundResponse | undefined>;
  /** Observes a notification while it is handled. */
  observeNotification?(
    notice: ObservedNotification,
    take: HandleNotification,
  ): ReturnType<HandleNotification>;
}

/** A call, as telemetry and the audit observe it. */
export class CallObservation implements CallOperation {
  /** Absent if there is no telemetry. */
  followed: ObservedCall | undefined;
  /** Absent without an audit. */
  audited: AuditedCall | undefined;
  /** Why the request was refused, if it was. */
  refusal: RefusalReason | undefined;
  /** Whether the observers have seen its response. */
  hasEnded = false;
  /** Whether its response is a stream that ends with the connection or the server. */
  isListening = false;
  /** The incident id that the caller received with an internal error. */
  incident: string | undefined;

  constructor(
    readonly call: Call,
    /** The steps that have started to observe the call and must end the observation. */
    readonly observers: readonly Step[],
  ) {}

  run<Result>(act: () => Result): Result {
    return this.followed === undefined ? act() : this.followed.run(act);
  }

  get spanContext(): ObservedCall['spanContext'] {
    return this.followed?.spanContext;
  }

  get carried(): ObservedCall['carried'] {
    return this.followed?.carried;
  }

  /** Records that the request was rejected. */
  refuse(error: McpError): void {
    this.refusal = error instanceof AuditError ? 'audit_unavailable' : selectReasonOfError(error);
  }

  /** Records a rejection that the response reveals. */
  noteResponse(response: OutboundResponse | undefined): void {
    this.refusal ??= findRefusal(response);
  }

  follow<Answer>(request: InputRequest, send: SendInputRequest<Answer>): Promise<Answer> {
    const { followed, audited } = this;
    const ask = (): Promise<Answer> =>
      followed === undefined ? send(request, () => undefined) : followed.recordInputRequest(request, send);
    return audited === undefined ? ask() : audited.recordInputRequest(request, ask);
  }

  note(request: InputRequest): InputRequest {
    this.audited?.recordPendingInputRequest(request);
    return this.followed?.recordPendingInputRequest(request) ?? request;
  }

  noteAnswer(brought: DeferredResponse): void {
    this.audited?.recordAnswer(brought);
  }

  noteFailure(failure: unknown): void {
    this.refusal ??= findHiddenReason(failure);
  }

  noteIncident(incident: string): void {
    this.incident = incident;
    if (this.audited !== undefined) this.audited.incident = incident;
  }

  noteRepair(tool: string, members: number): void {
    this.followed?.recordRepair(tool, members);
  }

  noteTask(taskId: string): void {
    if (this.audited !== undefined) this.audited.task = taskId;
  }

  noteListening(): Promise<void> | undefined {
    this.isListening = true;
    const held = this.audited?.recordListening();
    return held && assertStored(held);
  }
}

const REFUSING: ReadonlySet<number> = new Set([413, 429, 503]);

/** Determines from the response why a request was rejected: missing authorization, or an exceeded limit. */
function findRefusal(response: OutboundResponse | undefined): RefusalReason | undefined {
  if (response instanceof ChallengingResponse) {
    return response.httpStatus === 403 ? 'insufficient_scope' : 'unauthorized';
  }
  if (!(response instanceof OutboundError)) return undefined;
  const { httpStatus, error } = response;
  // A rate limit error may also occur after a stream has started.
  const isRefused = REFUSING.has(httpStatus) || error.code === ErrorCode.RateLimited;
  return isRefused ? selectRefusalReason(httpStatus, error.code) : undefined;
}

async function assertStored(stored: Promise<McpError | undefined>): Promise<void> {
  const failure = await stored;
  if (failure !== undefined) throw failure;
}
