import { Inject, Injectable, Optional } from '@nestjs/common';
import { AuthError } from '../../core/oauth/auth.error.js';
import { sealResult } from '../../core/protocol/encoding/encode-result.js';
import { ErrorCode } from '../../core/protocol/error-codes.js';
import type { JsonRpcNotification, JsonRpcRequest } from '../../core/protocol/json-rpc.js';
import { McpError } from '../../core/protocol/mcp.error.js';
import {
  OutboundResult,
  SerializedResult,
  type OutboundResponse,
} from '../../core/protocol/outbound-message.js';
import { ForwardedCalls } from '../catalogue/search/forwarded-calls.js';
import { HiddenEntries } from '../catalogue/visibility/hidden-entries.js';
import { AskerFactory } from '../asking/asker-factory.js';
import type { InterruptListener } from '../context/interruption.interface.js';
import type { Peer, ReplyChannel } from '../context/peer.interface.js';
import { RequestAuth } from '../context/request-auth.js';
import { RequestContext } from '../context/request-context.js';
import type { StateSource } from '../context/state-source.interface.js';
import { BoundedResult } from '../methods/results/bounded-result.js';
import type { McpMethod, MethodResult } from '../methods/mcp-method.interface.js';
import type { RequestTracker } from '../sessions/in-flight-requests.js';
import { CallerStates } from '../state/caller-states.js';
import { SERVER_SETTINGS } from '../settings/mcp.constants.js';
import type { ServerSettings } from '../settings/server-settings.js';
import { buildAdmittedMethod } from './admitted-method.js';
import { forgetHeaders, type Arrival } from './arrival.js';
import { assertConciseMeta } from './assert-concise-meta.js';
import { FailureMapper } from './failure-mapper.js';
import { challenge, respondWithError, serialize } from './build-response.js';
import { IncomingNotifications } from './incoming-notifications.js';
import { MethodTable } from './method-table.js';
import { Operations, type NotificationCarriage } from './operations.js';
import { logShortage } from '../log/log-shortage.js';
import { WatchedCall } from './watched-call.js';

/** Takes a request from its peer to its method, and what comes of it back. */
@Injectable()
export class Dispatcher {
  #isClosed = false;

  constructor(
    private readonly methods: MethodTable,
    private readonly failures: FailureMapper,
    private readonly notifications: IncomingNotifications,
    private readonly askers: AskerFactory,
    @Inject(SERVER_SETTINGS) private readonly settings: ServerSettings,
    private readonly hidden: HiddenEntries,
    private readonly operations: Operations,
    private readonly forwarded: ForwardedCalls = new ForwardedCalls(),
    @Optional() @Inject(CallerStates) private readonly states?: StateSource,
  ) {}

  /** Answers a request; a request that is cancelled has no answer. It never rejects. */
  dispatch(
    received: JsonRpcRequest,
    channel: ReplyChannel,
    arrived: Arrival,
  ): Promise<OutboundResponse | undefined> {
    const request = this.forwarded.open(received);
    const arrival = request === received ? arrived : forgetHeaders(arrived);
    return this.operations.areFollowed
      ? this.#follow(request, channel, arrival)
      : this.#dispatch(request, channel, arrival);
  }

  /** Refuses every request from now on; those that run are not touched. */
  close(): void {
    this.#isClosed = true;
  }

  /** Handles a notification. Its promise settles once other processes know, and gives why it does not count if events are required. */
  dispatchNotification(
    notification: JsonRpcNotification,
    peer: Peer,
    inFlight: RequestTracker,
    carriage: NotificationCarriage = {},
  ): Promise<McpError | undefined> | undefined {
    const take = () => this.notifications.handle(notification, peer, inFlight);
    return this.operations.followNotification({ notification, peer, carriage }, take);
  }

  #follow(
    request: JsonRpcRequest,
    channel: ReplyChannel,
    arrival: Arrival,
  ): Promise<OutboundResponse | undefined> {
    const { peer, auth, bytes, hosting } = arrival;
    const operation = this.operations.begin({ request, channel, peer, auth, bytes, hosting });
    return operation.run(() => this.#dispatch(request, channel, arrival, operation));
  }

  #dispatch(
    request: JsonRpcRequest,
    channel: ReplyChannel,
    arrival: Arrival,
    operation?: WatchedCall,
  ): Promise<OutboundResponse | undefined> {
    const { peer, inFlight, auth, refusal, memory, hosting } = arrival;
    const { states } = this;
    const askers = hosting?.askers ?? this.askers;
    const parts = { peer, channel, auth, memory, askers, states, hosting, operation };
    const context = new RequestContext(request, parts);
    if (auth instanceof RequestAuth) auth.belongTo(context);
    const method = this.methods.find(request.method, peer.revision);
    if (method === undefined) {
      const { methodNotFoundStatus } = peer.revision;
      const unknown = McpError.methodNotFound(request.method, methodNotFoundStatus);
      return this.#answerAtOnce(context, respondWithError(context, unknown));
    }
    const isHidable = this.#isHidable(context, arrival);
    if (refusal !== undefined && !isHidable) {
      return this.#answerAtOnce(context, this.#answerFailure(method, context, refusal));
    }
    const fault = this.#findFault(context, inFlight) ?? operation?.audited?.admit();
    if (fault !== undefined) {
      operation?.refuse(fault);
      return this.#answerAtOnce(context, respondWithError(context, fault));
    }
    inFlight.add(context);
    channel.begin?.(context);
    const isAdmitted = !isHidable && arrival.weigh === undefined && arrival.counted === undefined;
    return this.#run(isAdmitted ? method : this.#admit(method, arrival, isHidable), context, inFlight);
  }

  /** Whether the existence of the requested entry depends on the caller. A missing token is demanded in any case. */
  #isHidable({ method }: RequestContext, { refusal, reconsider, hosting }: Arrival): boolean {
    if (hosting !== undefined || !this.hidden.concern(method)) return false;
    return refusal === undefined || (reconsider !== undefined && refusal.code !== 401);
  }

  #admit(method: McpMethod, verdict: Arrival, isHidable: boolean): McpMethod {
    const { callTimeoutMs: timeoutMs } = this.settings;
    const { counted } = verdict;
    return buildAdmittedMethod(method, {
      verdict,
      counted,
      timeoutMs,
      hidden: isHidable ? this.hidden : undefined,
    });
  }

  #findFault({ id }: RequestContext, inFlight: RequestTracker): McpError | undefined {
    if (this.#isClosed) return McpError.shuttingDown(503);
    if (inFlight.has(id)) return McpError.invalidRequest('"id" is that of a running request');
    if (inFlight.size < this.settings.limits.requestsInFlight) return undefined;
    return new McpError(
      ErrorCode.InternalError,
      'There are too many requests at once: wait for answers first',
    );
  }

  async #answerAtOnce(
    context: RequestContext,
    response: OutboundResponse,
  ): Promise<OutboundResponse | undefined> {
    return this.#conclude(context, response);
  }

  /** Tells the request's observers its answer. Returns the answer that may then be sent. */
  #conclude(
    { operation }: RequestContext,
    response: OutboundResponse | undefined,
  ): OutboundResponse | undefined | Promise<OutboundResponse | undefined> {
    return operation instanceof WatchedCall ? this.operations.end(operation, response) : response;
  }

  /** Settles with the method's answer, or sooner if the request is cancelled or fails. */
  #run(
    method: McpMethod,
    context: RequestContext,
    inFlight: RequestTracker,
  ): Promise<OutboundResponse | undefined> {
    return new Promise((resolve, reject) => {
      const conclude = (response: OutboundResponse | undefined): void => {
        inFlight.remove(context);
        try {
          resolve(this.#conclude(context, response));
        } catch (error) {
          reject(error);
        }
      };
      if (context.isSettled) return conclude(undefined);
      // Named first: V8 puts a function literal that is assigned to a property among the old objects at once. There it keeps
      // everything that the request made alive until a full collection.
      const interrupt: InterruptListener = ({ failure, result }) => {
        if (result !== undefined) conclude(this.#respond(context, result));
        else conclude(failure && this.#answerFailure(method, context, failure));
      };
      context.onInterrupt = interrupt;
      void this.#answer(method, context, conclude);
    });
  }

  /** Runs a method to its end. Its result after an interruption is ignored. */
  async #answer(
    method: McpMethod,
    context: RequestContext,
    conclude: (response: OutboundResponse | undefined) => void,
  ): Promise<void> {
    let response: OutboundResponse | undefined;
    try {
      assertConciseMeta(context);
      context.assertRound();
      response = this.#respond(context, await method.handle(context));
    } catch (failure) {
      response = context.isSettled ? undefined : this.#answerFailure(method, context, failure);
    }
    context.settle();
    conclude(response);
  }

  #respond(context: RequestContext, result: MethodResult): OutboundResponse {
    if (result instanceof BoundedResult) {
      const response = this.#respond(context, result.result);
      const shorter = result.shortenFor(response.json);
      return shorter === undefined ? response : this.#respond(context, shorter);
    }
    const { revision } = context;
    const sealed =
      result instanceof SerializedResult ? result : sealResult(result, revision, this.settings.serverInfo);
    return serialize(new OutboundResult(context.id, sealed));
  }

  #answerFailure(method: McpMethod, context: RequestContext, failure: unknown): OutboundResponse {
    context.operation?.noteFailure(failure);
    try {
      const mapped =
        method.failsAsResult === true
          ? this.failures.mapToolFailure(failure, context)
          : this.failures.mapFailure(failure, context);
      const response =
        'error' in mapped ? respondWithError(context, mapped.error) : this.#respond(context, mapped.result);
      if (!(failure instanceof AuthError)) return response;
      logShortage(failure, context);
      return challenge(response, failure);
    } catch {
      // The error throws again when it is read. The request still gets an answer.
      return respondWithError(context, this.failures.mapUnreadable(failure, context));
    }
  }
}
