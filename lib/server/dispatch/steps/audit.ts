import type { JsonRpcRequest } from '../../../core/protocol/json-rpc.js';
import { McpError } from '../../../core/protocol/mcp.error.js';
import {
  OutboundError,
  OutboundResult,
  type OutboundResponse,
} from '../../../core/protocol/outbound-message.js';
import { AuditError, type AuditTrail } from '../../audit/audit-trail.js';
import { AuditedCall } from '../../audit/audited-call.js';
import type { Authentication } from '../../context/authentication.js';
import type { ReplyChannel } from '../../context/peer.interface.js';
import { selectTransport } from '../../settings/transport-kind.js';
import type { SessionRegistry } from '../../sessions/session-registry.js';
import type { IncomingNotifications } from '../incoming-notifications.js';
import type { Call, CallObservation, ObservedNotification, Step, HandleNotification } from '../step.js';

/**
 * Records each request and notification in the audit. If events are required, a request runs only if its event can be
 * stored.
 */
export class AuditStep implements Step {
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
      // A hosted call's id is internal.
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
    const opened = call.openedSession;
    const stored = audited?.end({
      response,
      refusal,
      usedScopes: call.refusal === undefined ? context.auth.requiredScopes : undefined,
      request,
      requestBytes: arrival.bytes,
      opened,
      version: arrival.peer.revision.version,
    });
    return stored === undefined
      ? response
      : stored.then((failure) => {
          if (failure === undefined || response === undefined) return response;
          if (opened !== undefined) void this.sessions.end(opened, 'Its initialization could not be audited');
          observation.refusal ??= 'audit_unavailable';
          return withhold(request, response, failure);
        });
  }

  observeNotification(
    notice: ObservedNotification,
    take: HandleNotification,
  ): ReturnType<HandleNotification> {
    const { notification, peer } = notice;
    if (!this.notifications.has(notification.method)) return take();
    const audited = this.#audit(notice);
    const problem = audited.reserve();
    const taken = problem === undefined ? take() : undefined;
    const stored = audited.end({
      outcome: problem === undefined ? 'ok' : 'refused',
      refusal: problem && 'audit_unavailable',
      request: notification,
      version: peer.revision.version,
    });
    return taken === undefined ? stored : Promise.all([stored, taken]).then(([failure]) => failure);
  }

  #audit({ notification: { method, params }, peer, carriage, traceId }: ObservedNotification): AuditedCall {
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

/**
 * Builds the response that replaces a result whose event was not stored, for example because the subscriber
 * unsubscribed.
 */
function withhold({ id }: JsonRpcRequest, response: OutboundResponse, failure: McpError): OutboundError {
  const error = response instanceof OutboundResult ? AuditError.notStored() : failure;
  return new OutboundError(id, error.toJSON(), error.httpStatus ?? 500);
}

/** Finds the caller of a request that is rejected together with its batch. */
function findSender({ http }: ReplyChannel): Authentication | undefined {
  return (http as { readonly authentication?: Authentication | undefined } | undefined)?.authentication;
}
