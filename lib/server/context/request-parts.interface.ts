import type { Revision } from '../../core/protocol/revisions.js';
import type { JsonRpcRequest, Params } from '../../core/protocol/json-rpc.js';
import type { OutboundMessage } from '../../core/protocol/outbound-message.js';
import type { AuthView } from './auth-view.interface.js';
import type { CallOperation } from './call-operation.interface.js';
import type { ClientView, HttpView, SessionView, McpContext, TaskView } from './mcp-context.interface.js';
import type { Peer, ReplyChannel } from './peer.interface.js';
import type { InputRequestBuilders, InputRequester } from './input-request.interface.js';
import type { RequestMeta } from '../../core/protocol/meta-keys.js';
import type { CallerState } from './caller-state.interface.js';
import type { TransportKind } from '../settings/transport-kind.js';
import type { MemoryReservation } from '../memory/memory-budget.js';

/** The parts of a call's context that input requests need. */
export interface InputRequestContext {
  readonly method: JsonRpcRequest['method'];
  readonly params: Params;
  readonly peer: Peer;
  readonly client: ClientView;
  readonly revision: Revision;
  /** The call's access. @default unknown */
  readonly auth?: Pick<AuthView, 'requiredScopes'> & Partial<Pick<AuthView, 'claims'>>;
  /** The call's telemetry. @default none */
  readonly operation?: CallOperation | undefined;
  /** Whether messages before the response reach the client. */
  readonly takesMessages: boolean;
  /** Determines whether they reach the client through another process. @default they do not */
  findReader?(): Promise<boolean>;
  /** Whether the request has a response, or never will have one. */
  readonly isSettled: boolean;
  /** Sends a message that belongs to the request. */
  send(message: OutboundMessage): void;
  /** Ends this round of the call with input requests to the client. */
  suspend(result: Record<string, unknown>): void;
  /** Fails the request before its handler finishes. */
  fail(failure: Error): void;
}

/** Creates each call's input requester. */
export interface InputRequesters {
  /** Builds the input requests that have a method on the context. */
  readonly builders: InputRequestBuilders;
  /** Returns whether calls of a method can have several rounds. */
  isMultiRoundTrip(method: string): boolean;
  create(context: InputRequestContext): InputRequester;
}

/** The facts that determine whose state a request may use. */
export interface StateContext {
  readonly identity?: string | undefined;
  readonly session?: SessionView | undefined;
  readonly http?: HttpView | undefined;
  readonly meta: RequestMeta;
  /** Present if an extension makes the request on behalf of the client. */
  readonly hosting?: object | undefined;
}

/** Opens the state of each request's caller. */
export interface StateSource {
  open(context: StateContext): CallerState;
}

/** The parts that differ in a call that an extension makes on behalf of a client. */
export interface Hosting {
  /** The extension, whose interceptor does not run again. */
  readonly maker: object;
  /** The request that caused the call, if it is still running. */
  readonly origin?: object | undefined;
  /** The task as which the call runs. */
  readonly task?: TaskView | undefined;
  /** The caller's state. @default the state that the call itself identifies */
  readonly state?: CallerState | undefined;
  /** The telemetry of the request that caused the call. @default unknown */
  readonly cause?: Pick<CallOperation, 'spanContext' | 'carried'> | undefined;
  /** The transport of the request that caused the call. @default unknown */
  readonly transport?: TransportKind | undefined;
  /** Runs instead of the handler. */
  readonly work?: ((context: McpContext) => unknown) | undefined;
}

/** The parts of a request in addition to its message. */
export interface RequestParts {
  readonly peer: Peer;
  readonly channel: ReplyChannel;
  /** The request's access; absent if the server does not require tokens. */
  readonly auth?: AuthView | undefined;
  /** The share of the memory budget that the request holds. @default not counted */
  readonly memory?: MemoryReservation | undefined;
  /** Absent if there is no client to send input requests to. */
  readonly inputRequesters?: InputRequesters | undefined;
  /** Absent if the server stores no state. */
  readonly states?: StateSource | undefined;
  /** Present if an extension makes the request on behalf of the client. @default absent */
  readonly hosting?: Hosting | undefined;
  /** The request's telemetry and audit. @default none */
  readonly operation?: CallOperation | undefined;
}

/** How a request ends before its handler does: with a failure, with a result, or without a response. */
export interface Interruption {
  readonly failure?: Error;
  readonly result?: Record<string, unknown>;
}

/** Called if a request ends before its handler. */
export type InterruptListener = (interruption: Interruption) => void;
