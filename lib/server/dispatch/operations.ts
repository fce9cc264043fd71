import { Inject, Injectable, Optional } from '@nestjs/common';
import { ErrorCode } from '../../core/protocol/error-codes.js';
import type {
  JsonRpcErrorObject,
  JsonRpcNotification,
  JsonRpcRequest,
  Params,
} from '../../core/protocol/json-rpc.js';
import { McpError } from '../../core/protocol/mcp.error.js';
import {
  ChallengingResponse,
  OutboundError,
  OutboundResult,
  SerializedResult,
  type OutboundResponse,
} from '../../core/protocol/outbound-message.js';
import { Attribute } from '../../core/telemetry/attribute-names.js';
import { findTarget } from '../../core/telemetry/operation-facts.js';
import type { Later } from '../../core/telemetry/operation.js';
import {
  CANCELLED,
  judgeOwnError,
  judgeResult,
  SUCCESS,
  type Outcome,
} from '../../core/telemetry/outcome.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { AuditError } from '../audit/audit.error.js';
import { AuditedCall, type AuditedAnswer } from '../audit/audited-call.js';
import { PromptRegistry, ToolRegistry } from '../catalogue/registries.js';
import type { Authentication } from '../context/authentication.interface.js';
import type { Peer, ReplyChannel } from '../context/peer.interface.js';
import { selectTransport } from '../context/select-transport.js';
import { SessionRegistry } from '../sessions/session-registry.js';
import { REQUEST_TRACING, SERVER_TELEMETRY } from '../settings/mcp.constants.js';
import type { FollowedCall } from '../telemetry/followed-call.js';
import type { KnownNames } from '../telemetry/known-names.interface.js';
import type { ServedMessage } from '../telemetry/message-facts.js';
import type { Carriage } from '../telemetry/network.js';
import { Own } from '../telemetry/own-instruments.js';
import { selectRefusalReason, type RefusalReason } from '../telemetry/refusal-reason.js';
import type { RequestTracing } from '../telemetry/request-tracing.js';
import type { ServerTelemetry } from '../telemetry/server-telemetry.js';
import type { FollowedRequest, OpeningPeer } from './followed-request.interface.js';
import { IncomingNotifications } from './incoming-notifications.js';
import { MethodTable } from './method-table.js';
import { WatchedCall } from './watched-call.js';

const REFUSING: ReadonlySet<number> = new Set([413, 429, 503]);

/**
 * Judges what a request was answered with, as telemetry tells it.
 *
 * @param isListening whether the client hangs up to end it, as with a stream
 * @param incident the id of an unexpected error. What a developer is shown behind it is for no span
 */
function judgeResponse(
  response: OutboundResponse | undefined,
  isListening = false,
  incident?: string,
): Outcome {
  if (response === undefined) return isListening ? SUCCESS : CANCELLED;
  if (response instanceof ChallengingResponse) return judgeResponse(response.response, isListening, incident);
  if (response instanceof OutboundError) return judgeOwnError(hideMessage(response.error, incident));
  return response.result instanceof SerializedResult ? SUCCESS : judgeResult(response.result);
}

function hideMessage(error: JsonRpcErrorObject, incident: string | undefined): JsonRpcErrorObject {
  if (incident === undefined) return error;
  const { message } = McpError.internal(incident);
  return error.message.startsWith(message) ? { ...error, message } : error;
}

/** Finds the result that a request was answered with. */
function findResult(response: OutboundResponse | undefined): unknown {
  return response !== undefined && 'result' in response ? response.result : undefined;
}

/** Says why a request was refused, if it was: by what its token allows, or for want of room. */
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

/** The facts about a notification. */
export interface NotificationCarriage extends Carriage {
  readonly authentication?: Authentication | undefined;
}

/** A notification as it is followed. */
export interface FollowedNotification {
  readonly notification: JsonRpcNotification;
  readonly peer: Peer;
  readonly carriage: NotificationCarriage;
}

/** Has telemetry and the audit follow what is dispatched, if there is any of them. */
@Injectable()
export class Operations implements KnownNames {
  constructor(
    @Inject(SERVER_TELEMETRY) private readonly telemetry: ServerTelemetry | undefined,
    private readonly methods: MethodTable,
    private readonly tools: ToolRegistry,
    private readonly prompts: PromptRegistry,
    private readonly notifications: IncomingNotifications,
    private readonly audit: AuditTrail,
    private readonly sessions: SessionRegistry,
    @Optional() @Inject(REQUEST_TRACING) tracing?: RequestTracing,
  ) {
    for (const part of [telemetry, tracing]) if (part !== undefined) part.known = this;
  }

  hasMethod(method: string): boolean {
    return this.methods.has(method) || this.notifications.has(method);
  }

  hasTarget(method: string, params: Params | undefined): boolean {
    const target = findTarget({ method, params });
    if (target?.attribute === Attribute.tool) return this.tools.find(target.name) !== undefined;
    return target?.attribute !== Attribute.prompt || this.prompts.find(target.name) !== undefined;
  }

  /** Whether anybody follows them. */
  get areFollowed(): boolean {
    return this.telemetry !== undefined || this.audit.isWanted;
  }

  /** Begins to follow a request. */
  begin(request: FollowedRequest): WatchedCall {
    const spans = this.telemetry && this.#start(this.telemetry, request);
    const audited = this.audit.isWanted ? this.#audit(request, spans) : undefined;
    return new WatchedCall(request, spans, audited);
  }

  /** Ends a request, once, with its answer. If a record of it must be kept, gives the answer that may be sent. */
  end(
    call: WatchedCall,
    response: OutboundResponse | undefined,
  ): OutboundResponse | undefined | Promise<OutboundResponse | undefined> {
    if (call.hasEnded) return response;
    call.hasEnded = true;
    const refusal = call.refusal ?? findRefusal(response);
    const kept = call.audited?.end(this.#describeAnswer(call, response, refusal));
    if (kept === undefined) return this.#finish(call, response, refusal);
    return kept.then((failure) => {
      if (failure === undefined || response === undefined) return this.#finish(call, response, refusal);
      const { request } = call;
      const opened = findOpened(request);
      if (opened !== undefined) void this.sessions.end(opened, 'Its handshake could not be audited');
      const withheld = withhold(request.request, response, failure);
      return this.#finish(call, withheld, refusal ?? 'audit_unavailable');
    });
  }

  /**
   * Follows a notification while it is taken.
   *
   * @param take gives what the client's answer must wait for, if there is anything
   * @returns why it does not count, if it has to be audited
   */
  followNotification(
    { notification, peer, carriage }: FollowedNotification,
    take: () => Promise<void> | undefined,
  ): Promise<McpError | undefined> | undefined {
    const spans = this.telemetry?.startMessage(this.#describe(notification, peer), carriage);
    const isAudited = this.audit.isWanted && this.notifications.has(notification.method);
    const audited = isAudited ? this.#auditNotification({ notification, peer, carriage }, spans) : undefined;
    const fault = audited?.admit();
    let taken: Promise<void> | undefined;
    if (fault === undefined) taken = spans === undefined ? take() : spans.run(take);
    spans?.end(SUCCESS);
    const kept = audited?.end({
      outcome: fault === undefined ? 'ok' : 'refused',
      refusal: fault && 'audit_unavailable',
      request: notification,
      version: peer.revision.version,
    });
    return taken === undefined ? kept : Promise.all([kept, taken]).then(([failure]) => failure);
  }

  #describeAnswer(
    { request: followed }: WatchedCall,
    response: OutboundResponse | undefined,
    refusal: RefusalReason | undefined,
  ): AuditedAnswer {
    const { request, peer, auth, bytes } = followed;
    return {
      response,
      refusal,
      usedScopes: auth?.requiredScopes,
      request,
      requestBytes: bytes,
      opened: findOpened(followed),
      version: peer.revision.version,
    };
  }

  #finish(
    { followed: spans, isListening, incident, request: { request, peer } }: WatchedCall,
    response: OutboundResponse | undefined,
    refusal: RefusalReason | undefined,
  ): OutboundResponse | undefined {
    const { telemetry } = this;
    if (spans === undefined || telemetry === undefined) return response;
    if (refusal !== undefined) {
      telemetry.countRefusal(refusal);
      spans.set(Own.refusalReason, refusal);
    }
    const later = request.method === 'initialize' ? describeOpened(telemetry, peer) : undefined;
    spans.end(judgeResponse(response, isListening, incident), later, () => findResult(response));
    return response;
  }

  #start(telemetry: ServerTelemetry, { request, channel, peer, hosting }: FollowedRequest): FollowedCall {
    const message = this.#describe(request, peer);
    if (hosting === undefined) return telemetry.startMessage(message, channel);
    const { task, cause } = hosting;
    const { spanContext, carried } = cause ?? {};
    return telemetry.startHosted(message, {
      taskId: task?.id,
      ...(spanContext === undefined ? { carried } : { cause: spanContext }),
    });
  }

  #audit(
    { request, channel, peer, auth, hosting }: FollowedRequest,
    spans: FollowedCall | undefined,
  ): AuditedCall {
    const task = hosting?.task?.id ?? request.params?.['taskId'];
    return new AuditedCall(this.audit, {
      type: hosting?.task === undefined ? 'request' : 'task',
      carriage: channel,
      transport: hosting === undefined ? selectTransport(channel) : hosting.transport,
      sender: auth?.authentication ?? findSender(channel),
      session: peer.session?.fingerprint,
      version: peer.revision.version,
      method: request.method,
      params: request.params,
      // The id of a hosted call is none of the wire's.
      requestId: hosting === undefined ? request.id : undefined,
      task: typeof task === 'string' ? task : undefined,
      traceId: spans?.spanContext?.traceId,
    });
  }

  #auditNotification(
    { notification, peer, carriage }: FollowedNotification,
    spans: FollowedCall | undefined,
  ): AuditedCall {
    const { method, params } = notification;
    const id = params?.['requestId'];
    return new AuditedCall(this.audit, {
      type: 'notification',
      carriage,
      transport: selectTransport(carriage),
      sender: carriage.authentication,
      session: peer.session?.fingerprint,
      version: peer.revision.version,
      method,
      params,
      requestId: typeof id === 'string' || typeof id === 'number' ? id : undefined,
      traceId: spans?.spanContext?.traceId,
    });
  }

  #describe(message: JsonRpcRequest | JsonRpcNotification, peer: Peer): ServedMessage {
    const { method, params } = message;
    return {
      method,
      params,
      id: 'id' in message ? message.id : undefined,
      version: peer.revision.version,
      session: peer.session,
      hasKnownMethod: this.hasMethod(method),
      hasKnownTarget: this.hasTarget(method, params),
    };
  }
}

/** Answers with the reason why the result is withheld. The subscriber that should store it may have left meanwhile. */
function withhold({ id }: JsonRpcRequest, response: OutboundResponse, failure: McpError): OutboundError {
  const error = response instanceof OutboundResult ? AuditError.unkept() : failure;
  return new OutboundError(id, error.toJSON(), error.httpStatus ?? 500);
}

/** Names the caller of a request that is refused together with others. */
function findSender({ http }: ReplyChannel): Authentication | undefined {
  return (http as { readonly authentication?: Authentication | undefined } | undefined)?.authentication;
}

/** Finds the session that a handshake has opened. */
function findOpened({ request, peer }: FollowedRequest): OpeningPeer['opened'] {
  return request.method === 'initialize' ? peer.opened : undefined;
}

/** What a handshake has settled. */
function describeOpened(telemetry: ServerTelemetry, { opened, revision }: OpeningPeer): Later {
  return { version: revision.version, session: telemetry.nameSession(opened) };
}
