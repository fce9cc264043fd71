import { randomUUID } from 'node:crypto';
import {
  ToolError,
  UrlElicitationRequiredError,
  type InputRequest,
  type InputRequiredResult,
  type McpContext,
  type McpNotifier,
} from '../../index.js';
import { isInputRequired } from '../../core/protocol/input-requests.js';
import { isObject } from '../../core/protocol/json-rpc.js';
import { MetaKey, TASKS_EXTENSION } from '../../core/protocol/meta-keys.js';
import { nameCaller } from '../../server/context/caller-identity.js';
import { findIdentity, identifyCaller } from '../../client/module/caller-clients.js';
import type {
  McpCallOptions,
  McpClient,
  McpClients,
  McpForwardedRequest,
  McpInputRequestHandlers,
  McpQuestionContext,
  ServerNotification,
} from '../../client/module/index.js';
import { CircuitBreaker, EventRate } from '../servers/circuit-breaker.js';
import type { GatewayServerSettings } from '../settings/gateway-options.js';
import { createError, explainFailure } from './explain-failure.js';
import { ConnectionCalls, ForwardedCall } from './forwarded-call.js';
import { OpenElicitations } from './open-elicitations.js';
import { parseLogMessage } from './parse-log-message.js';

/** Sends a request to the server through a client. */
export type SendRequest = (client: McpClient, options: McpCallOptions) => Promise<unknown>;

/** How long a call waits for its client to continue it, because the client may show the input request to a user. */
const CONTINUE_MS = 10 * 60 * 1000;

/** One caller may have the maximum number of waiting calls divided by this number. */
const CALLER_SHARE = 10;

/** The methods that a server may send as input requests. */
const METHODS = {
  elicitation: 'elicitation/create',
  sampling: 'sampling/createMessage',
  roots: 'roots/list',
} as const;

/** The connection used if no caller is known. */
const APPLICATION = '';

const ELICITATION_COMPLETE = 'notifications/elicitation/complete';

/** The client calls that the gateway forwards to one server. */
export class ServerCalls {
  readonly circuit: CircuitBreaker;
  /** Handles the server's input requests. */
  readonly inputRequests: McpInputRequestHandlers;
  readonly #connections = new Map<string, ConnectionCalls>();
  /** Calls waiting for their clients' responses to input requests, keyed by call ID. */
  readonly #waiting = new Map<string, ForwardedCall>();
  readonly #rate: EventRate;
  readonly #elicitations: OpenElicitations;
  /** The clients whose log entries are forwarded. */
  readonly #watched = new WeakSet<McpClient>();

  constructor(
    private readonly clients: McpClients,
    private readonly settings: GatewayServerSettings,
    notifier: McpNotifier,
  ) {
    this.circuit = new CircuitBreaker(settings.circuit);
    this.#rate = new EventRate(settings.limits.notificationsPerSecond);
    this.#elicitations = new OpenElicitations(settings.limits.waitingCalls, notifier);
    this.inputRequests = this.#createHandlers();
  }

  /**
   * Forwards a client's request, or continues one with the responses to input requests.
   *
   * @returns the result, or an `input_required` result
   */
  async forward(context: McpContext, send: SendRequest): Promise<unknown> {
    const round = readRound(context);
    const state = parseState(round?.requestState);
    if (state?.call === undefined)
      return this.#begin(context, send, { ...round, requestState: state?.server });
    const call = this.#waiting.get(state.call);
    if (call === undefined) throw createError('The call has ended: call the tool or method again', context);
    this.#waiting.delete(state.call);
    call.enter(context);
    call.respond(round?.inputResponses ?? {});
    return this.#await(call, context);
  }

  /** Cancels the calls that are waiting for their clients. */
  close(): void {
    for (const call of this.#waiting.values()) call.cancel(new Error('The gateway is shutting down'));
    this.#waiting.clear();
  }

  async #begin(context: McpContext, send: SendRequest, round: Partial<CallRound>): Promise<unknown> {
    const { name, identity } = this.settings;
    if (!this.circuit.admit()) {
      throw createError(`The server "${name}" is not available: try again later`, context);
    }
    const canAsk = round.inputResponses !== undefined;
    const call = new ForwardedCall(findOwner(context), canAsk, nameCaller(context));
    call.signal.addEventListener('abort', () => this.#waiting.delete(call.id), { once: true });
    const connection = identity === 'caller' ? this.#identify(context) : APPLICATION;
    const calls = this.#connections.get(connection) ?? new ConnectionCalls();
    this.#connections.set(connection, calls);
    calls.add(call);
    call.enter(context);
    call.begin(async () => {
      try {
        const client = this.#select(context);
        this.#watch(client, connection);
        return await send(client, this.#buildOptions(call, context, round));
      } finally {
        calls.delete(call);
        if (calls.size === 0 && this.#connections.get(connection) === calls) {
          this.#connections.delete(connection);
        }
      }
    });
    return this.#await(call, context);
  }

  async #await(call: ForwardedCall, context: McpContext): Promise<unknown> {
    try {
      const outcome = await call.next();
      if ('inputRequests' in outcome) return this.#suspend(call, outcome.inputRequests, context);
      this.circuit.succeed();
      call.leave();
      return isInputRequired(outcome.result) ? this.#passOn(outcome.result) : outcome.result;
    } catch (failure) {
      call.leave();
      const { name: server } = this.settings;
      const { hasAsked } = call;
      const { error, isOutage } = explainFailure(failure, { server, context, hasAsked });
      if (error instanceof UrlElicitationRequiredError) {
        for (const page of error.pages) this.#elicitations.note({ ...page }, context);
      }
      if (isOutage) this.circuit.fail();
      else this.circuit.leave();
      throw error;
    }
  }

  /** Ends the round, while the call to a server with sessions continues. */
  #suspend(
    call: ForwardedCall,
    inputRequests: { readonly [key: string]: InputRequest },
    context: McpContext,
  ): InputRequiredResult {
    this.circuit.succeed();
    if (!this.#hasRoom(call)) {
      call.cancel(new Error('Too many calls are waiting'));
      throw createError(
        `Too many calls to the server "${this.settings.name}" are waiting for their clients`,
        context,
      );
    }
    this.#waiting.set(call.id, call);
    call.expireAfter(CONTINUE_MS);
    return { resultType: 'input_required', inputRequests, requestState: JSON.stringify({ call: call.id }) };
  }

  #hasRoom({ caller }: ForwardedCall): boolean {
    const { waitingCalls } = this.settings.limits;
    if (this.#waiting.size >= waitingCalls) return false;
    const own = [...this.#waiting.values()].filter((waiting) => waiting.caller === caller);
    return own.length < Math.ceil(waitingCalls / CALLER_SHARE);
  }

  /** Passes on the input requests of a server without sessions. Its state is sent back to it with the responses. */
  #passOn({ inputRequests = {}, requestState, ...rest }: InputRequiredResult): InputRequiredResult {
    const allowed = new Set<string>(this.settings.inputRequests.map((kind) => METHODS[kind]));
    const refused = Object.values(inputRequests).find(
      (request) => !isObject(request) || !allowed.has(request.method),
    );
    if (refused !== undefined) {
      throw new ToolError(
        `The server "${this.settings.name}" sent an input request that the gateway does not forward`,
      );
    }
    const { _meta } = rest;
    return {
      resultType: 'input_required',
      inputRequests,
      requestState: JSON.stringify({ server: requestState }),
      ...(_meta && { _meta }),
    };
  }

  #buildOptions(call: ForwardedCall, context: McpContext, round: Partial<CallRound>): McpCallOptions {
    const { inputResponses = {}, requestState } = round;
    const forward: McpForwardedRequest = {
      ...(requestState !== undefined && { requestState }),
      ...(Object.keys(inputResponses).length > 0 && { inputResponses }),
      meta: this.#buildMeta(context),
    };
    return {
      signal: call.signal,
      forward,
      onProgress: ({ progress, total, message }) => {
        if (this.#rate.admit()) call.context?.progress(progress, total, message);
      },
    };
  }

  /** A server without sessions learns the client's capabilities and log level from each request. */
  #buildMeta({ client, meta, session }: McpContext): { readonly [key: string]: unknown } {
    const allowed: readonly string[] = this.settings.inputRequests;
    const declared = Object.entries(client.capabilities).filter(([kind]) => allowed.includes(kind));
    const followsTasks = this.settings.client.tasks !== false;
    const level = meta[MetaKey.logLevel] ?? session?.logLevel;
    return {
      [MetaKey.clientCapabilities]: {
        ...Object.fromEntries(declared),
        extensions: {
          ...this.settings.client.capabilities?.extensions,
          ...(followsTasks && { [TASKS_EXTENSION]: {} }),
        },
      },
      ...(level !== undefined && { [MetaKey.logLevel]: level }),
    };
  }

  #identify(context: McpContext): string {
    try {
      return identifyCaller(this.settings.name, context);
    } catch {
      return APPLICATION;
    }
  }

  /** @throws {CallerUnknownError} if the server is called on behalf of callers, and the caller is unknown */
  #select(context: McpContext): McpClient {
    const { name, identity } = this.settings;
    return identity === 'caller' ? this.clients.forCaller(name, context) : this.clients.get(name);
  }

  #watch(client: McpClient, connection: string): void {
    if (this.#watched.has(client)) return;
    this.#watched.add(client);
    client.notifications$.subscribe((notification) => {
      this.#forwardLog(notification, connection);
      if (notification.method === ELICITATION_COMPLETE) this.#elicitations.complete(notification.params);
    });
  }

  #forwardLog({ method, params }: ServerNotification, connection: string): void {
    if (method !== 'notifications/message' || !this.#rate.admit()) return;
    const entry = parseLogMessage(params);
    if (entry === undefined) return;
    const { level, data, logger } = entry;
    const { name } = this.settings;
    const call = this.#connections.get(connection)?.find();
    call?.context?.log(level, data, logger === undefined ? name : `${name}/${logger}`);
  }

  #createHandlers(): McpInputRequestHandlers {
    const handlers = this.settings.inputRequests.map((kind) => {
      const handle = (params: unknown, { signal, caller }: McpQuestionContext) => {
        const calls = this.#connections.get(findIdentity(caller) ?? APPLICATION) ?? new ConnectionCalls();
        const request = buildRequest(METHODS[kind], params);
        this.#elicitations.note(request.params, calls.find()?.context);
        return calls.ask(request, signal);
      };
      return [kind, handle] as const;
    });
    return Object.fromEntries(handlers);
  }
}

/** Builds the request for the client, without the other connection's metadata. */
function buildRequest(method: InputRequest['method'], params: unknown): InputRequest {
  const { _meta, ...rest } = isObject(params) ? params : {};
  return Object.keys(rest).length === 0 ? { method } : { method, params: rest };
}

/** Identifies a call's owner: its session, or else its caller. A call without either gets a unique owner. */
function findOwner({ session, auth: { authentication, claims } }: McpContext): string {
  if (session !== undefined) return `session:${session.id}`;
  if (authentication === undefined) return `call:${randomUUID()}`;
  return JSON.stringify([authentication.identity, claims?.clientId]);
}

/** What a client sent for this round of a call. */
type CallRound = Pick<McpContext, 'inputResponses' | 'requestState'>;

/** Returns a call's round, or `undefined` if its client cannot receive input requests. */
function readRound(context: McpContext): CallRound | undefined {
  if (context.method === 'completion/complete') return undefined;
  try {
    const { inputResponses, requestState } = context;
    return { inputResponses, requestState };
  } catch {
    return undefined;
  }
}

/** A call's state between two rounds: the gateway's own call, or the state from a server without sessions. */
interface CallState {
  readonly call?: string;
  readonly server?: string | undefined;
}

/** This server encrypts the state, so it is exactly what the gateway wrote. */
function parseState(state: string | undefined): CallState | undefined {
  return state === undefined ? undefined : (JSON.parse(state) as CallState);
}
