import { Inject, Injectable } from '@nestjs/common';
import type { JsonRpcNotification, JsonRpcRequest } from '../../core/protocol/json-rpc.js';
import {
  ChallengingResponse,
  OutboundError,
  SerializedResult,
  type OutboundResponse,
} from '../../core/protocol/outbound-message.js';
import type { Later } from '../../core/telemetry/operation.js';
import {
  CANCELLED,
  judgeOwnError,
  judgeResult,
  SUCCESS,
  type Outcome,
} from '../../core/telemetry/outcome.js';
import { PromptRegistry, ToolRegistry } from '../catalogue/registries.js';
import type { Peer, ReplyChannel } from '../context/peer.interface.js';
import type { Hosting } from '../context/request-parts.interface.js';
import { SERVER_TELEMETRY } from '../settings/mcp.constants.js';
import type { FollowedCall } from '../telemetry/followed-call.js';
import type { Carriage } from '../telemetry/network.js';
import { Own } from '../telemetry/own-instruments.js';
import { selectRefusalReason, type RefusalReason } from '../telemetry/refusal-reason.js';
import type { NamedSession, ServedMessage, ServerTelemetry } from '../telemetry/server-telemetry.js';
import { IncomingNotifications } from './incoming-notifications.js';
import { MethodTable } from './method-table.js';

/** A request as it is followed. */
export interface FollowedRequest {
  readonly request: JsonRpcRequest;
  readonly channel: ReplyChannel;
  readonly peer: Peer;
  readonly hosting?: Hosting | undefined;
}

/** A notification as it is followed. */
export interface FollowedNotification {
  readonly notification: JsonRpcNotification;
  readonly peer: Peer;
  readonly carriage: Carriage;
}

/** Has telemetry follow what is dispatched, if there is any. */
@Injectable()
export class Operations {
  constructor(
    @Inject(SERVER_TELEMETRY) private readonly telemetry: ServerTelemetry | undefined,
    private readonly methods: MethodTable,
    private readonly tools: ToolRegistry,
    private readonly prompts: PromptRegistry,
    private readonly notifications: IncomingNotifications,
  ) {}

  /** Whether there is telemetry. */
  get areFollowed(): boolean {
    return this.telemetry !== undefined;
  }

  /** Follows a request until it is answered; without telemetry it is only dispatched. */
  follow(
    followed: FollowedRequest,
    dispatch: (call?: FollowedCall) => Promise<OutboundResponse | undefined>,
  ): Promise<OutboundResponse | undefined> {
    const { telemetry } = this;
    if (telemetry === undefined) return dispatch();
    const call = this.#start(telemetry, followed);
    return call
      .run(() => dispatch(call))
      .then((response) => {
        this.#end(telemetry, call, { response, followed });
        return response;
      });
  }

  /** Follows a notification while it is taken. */
  followNotification({ notification, peer, carriage }: FollowedNotification, take: () => void): void {
    if (this.telemetry === undefined) return take();
    const call = this.telemetry.startMessage(this.#describe(notification, peer), carriage);
    call.run(take);
    call.end(SUCCESS);
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

  #end(
    telemetry: ServerTelemetry,
    call: FollowedCall,
    { response, followed }: { response: OutboundResponse | undefined; followed: FollowedRequest },
  ): void {
    const reason = call.refusal ?? findReason(response);
    if (reason !== undefined) {
      telemetry.countRefusal(reason);
      call.set(Own.refusalReason, reason);
    }
    const { request, peer } = followed;
    const later = request.method === 'initialize' ? describeOpened(telemetry, peer) : undefined;
    call.end(judge(response), later, () => findResult(response));
  }

  #describe(message: JsonRpcRequest | JsonRpcNotification, peer: Peer): ServedMessage {
    const { method, params } = message;
    return {
      method,
      params,
      id: 'id' in message ? message.id : undefined,
      version: peer.revision.version,
      session: peer.session,
      hasKnownMethod: this.methods.has(method) || this.notifications.has(method),
      hasKnownTarget: this.#hasTarget(method, params?.['name']),
    };
  }

  #hasTarget(method: string, name: unknown): boolean {
    if (typeof name !== 'string') return true;
    if (method === 'tools/call') return this.tools.find(name) !== undefined;
    return method !== 'prompts/get' || this.prompts.find(name) !== undefined;
  }
}

/** What a handshake has settled. */
function describeOpened(
  telemetry: ServerTelemetry,
  { opened, revision }: Peer & { readonly opened?: NamedSession | undefined },
): Later {
  return { version: revision.version, session: telemetry.nameSession(opened) };
}

function judge(response: OutboundResponse | undefined): Outcome {
  if (response === undefined) return CANCELLED;
  if (response instanceof ChallengingResponse) return judge(response.response);
  if (response instanceof OutboundError) return judgeOwnError(response.error);
  return response.result instanceof SerializedResult ? SUCCESS : judgeResult(response.result);
}

function findResult(response: OutboundResponse | undefined): unknown {
  return response !== undefined && 'result' in response ? response.result : undefined;
}

/** Says why a request was refused, if it was: by what its token allows, or for want of room. */
function findReason(response: OutboundResponse | undefined): RefusalReason | undefined {
  if (response instanceof ChallengingResponse) {
    return response.httpStatus === 403 ? 'insufficient_scope' : 'unauthorized';
  }
  if (!(response instanceof OutboundError)) return undefined;
  const { httpStatus } = response;
  return REFUSING.has(httpStatus) ? selectRefusalReason(httpStatus, response.error.code) : undefined;
}

const REFUSING: ReadonlySet<number> = new Set([413, 429, 503]);
