import type {
  JsonRpcErrorObject,
  JsonRpcNotification,
  JsonRpcRequest,
  Params,
} from '../../../core/protocol/json-rpc.js';
import { McpError } from '../../../core/protocol/mcp.error.js';
import {
  ChallengingResponse,
  OutboundError,
  OutboundResult,
  SerializedResult,
  type OutboundResponse,
} from '../../../core/protocol/outbound-message.js';
import { Attribute } from '../../../core/telemetry/attribute-names.js';
import { findTarget } from '../../../core/telemetry/operation-facts.js';
import type { Later } from '../../../core/telemetry/operation.js';
import {
  CANCELLED,
  judgeOwnError,
  judgeResult,
  SUCCESS,
  type Outcome,
} from '../../../core/telemetry/outcome.js';
import { AuditError, type AuditTrail } from '../../audit/audit-trail.js';
import { AuditedCall } from '../../audit/audited-call.js';
import type { PromptRegistry, ToolRegistry } from '../../catalog/registries.js';
import type { Authentication } from '../../context/authentication.interface.js';
import type { Peer, ReplyChannel } from '../../context/peer.interface.js';
import { selectTransport } from '../../context/select-transport.js';
import { HandshakePeer } from '../../sessions/handshake-peer.js';
import type { SessionRegistry } from '../../sessions/session-registry.js';
import type { Session } from '../../sessions/session.js';
import type { ObservedCall } from '../../telemetry/observed-call.js';
import type { KnownNames, ServedMessage } from '../../telemetry/message-facts.js';
import { TelemetryName } from '../../telemetry/instruments.js';
import type { RequestTracing } from '../../telemetry/request-tracing.js';
import type { ServerTelemetry } from '../../telemetry/server-telemetry.js';
import type { IncomingNotifications } from '../incoming-notifications.js';
import type { MethodTable } from '../method-table.js';
import type { Call, CallObservation, Notice, Step, TakeNotice } from '../step.js';

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

/** Records each request and notification as an operation: its span, its duration and why it was refused. */
export class Telemetry implements Step, KnownNames {
  constructor(
    private readonly telemetry: ServerTelemetry | undefined,
    private readonly methods: MethodTable,
    private readonly tools: ToolRegistry,
    private readonly prompts: PromptRegistry,
    private readonly notifications: IncomingNotifications,
    tracing?: RequestTracing,
  ) {
    for (const part of [telemetry, tracing]) if (part !== undefined) part.known = this;
  }

  get isWanted(): boolean {
    return this.telemetry !== undefined;
  }

  hasMethod(method: string): boolean {
    return this.methods.has(method) || this.notifications.has(method);
  }

  hasTarget(method: string, params: Params | undefined): boolean {
    const target = findTarget({ method, params });
    if (target?.attribute === Attribute.tool) return this.tools.find(target.name) !== undefined;
    return target?.attribute !== Attribute.prompt || this.prompts.find(target.name) !== undefined;
  }

  begin(observation: CallObservation): void {
    observation.followed = this.telemetry && this.#start(this.telemetry, observation.call);
  }

  end(
    { call, followed, refusal, isListening, incident }: CallObservation,
    response: OutboundResponse | undefined,
  ): OutboundResponse | undefined {
    const { telemetry } = this;
    if (followed === undefined || telemetry === undefined) return response;
    if (refusal !== undefined) {
      telemetry.countRefusal(refusal);
      followed.set(TelemetryName.refusalReason, refusal);
    }
    const later = call.request.method === 'initialize' ? describeOpened(telemetry, call) : undefined;
    followed.end(judgeResponse(response, isListening, incident), later, () => findResult(response));
    return response;
  }

  observeNotice(notice: Notice, take: TakeNotice): ReturnType<TakeNotice> {
    const { notification, peer, carriage } = notice;
    const spans = this.telemetry?.startMessage(this.#describe(notification, peer), carriage);
    if (spans === undefined) return take();
    notice.traceId = spans.spanContext?.traceId;
    const taken = spans.run(take);
    spans.end(SUCCESS);
    return taken;
  }

  #start(telemetry: ServerTelemetry, { request, arrival: { peer, channel, hosting } }: Call): ObservedCall {
    const message = this.#describe(request, peer);
    if (hosting === undefined) return telemetry.startMessage(message, channel);
    const { task, cause } = hosting;
    const { spanContext, carried } = cause ?? {};
    return telemetry.startHosted(message, {
      taskId: task?.id,
      ...(spanContext === undefined ? { carried } : { cause: spanContext }),
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

/** Tells the audit of each request and notification. If events are required, nothing runs whose event cannot be stored. */
export class Audit implements Step {
  constructor(
    private readonly trail: AuditTrail,
    private readonly notifications: IncomingNotifications,
    private readonly sessions: SessionRegistry,
  ) {}

  get isWanted(): boolean {
    return this.trail.isEnabled;
  }

  watch(listener: () => void): void {
    this.trail.watch(listener);
  }

  begin(observation: CallObservation): void {
    const { request, context, arrival } = observation.call;
    const { peer, channel, hosting } = arrival;
    const task = hosting?.task?.id ?? request.params?.['taskId'];
    observation.audited = new AuditedCall(this.trail, {
      type: hosting?.task === undefined ? 'request' : 'task',
      source: channel,
      transport: hosting === undefined ? selectTransport(channel) : hosting.transport,
      caller: context.auth.authentication ?? findSender(channel),
      session: peer.session?.fingerprint,
      version: peer.revision.version,
      method: request.method,
      params: request.params,
      // The id of a hosted call is none of the wire's.
      requestId: hosting === undefined ? request.id : undefined,
      task: typeof task === 'string' ? task : undefined,
      traceId: observation.spanContext?.traceId,
    });
  }

  refuse({ operation }: Call): McpError | undefined {
    return operation?.audited?.reserve();
  }

  end(
    observation: CallObservation,
    response: OutboundResponse | undefined,
  ): OutboundResponse | undefined | Promise<OutboundResponse | undefined> {
    const { audited, call, refusal } = observation;
    const { request, context, arrival } = call;
    const opened = findOpened(call);
    const kept = audited?.end({
      response,
      refusal,
      usedScopes: call.refusal === undefined ? context.auth.requiredScopes : undefined,
      request,
      requestBytes: arrival.bytes,
      opened,
      version: arrival.peer.revision.version,
    });
    return kept === undefined
      ? response
      : kept.then((failure) => {
          if (failure === undefined || response === undefined) return response;
          if (opened !== undefined) void this.sessions.end(opened, 'Its handshake could not be audited');
          observation.refusal ??= 'audit_unavailable';
          return withhold(request, response, failure);
        });
  }

  observeNotice(notice: Notice, take: TakeNotice): ReturnType<TakeNotice> {
    const { notification, peer } = notice;
    if (!this.notifications.has(notification.method)) return take();
    const audited = this.#audit(notice);
    const fault = audited.reserve();
    const taken = fault === undefined ? take() : undefined;
    const kept = audited.end({
      outcome: fault === undefined ? 'ok' : 'refused',
      refusal: fault && 'audit_unavailable',
      request: notification,
      version: peer.revision.version,
    });
    return taken === undefined ? kept : Promise.all([kept, taken]).then(([failure]) => failure);
  }

  #audit({ notification: { method, params }, peer, carriage, traceId }: Notice): AuditedCall {
    const id = params?.['requestId'];
    return new AuditedCall(this.trail, {
      type: 'notification',
      source: carriage,
      transport: selectTransport(carriage),
      caller: carriage.authentication,
      session: peer.session?.fingerprint,
      version: peer.revision.version,
      method,
      params,
      requestId: typeof id === 'string' || typeof id === 'number' ? id : undefined,
      traceId,
    });
  }
}

/** Answers with the reason why the result is withheld. The subscriber that should store it may have left meanwhile. */
function withhold({ id }: JsonRpcRequest, response: OutboundResponse, failure: McpError): OutboundError {
  const error = response instanceof OutboundResult ? AuditError.notStored() : failure;
  return new OutboundError(id, error.toJSON(), error.httpStatus ?? 500);
}

/** Names the caller of a request that is refused together with others. */
function findSender({ http }: ReplyChannel): Authentication | undefined {
  return (http as { readonly authentication?: Authentication | undefined } | undefined)?.authentication;
}

/** Finds the session that a handshake has opened. */
function findOpened({ request, arrival: { peer } }: Call): Session | undefined {
  return request.method === 'initialize' && peer instanceof HandshakePeer ? peer.opened : undefined;
}

/** What a handshake has settled. */
function describeOpened(telemetry: ServerTelemetry, call: Call): Later {
  const { version } = call.arrival.peer.revision;
  return { version, session: telemetry.nameSession(findOpened(call)) };
}
