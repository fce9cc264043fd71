import type { OnApplicationBootstrap } from '@nestjs/common';
import { AuthError } from '../../core/oauth/auth.error.js';
import { ErrorCode } from '../../core/protocol/error-codes.js';
import type { JsonRpcNotification, JsonRpcRequest } from '../../core/protocol/json-rpc.js';
import { McpError } from '../../core/protocol/mcp.error.js';
import type { OutboundResponse } from '../../core/protocol/outbound-message.js';
import { inTime } from '../../core/waiting/in-time.js';
import type { AskerFactory } from '../asking/asker-factory.js';
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
  type Arrival,
  type AuthorizationDecision,
  type NotificationCarriage,
  type Step,
  type HandleNotification,
} from './step.js';

/** Requests that run together or not at all. */
export interface Batch {
  readonly calls: readonly Call[];
  /** Why none of them may run. */
  readonly refusal: AuthError | undefined;
}

/** The wanted steps, by what they do. */
interface ActiveSteps {
  readonly rewriting: readonly Step[];
  readonly opening: readonly Step[];
  readonly observing: readonly Step[];
  readonly refusing: readonly Step[];
  /** Those that decide or admit from where the request runs. */
  readonly admitting: readonly Step[];
}

/** Takes a request through the steps of the server to its method, and what comes of it back. */
export class RequestDispatcher implements OnApplicationBootstrap {
  /** Absent if it is to be selected again. */
  #active: ActiveSteps | undefined;

  constructor(
    private readonly steps: readonly Step[],
    private readonly methods: MethodTable,
    private readonly responses: ResponseBuilder,
    private readonly notifications: IncomingNotifications,
    private readonly askers: AskerFactory,
    private readonly settings: Pick<ServerSettings, 'callTimeoutMs'>,
    private readonly states?: StateSource,
  ) {
    for (const step of steps) step.watch?.(() => this.#reselect());
  }

  onApplicationBootstrap(): void {
    this.#reselect();
  }

  /** Answers a request; a request that is cancelled has no answer. It never rejects. */
  dispatch(request: JsonRpcRequest, arrival: Arrival): Promise<OutboundResponse | undefined> {
    return this.respond(this.#open(request, arrival));
  }

  /**
   * Judges requests that run together or not at all (MCP 2025-03-26 basic, "Batching"). Each is then answered by {@link respond}.
   *
   * @throws {McpError} if that takes longer than a call may
   */
  async authorize(requests: readonly JsonRpcRequest[], arrival: Arrival): Promise<Batch> {
    const calls = requests.map((request) => this.#open(request, arrival));
    let judgement: AuthorizationDecision;
    for (const step of this.#getActive().refusing) judgement ??= step.authorize?.(calls);
    if (judgement !== 'later') return { calls, refusal: judgement };
    const { callTimeoutMs } = this.settings;
    if (callTimeoutMs === undefined) return { calls, refusal: await this.#admitAll(calls) };
    // Its clock begins before those of its steps, and ends first: whether there is something hidden remains open.
    const admitted = Promise.resolve().then(() => this.#admitAll(calls));
    const refusal = await inTime(admitted, callTimeoutMs, () => createLateError(callTimeoutMs));
    return { calls, refusal };
  }

  /** Answers a request of a batch. */
  respond(call: Call): Promise<OutboundResponse | undefined> {
    const { observing } = this.#getActive();
    if (observing.length === 0) return this.#enter(call);
    const observation = new CallObservation(call, observing);
    for (const step of observing) step.begin?.(observation);
    call.operation = observation;
    call.context.operation = observation;
    return observation.run(() => this.#enter(call));
  }

  /** Handles a notification. Its promise settles once other processes know, and gives why it does not count if events are required. */
  dispatchNotification(
    notification: JsonRpcNotification,
    peer: Peer,
    inFlight: RequestTracker,
    carriage: NotificationCarriage = {},
  ): ReturnType<HandleNotification> {
    const notice = { notification, peer, carriage };
    let take: HandleNotification = () => this.notifications.handle(notification, peer, inFlight);
    for (const step of this.#getActive().observing.toReversed()) {
      const next = take;
      take = () => (step.observeNotification === undefined ? next() : step.observeNotification(notice, next));
    }
    return take();
  }

  /** Refuses every request from now on; those that run are not touched. */
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

  #open(received: JsonRpcRequest, arrived: Arrival): Call {
    const { rewriting, opening } = this.#getActive();
    let request = received;
    for (const step of rewriting) request = step.rewrite?.(request) ?? request;
    const arrival = request === received ? arrived : forgetHeaders(arrived);
    const { peer, channel, auth, memory, hosting } = arrival;
    const { states } = this;
    const inputRequesters = hosting?.inputRequesters ?? this.askers;
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
      const fault = step.refuse?.(call);
      if (fault !== undefined) return this.#refuse(call, method, fault);
    }
    arrival.inFlight.add(context);
    arrival.channel.begin?.(context);
    return this.#run(call, method);
  }

  #refuse(call: Call, method: McpMethod, fault: AuthError | McpError): Promise<OutboundResponse | undefined> {
    const { context, operation } = call;
    if (fault instanceof AuthError) {
      call.arrival.span?.fail(fault.message);
      return this.#respondNow(call, this.responses.respondToFailure(method, context, fault));
    }
    operation?.refuse(fault);
    return this.#respondNow(call, this.responses.respondWithError(context, fault));
  }

  async #respondNow(call: Call, response: OutboundResponse): Promise<OutboundResponse | undefined> {
    return this.#conclude(call, response);
  }

  /** Tells the request's observers its answer. Returns the answer that may then be sent. */
  #conclude(
    { operation }: Call,
    response: OutboundResponse | undefined,
  ): OutboundResponse | undefined | Promise<OutboundResponse | undefined> {
    if (operation === undefined || operation.hasEnded) return response;
    operation.hasEnded = true;
    operation.noteResponse(response);
    let ended: ReturnType<NonNullable<Step['end']>> = response;
    // Who has begun first sees the answer that is sent.
    for (const step of operation.observers.toReversed()) {
      ended =
        ended instanceof Promise
          ? ended.then((given) => step.end?.(operation, given))
          : step.end?.(operation, ended);
    }
    return ended;
  }

  /** Settles with the method's answer, or sooner if the request is cancelled or fails. */
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
      // Named first: V8 puts a function literal that is assigned to a property among the old objects at once. There it keeps
      // everything that the request made alive until a full collection.
      const interrupt: InterruptListener = ({ failure, result }) => {
        if (result !== undefined) conclude(this.responses.respond(context, result));
        else conclude(failure && this.responses.respondToFailure(method, context, failure));
      };
      context.onInterrupt = interrupt;
      void this.#handle(call, method, conclude);
    });
  }

  /** Runs a method to its end. Its result after an interruption is ignored. */
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
          // What the application was asked may have taken its time.
          assertActive(context);
        }
        judgeAlone(step, call);
      }
      response = this.responses.respond(context, await method.handle(context));
    } catch (failure) {
      response = context.isSettled ? undefined : this.responses.respondToFailure(method, context, failure);
    }
    context.settle();
    conclude(response);
  }

  /**
   * Lists the steps that are to admit a call.
   *
   * @throws {Error} if it has failed when the requests of its batch were admitted
   */
  #listAdmitting({ isAdmitted, failure }: Call): readonly Step[] {
    if (failure !== undefined) throw failure;
    return isAdmitted ? [] : this.#getActive().admitting;
  }

  /** What fails for one request alone is not judged any further: the application is not asked about it. */
  async #admitAll(calls: readonly Call[]): Promise<AuthError | undefined> {
    let judged: readonly Call[] | undefined;
    for (const step of this.#getActive().admitting) {
      if (step.authorize !== undefined) judged ??= calls.filter(({ failure }) => failure === undefined);
      await admitEach(step, calls);
      const judgement = step.authorize?.(judged ?? calls);
      if (judgement instanceof AuthError) return judgement;
    }
    for (const call of calls) call.isAdmitted = true;
    return undefined;
  }
}

/** @throws {AuthError} if the call may not run */
function judgeAlone(step: Step, call: Call): void {
  const judgement = step.authorize?.([call]);
  if (!(judgement instanceof AuthError)) return;
  call.arrival.span?.fail(judgement.message);
  throw judgement;
}

/** In turn: the application must not be asked about all of them at once. Counting them waits for nobody else. */
async function admitEach(step: Step, calls: readonly Call[]): Promise<void> {
  const admit = async (call: Call): Promise<void> => {
    if (call.failure !== undefined) return;
    try {
      await step.admit?.(call);
    } catch (failure) {
      call.failure = failure ?? new TypeError('The request was refused without a reason');
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

/** If a tool passes a call on, the headers repeat the arguments of that tool, not of the called one. */
function forgetHeaders(arrival: Arrival): Arrival {
  const { peer } = arrival;
  return peer.headers === undefined ? arrival : { ...arrival, peer: { ...peer, headers: undefined } };
}

function createLateError(timeoutMs: number): McpError {
  return new McpError(ErrorCode.InternalError, `The calls took longer than ${timeoutMs} ms and were stopped`);
}
