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
  SerializedResult,
  type OutboundResponse,
} from '../../../core/protocol/outbound-message.js';
import { Attribute, findTarget } from '../../../core/telemetry/operation-facts.js';
import type { LateFacts } from '../../../core/telemetry/telemetry.js';
import {
  CANCELLED,
  judgeOwnError,
  judgeResult,
  SUCCESS,
  type Outcome,
} from '../../../core/telemetry/outcome.js';
import type { PromptRegistry, ToolRegistry } from '../../catalog/registries.js';
import type { Peer } from '../../context/peer.interface.js';
import type { ObservedCall } from '../../telemetry/observed-call.js';
import type { KnownNames, ServedMessage } from '../../telemetry/message-facts.js';
import { TelemetryName } from '../../telemetry/instruments.js';
import type { RequestTracing } from '../../telemetry/request-tracing.js';
import type { ServerTelemetry } from '../../telemetry/server-telemetry.js';
import type { IncomingNotifications } from '../incoming-notifications.js';
import type { MethodTable } from '../method-table.js';
import type { Call, CallObservation, ObservedNotification, Step, HandleNotification } from '../step.js';

/** Records each request and notification as an operation, with its span, its duration and why it was refused. */
export class TelemetryStep implements Step, KnownNames {
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
    followed.end(classifyResponse(response, isListening, incident), later, () => findResult(response));
    return response;
  }

  observeNotification(
    notice: ObservedNotification,
    take: HandleNotification,
  ): ReturnType<HandleNotification> {
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

/**
 * Classifies a response for telemetry.
 *
 * @param isListening whether the client ends it, as with a stream
 * @param incident the id of an unexpected error, whose developer message must not reach the span
 */
function classifyResponse(
  response: OutboundResponse | undefined,
  isListening = false,
  incident?: string,
): Outcome {
  if (response === undefined) return isListening ? SUCCESS : CANCELLED;
  if (response instanceof ChallengingResponse)
    return classifyResponse(response.response, isListening, incident);
  if (response instanceof OutboundError) return judgeOwnError(hideMessage(response.error, incident));
  return response.result instanceof SerializedResult ? SUCCESS : judgeResult(response.result);
}

function hideMessage(error: JsonRpcErrorObject, incident: string | undefined): JsonRpcErrorObject {
  if (incident === undefined) return error;
  const { message } = McpError.internal(incident);
  return error.message.startsWith(message) ? { ...error, message } : error;
}

/** Finds a response's result. */
function findResult(response: OutboundResponse | undefined): unknown {
  return response !== undefined && 'result' in response ? response.result : undefined;
}

/** Describes the session that an `initialize` request has opened. */
function describeOpened(telemetry: ServerTelemetry, call: Call): LateFacts {
  const { version } = call.arrival.peer.revision;
  return { version, session: telemetry.nameSession(call.openedSession) };
}
