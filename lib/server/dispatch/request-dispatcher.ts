import type { OnApplicationBootstrap } from '@nestjs/common';
import { AuthError } from '../../core/oauth/auth.error.js';
import { ErrorCode } from '../../core/protocol/error-codes.js';
import type { JsonRpcNotification, JsonRpcRequest } from '../../core/protocol/json-rpc.js';
import { McpError } from '../../core/protocol/mcp.error.js';
import type { OutboundResponse } from '../../core/protocol/outbound-message.js';
import { withTimeout } from '../../core/async/timeouts.js';
import type { InputRequesterFactory } from '../input-requests/input-requester-factory.js';
import { RequestContext } from '../context/request-context.js';
import type { InterruptListener, StateSource } from '../context/request-parts.interface.js';
import type { Peer } from '../context/peer.interface.js';
import { assertActive } from '../limits/concurrency-slots.js';
import type { McpMethod } from '../methods/mcp-method.interface.js';
import type { RequestTracker } from '../sessions/in-flight-requests.js';
import type { ServerSettings } from '../settings/server-settings.js';
import type { ResponseBuilder } from './response-builder.js';
import type { IncomingNotifications } from './incoming-notifications.js';
import type { MethodTable } from './method-table.js';
import {
  Call,
  CallObservation,
  type IncomingRequest,
  type AuthorizationDecision,
  type NotificationSource,
  type Step,
  type HandleNotification,
} from './step.js';

/** Requests that are authorized together. */
export interface Batch {
  readonly calls: readonly Call[];
  /** Why none of them may run. */
  readonly refusal: AuthError | undefined;
}

/** The active steps, grouped into phases. */
interface ActiveSteps {
  readonly rewriting: readonly Step[];
  readonly opening: readonly Step[];
  readonly observing: readonly Step[];
  readonly refusing: readonly Step[];
  /** The steps that authorize or admit a running request. */
  readonly admitting: readonly Step[];
}

/** Dispatches requests to their method through the server's steps, and returns their responses. */
export class RequestDispatcher implements OnApplicationBootstrap {
  /** Absent until it is selected again. */
  #active: ActiveSteps | undefined;

  constructor(
    private readonly steps: readonly Step[],
    private readonly methods: MethodTable,
    private readonly responses: ResponseBuilder,
    private readonly notifications: IncomingNotifications,
    private readonly inputRequesters: InputRequesterFactory,
    private readonly settings: Pick<ServerSettings, 'callTimeoutMs'>,
    private readonly states?: StateSource,
  ) {
    for (const step of steps) step.watch?.(() => this.#reselect());
  }

  onApplicationBootstrap(): void {
    this.#reselect();
  }

  /** Responds to a request, or resolves with `undefined` if it is cancelled. It never rejects. */
  dispatch(request: JsonRpcRequest, arrival: IncomingRequest): Promise<OutboundResponse | undefined> {
    return this.respond(this.#open(request, arrival));
  }

  /**
   * Authorizes requests that run together or not at all (MCP 2025-03-26 basic, "Batching"). Pass each to {@link respond} afterwards.
   *
   * @throws {McpError} if authorization exceeds the call timeout
   */
  async authorize(requests: readonly JsonRpcRequest[], arrival: IncomingRequest): Promise<Batch> {
    const calls = requests.map((request) => this.#open(request, arrival));
    let decision: AuthorizationDecision;
    for (const step of this.#getActive().refusing) decision ??= step.authorize?.(calls);
    if (decision !== 'later') return { calls, refusal: decision };
    const { callTimeoutMs } = this.settings;
    if (callTimeoutMs === undefined) return { calls, refusal: await this.#admitAll(calls) };
    // This timeout starts before the steps' timeouts and ends first, so that it does not reveal hidden entries.
    const admitted = Promise.resolve().then(() => this.#admitAll(calls));
    const refusal = await withTimeout(admitted, callTimeoutMs, () => createLateError(callTimeoutMs));
    return { calls, refusal };
  }

  /** Responds to a request of a batch. */
  respond(call: Call): Promise<OutboundResponse | undefined> {
    const { observing } = this.#getActive();
    if (observing.length === 0) return this.#enter(call);
    const observation = new CallObservation(call, observing);
    for (const step of observing) step.begin?.(observation);
    call.operation = observation;
    call.context.operation = observation;
    return observation.run(() => this.#enter(call));
  }

  /**
   * Handles a notification. Its promise settles once other processes are notified, and resolves to the error if a
   * required audit event was not stored.
   */
  dispatchNotification(
    notification: JsonRpcNotification,
    peer: Peer,
    inFlight: RequestTracker,
    carriage: NotificationSource = {},
  ): ReturnType<HandleNotification> {
    const notice = { notification, peer, carriage };
    let take: HandleNotification = () => this.notifications.handle(notification, peer, inFlight);
    for (const step of this.#getActive().observing.toReversed()) {
      const next = take;
      take = () => (step.observeNotification === undefined ? next() : step.observeNotification(notice, next));
    }
    return take();
  }

  /** Rejects every request from now on. Requests that are already running continue. */
  close(): void {
    for (const step of this.steps) step.close?.();
    this.#reselect();
  }

  #reselect(): void {
    this.#active = undefined;
  }

  #getActive(): ActiveSteps {
    return (this.#active ??= selectActive(this.steps));
  }

  #open(received: JsonRpcRequest, arrived: IncomingRequest): Call {
    const { rewriting, opening } = this.#getActive();
    let request = received;
    for (const step of rewriting) request = step.rewrite?.(request) ?? request;
    const arrival = request === received ? arrived : forgetHeaders(arrived);
    const { peer, channel, auth, memory, hosting } = arrival;
    const { states } = this;
    const inputRequesters = hosting?.inputRequesters ?? this.inputRequesters;
    const context = new RequestContext(request, {
      peer,
      channel,
      auth,
      memory,
      inputRequesters,
      states,
      hosting,
    });
    const call = new Call(request, arrival, context, this.methods.find(request.method, peer.revision));
    for (const step of opening) step.open?.(call);
    return call;
  }

  #enter(call: Call): Promise<OutboundResponse | undefined> {
    const { context, method, refusal, arrival } = call;
    if (method === undefined) {
      const { methodNotFoundStatus } = context.revision;
      const unknown = McpError.methodNotFound(context.method, methodNotFoundStatus);
      return this.#respondNow(call, this.responses.respondWithError(context, unknown));
    }
    if (refusal !== undefined) return this.#refuse(call, method, refusal);
    for (const step of this.#getActive().refusing) {
      const error = step.refuse?.(call);
      if (error !== undefined) return this.#refuse(call, method, error);
    }
    arrival.inFlight.add(context);
    arrival.channel.begin?.(context);
    return this.#run(call, method);
  }

  #refuse(call: Call, method: McpMethod, error: AuthError | McpError): Promise<OutboundResponse | undefined> {
    const { context, operation } = call;
    if (error instanceof AuthError) {
      call.arrival.span?.fail(error.message);
      return this.#respondNow(call, this.responses.respondToFailure(method, context, error));
    }
    operation?.refuse(error);
    return this.#respondNow(call, this.responses.respondWithError(context, error));
  }

  async #respondNow(call: Call, response: OutboundResponse): Promise<OutboundResponse | undefined> {
    return this.#conclude(call, response);
  }

  /** Passes the response to the observers, which may replace it, and returns it. */
  #conclude(
    { operation }: Call,
    response: OutboundResponse | undefined,
  ): OutboundResponse | undefined | Promise<OutboundResponse | undefined> {
    if (operation === undefined || operation.hasEnded) return response;
    operation.hasEnded = true;
    operation.noteResponse(response);
    let ended: ReturnType<NonNullable<Step['end']>> = response;
    // In reverse order: the first observer sees the response as it is sent.
    for (const step of operation.observers.toReversed()) {
      ended =
        ended instanceof Promise
          ? ended.then((given) => step.end?.(operation, given))
          : step.end?.(operation, ended);
    }
    return ended;
  }

  /** Settles with the method's response, or earlier if the request is cancelled or fails. */
  #run(call: Call, method: McpMethod): Promise<OutboundResponse | undefined> {
    const { context, arrival } = call;
    return new Promise((resolve, reject) => {
      const conclude = (response: OutboundResponse | undefined): void => {
        arrival.inFlight.remove(context);
        try {
          resolve(this.#conclude(call, response));
        } catch (error) {
          reject(error);
        }
      };
      if (context.isSettled) return conclude(undefined);
      // Assigned to a variable first: V8 immediately allocates a function literal that is assigned to a property in old
      // space, where it would retain all objects of the request until a full collection.
      const interrupt: InterruptListener = ({ failure, result }) => {
        if (result !== undefined) conclude(this.responses.respond(context, result));
        else conclude(failure && this.responses.respondToFailure(method, context, failure));
      };
      context.onInterrupt = interrupt;
      void this.#handle(call, method, conclude);
    });
  }

  /** Runs a method to completion. Its result after an interruption is ignored. */
  async #handle(
    call: Call,
    method: McpMethod,
    conclude: (response: OutboundResponse | undefined) => void,
  ): Promise<void> {
    const { context } = call;
    let response: OutboundResponse | undefined;
    try {
      context.assertRound();
      for (const step of this.#listAdmitting(call)) {
        const waiting = step.admit?.(call);
        if (waiting !== undefined) {
          await waiting;
          // The request may have been cancelled while the application decided.
          assertActive(context);
        }
        authorizeAlone(step, call);
      }
      response = this.responses.respond(context, await method.handle(context));
    } catch (failure) {
      response = context.isSettled ? undefined : this.responses.respondToFailure(method, context, failure);
    }
    context.settle();
    conclude(response);
  }

  /**
   * Lists the steps that still have to admit a call.
   *
   * @throws {Error} if the call failed while its batch was admitted
   */
  #listAdmitting({ isAdmitted, failure }: Call): readonly Step[] {
    if (failure !== undefined) throw failure;
    return isAdmitted ? [] : this.#getActive().admitting;
  }

  /** A call that has already failed is not authorized any further, so the application is not consulted about it. */
  async #admitAll(calls: readonly Call[]): Promise<AuthError | undefined> {
    let judged: readonly Call[] | undefined;
    for (const step of this.#getActive().admitting) {
      if (step.authorize !== undefined) judged ??= calls.filter(({ failure }) => failure === undefined);
      await admitEach(step, calls);
      const decision = step.authorize?.(judged ?? calls);
      if (decision instanceof AuthError) return decision;
    }
    for (const call of calls) call.isAdmitted = true;
    return undefined;
  }
}

/** @throws {AuthError} if the call may not run */
function authorizeAlone(step: Step, call: Call): void {
  const decision = step.authorize?.([call]);
  if (!(decision instanceof AuthError)) return;
  call.arrival.span?.fail(decision.message);
  throw decision;
}

/** Steps that consult the application handle one call at a time. Rate limits count all calls concurrently. */
async function admitEach(step: Step, calls: readonly Call[]): Promise<void> {
  const admit = async (call: Call): Promise<void> => {
    if (call.failure !== undefined) return;
    try {
      await step.admit?.(call);
    } catch (failure) {
      call.failure = failure ?? new TypeError('The request was rejected without a reason');
    }
  };
  if (step.asksApplication === true) for (const call of calls) await admit(call);
  else await Promise.all(calls.map(admit));
}

function selectActive(steps: readonly Step[]): ActiveSteps {
  const wanted = steps.filter(({ isWanted = true }) => isWanted);
  return {
    rewriting: wanted.filter((step) => step.rewrite !== undefined),
    opening: wanted.filter((step) => step.open !== undefined),
    observing: wanted.filter((step) => step.begin !== undefined),
    refusing: wanted.filter((step) => step.refuse !== undefined),
    admitting: wanted.filter(
      (step) => step.refuse === undefined && (step.admit !== undefined || step.authorize !== undefined),
    ),
  };
}

/** A forwarded call's headers repeat the forwarding tool's arguments, so they are removed. */
function forgetHeaders(arrival: IncomingRequest): IncomingRequest {
  const { peer } = arrival;
  return peer.headers === undefined ? arrival : { ...arrival, peer: { ...peer, headers: undefined } };
}

function createLateError(timeoutMs: number): McpError {
  return new McpError(ErrorCode.InternalError, `The calls took longer than ${timeoutMs} ms and were stopped`);
}
