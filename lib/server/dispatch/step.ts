import type { AuthError } from '../../core/oauth/auth.error.js';
import type { ClientRequest } from '../../core/protocol/client-requests.js';
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
import type { BroughtAnswer, CallOperation, SendQuestion } from '../context/call-operation.interface.js';
import type { Peer, ReplyChannel } from '../context/peer.interface.js';
import type { RequestContext } from '../context/request-context.js';
import type { Hosting, RequestParts } from '../context/request-parts.interface.js';
import type { MemoryHold } from '../memory/memory-budget.js';
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

/** The facts about an arriving request. */
export interface Arrival {
  readonly channel: ReplyChannel;
  readonly peer: Peer;
  readonly inFlight: RequestTracker;
  /** The caller, if a token told who that is. */
  readonly authentication?: Authentication | undefined;
  /** The access of a request that was authorized before. @default its steps decide on it */
  readonly auth?: AuthView | undefined;
  /** What the request takes of the memory that its caller may have. @default not counted */
  readonly memory?: MemoryHold | undefined;
  /** Bytes of the message as it came. @default not counted */
  readonly bytes?: number | undefined;
  /** The span of the message that brought it. It fails if the caller may not. @default what carries the message knows that itself */
  readonly span?: RequestSpan | undefined;
  /** What is different if not the client makes the request. @default nothing */
  readonly hosting?: (Hosting & Pick<RequestParts, 'inputRequesters'>) | undefined;
}

/** A request on its way to its method. */
export class Call {
  /** What the caller may do; absent if nothing restricts callers. */
  authorization: Authorization | undefined;
  /** Why it is refused, together with the other requests of its batch. */
  refusal: AuthError | undefined;
  /** Why it alone of its batch is not answered by its method. */
  failure: unknown;
  /** Whether it was admitted together with the other requests of its batch. */
  isAdmitted = false;
  /** Absent if nobody observes it. */
  operation: CallObservation | undefined;

  constructor(
    readonly request: JsonRpcRequest,
    readonly arrival: Arrival,
    readonly context: RequestContext,
    /** Absent if the revision of the peer has none of that name. */
    readonly method: McpMethod | undefined,
  ) {}

  /** The session that an `initialize` request has opened. */
  get openedSession(): Session | undefined {
    const { peer } = this.arrival;
    return this.request.method === 'initialize' && peer instanceof HandshakePeer ? peer.opened : undefined;
  }
}

/** The facts about the way a notification came. */
export interface NotificationCarriage extends RequestSource {
  readonly authentication?: Authentication | undefined;
}

/** A notification of a client, as it is observed. */
export interface ObservedNotification {
  readonly notification: JsonRpcNotification;
  readonly peer: Peer;
  readonly carriage: NotificationCarriage;
  /** The trace that it is recorded in. */
  traceId?: string | undefined;
}

/** Takes a notification. Its promise, if there is one, gives why the notification does not count, or nothing. */
export type HandleNotification = () => Promise<McpError | undefined | void> | undefined;

/** The decision on requests that run together or not at all; `later` if it depends on later steps. */
export type AuthorizationDecision = AuthError | 'later' | undefined;

/**
 * A step that requests pass on their way to the method. It has those of the functions that it needs; `steps.ts` has the
 * order, in which each function is called for all steps before the next function is.
 */
export interface Step {
  /** Whether requests pass it as things are. It is read again after {@link watch} has called its listener. @default true */
  readonly isWanted?: boolean;
  /** Whether {@link admit} asks the application, which is asked for one call of a batch after the other. @default false */
  readonly asksApplication?: boolean;
  /** Has a listener called whenever {@link isWanted} may have changed. */
  watch?(listener: () => void): void;
  /** Refuses every request from now on, if that is what the step does. */
  close?(): void;

  /** Replaces a request by the one that is meant. */
  rewrite?(request: JsonRpcRequest): JsonRpcRequest;
  /** Completes a call before anything is decided about it. */
  open?(call: Call): void;
  /** Begins to observe a call. Required for {@link end} and {@link observeNotification}. */
  begin?(observation: CallObservation): void;
  /** Refuses a call at once, before it counts as running. Such a step has no {@link admit}. */
  refuse?(call: Call): AuthError | McpError | undefined;
  /** Decides on calls that run together or not at all, for example a batch; one call is a batch of one. */
  authorize?(calls: readonly Call[]): AuthorizationDecision;
  /**
   * Admits a running call to its method. What it throws is the answer of that call alone.
   *
   * @returns nothing if there is nothing to wait for
   */
  admit?(call: Call): Promise<void> | undefined;
  /** Ends the observation of a call. Returns the answer that may be sent. */
  end?(
    observation: CallObservation,
    response: OutboundResponse | undefined,
  ): OutboundResponse | undefined | Promise<OutboundResponse | undefined>;
  /** Observes a notification while it is taken. */
  observeNotification?(
    notice: ObservedNotification,
    take: HandleNotification,
  ): ReturnType<HandleNotification>;
}

/** A call as telemetry and the audit observe it, whichever of them there is. */
export class CallObservation implements CallOperation {
  /** Absent if there is no telemetry. */
  followed: ObservedCall | undefined;
  /** Absent if nobody audits. */
  audited: AuditedCall | undefined;
  /** Why the request was refused, if it was. */
  refusal: RefusalReason | undefined;
  /** Whether its answer was reported. */
  hasEnded = false;
  /** Whether its answer lasts until its client hangs up, or the server ends. */
  isListening = false;
  /** The id that the caller got with an internal error. */
  incident: string | undefined;

  constructor(
    readonly call: Call,
    /** Those that have begun to observe it, and have to end. */
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

  /** Notes that the request was refused. */
  refuse(error: McpError): void {
    this.refusal = error instanceof AuditError ? 'audit_unavailable' : selectReasonOfError(error);
  }

  /** Notes that the request was refused, if its answer shows that. */
  noteResponse(response: OutboundResponse | undefined): void {
    this.refusal ??= findRefusal(response);
  }

  follow<Answer>(request: ClientRequest, send: SendQuestion<Answer>): Promise<Answer> {
    const { followed, audited } = this;
    const ask = (): Promise<Answer> =>
      followed === undefined ? send(request, () => undefined) : followed.recordInputRequest(request, send);
    return audited === undefined ? ask() : audited.recordInputRequest(request, ask);
  }

  note(request: ClientRequest): ClientRequest {
    this.audited?.recordPendingInputRequest(request);
    return this.followed?.recordPendingInputRequest(request) ?? request;
  }

  noteAnswer(brought: BroughtAnswer): void {
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
    const kept = this.audited?.recordListening();
    return kept && assertKept(kept);
  }
}

const REFUSING: ReadonlySet<number> = new Set([413, 429, 503]);

/** Says why a request was refused, if its answer shows it: by what its token allows, or for want of room. */
function findRefusal(response: OutboundResponse | undefined): RefusalReason | undefined {
  if (response instanceof ChallengingResponse) {
    return response.httpStatus === 403 ? 'insufficient_scope' : 'unauthorized';
  }
  if (!(response instanceof OutboundError)) return undefined;
  const { httpStatus, error } = response;
  // If a limit is met, a stream may have begun.
  const isRefused = REFUSING.has(httpStatus) || error.code === ErrorCode.RateLimited;
  return isRefused ? selectRefusalReason(httpStatus, error.code) : undefined;
}

async function assertKept(kept: Promise<McpError | undefined>): Promise<void> {
  const failure = await kept;
  if (failure !== undefined) throw failure;
}
