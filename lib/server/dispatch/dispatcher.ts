import { Inject, Injectable, Optional } from '@nestjs/common';
import { AuthError } from '../../core/oauth/auth.error.js';
import { findShortage } from '../../core/oauth/scope-shortage.js';
import { sealResult } from '../../core/protocol/encoding/encode-result.js';
import { ErrorCode } from '../../core/protocol/error-codes.js';
import type { JsonRpcNotification, JsonRpcRequest } from '../../core/protocol/json-rpc.js';
import { McpError } from '../../core/protocol/mcp.error.js';
import {
  ChallengingResponse,
  OutboundError,
  OutboundResult,
  SerializedResult,
  type OutboundResponse,
} from '../../core/protocol/outbound-message.js';
import { AskerFactory } from '../asking/asker-factory.js';
import { ForwardedCalls } from '../catalogue/search/forwarded-calls.js';
import { HiddenEntries } from '../catalogue/visibility/hidden-entries.js';
import type { InterruptListener } from '../context/interruption.interface.js';
import type { Peer, ReplyChannel } from '../context/peer.interface.js';
import { RequestAuth } from '../context/request-auth.js';
import { RequestContext } from '../context/request-context.js';
import type { StateSource } from '../context/state-source.interface.js';
import type { Reconsider, Verdict } from '../context/verdict.interface.js';
import { assertWanted } from '../limits/concurrency/assert-wanted.js';
import { logShortage } from '../log/log-shortage.js';
import { assertConcise } from '../methods/assert-concise.js';
import type { McpMethod, MethodResult } from '../methods/mcp-method.interface.js';
import { BoundedResult } from '../methods/results/bounded-result.js';
import { assertWritten, explainRefusal } from '../methods/results/format-json.js';
import { limitTime } from '../methods/time-limit.js';
import type { RequestTracker } from '../sessions/in-flight-requests.js';
import { SERVER_SETTINGS } from '../settings/mcp.constants.js';
import type { ServerSettings } from '../settings/server-settings.js';
import { CallerStates } from '../state/caller-states.js';
import { forgetHeaders, type Arrival } from './arrival.js';
import { FailureMapper } from './failure-mapper.js';
import { IncomingNotifications } from './incoming-notifications.js';
import { MethodTable } from './method-table.js';
import { Operations, type NotificationCarriage } from './operations.js';
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

/** What is known of a request before the visibility of its target and its scopes are. */
interface Admission {
  readonly verdict: Verdict & { readonly reconsider?: Reconsider | undefined };
  /** Finds what there is not for the caller; absent if that makes no difference. */
  readonly hidden: Pick<HiddenEntries, 'find'> | undefined;
  /** What came of counting the request, if that was done with others. */
  readonly counted: Promise<void> | undefined;
  readonly timeoutMs: number | undefined;
}

/**
 * Finds out what there is for the caller, and which scopes it takes, before a method is asked. Both may be told by the
 * application's own code, so a request is counted before. A call of a hidden entry is not counted, because a limit
 * would reveal the entry.
 */
function buildAdmittedMethod(method: McpMethod, admission: Admission): McpMethod {
  const { counted } = admission;
  return {
    method: method.method,
    failsAsResult: method.failsAsResult === true,
    handle: async (context) => {
      await (counted ?? method.countRequest?.(context));
      const { refusal, weigh } = await findVerdict(context, admission);
      if (weigh === undefined && refusal !== undefined) throw refusal;
      if (counted === undefined) await method.countCall?.(context);
      context.isCounted = true;
      // A method without such a count finds its handler later, and counts that then.
      context.isCallCounted = method.countCall !== undefined;
      if (weigh !== undefined) await assertAllowed(context, weigh, admission);
      assertWanted(context);
      return method.handle(context);
    },
  };
}

/** Of what is hidden it is not asked which scopes it takes. */
async function findVerdict(
  context: RequestContext,
  { verdict, hidden, timeoutMs }: Admission,
): Promise<Verdict> {
  if (hidden === undefined) return verdict;
  context.hidden = await limitTime(context, timeoutMs, () => hidden.find(context));
  const isWhole = context.hidden.size === 0;
  return isWhole ? verdict : (verdict.reconsider?.(context.hidden) ?? {});
}

async function assertAllowed(
  context: RequestContext,
  weigh: NonNullable<Verdict['weigh']>,
  { timeoutMs }: Admission,
): Promise<void> {
  assertWanted(context);
  const refusal = await limitTime(context, timeoutMs, () => weigh([context]));
  if (refusal !== undefined) throw refusal;
}

/**
 * Refuses a long `_meta`: a request keeps it as long as it runs, and few handlers look at it.
 *
 * @throws {McpError} -32602 if it is too long
 */
function assertConciseMeta({ memory, meta }: RequestContext): void {
  if (memory !== undefined) assertConcise(meta, '"_meta"', memory);
}

/** Asks for a token, or for one that allows more, if the HTTP answer has not begun. */
function challenge(response: OutboundResponse, refusal: AuthError): OutboundResponse {
  const { code, wwwAuthenticate = 'Bearer' } = refusal;
  return new ChallengingResponse(response, code, wwwAuthenticate, findShortage(refusal));
}

/**
 * Serialises a result while a failure to do so can still be answered.
 *
 * @throws {HandlerResultError} that names the member which JSON refuses, or writes as something else
 */
function serialize(response: OutboundResult): OutboundResult {
  const { result } = response;
  let json: string;
  try {
    ({ json } = response);
  } catch (cause) {
    throw explainRefusal(result, cause);
  }
  if (!(result instanceof SerializedResult)) assertWritten(result, json);
  return response;
}

/** Answers with an error; without what its data cannot say as JSON. */
function respondWithError({ id }: RequestContext, error: McpError): OutboundError {
  const response = new OutboundError(id, error.toJSON(), error.httpStatus ?? 200, error.retryAfterSeconds);
  try {
    void response.json;
    return response;
  } catch {
    const { code, message } = error;
    return new OutboundError(id, { code, message }, response.httpStatus);
  }
}
