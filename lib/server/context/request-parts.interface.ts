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

/** The context of a call, as input requests need it. */
export interface InputRequestContext {
  readonly method: JsonRpcRequest['method'];
  readonly params: Params;
  readonly peer: Peer;
  readonly client: ClientView;
  readonly revision: Revision;
  /** The access of the call. @default unknown */
  readonly auth?: Pick<AuthView, 'requiredScopes'> & Partial<Pick<AuthView, 'claims'>>;
  /** The telemetry of the call. @default none */
  readonly operation?: CallOperation | undefined;
  /** Whether messages before the response reach the client. */
  readonly takesMessages: boolean;
  /** Finds out whether they reach the client through another process. @default they do not */
  findReader?(): Promise<boolean>;
  /** Whether the request has a response, or never will have one. */
  readonly isSettled: boolean;
  /** Sends a message that belongs to the request. */
  send(message: OutboundMessage): void;
  /** Ends this round of the call with input requests to the client. */
  suspend(result: Record<string, unknown>): void;
  /** Fails the request before its handler is done. */
  fail(failure: Error): void;
}

/** Creates the input requester of each call. */
export interface InputRequesters {
  /** Builds the input requests that have a method on the context. */
  readonly builders: InputRequestBuilders;
  /** Returns whether calls of a method can have several rounds. */
  isMultiRoundTrip(method: string): boolean;
  create(context: InputRequestContext): InputRequester;
}

/** The facts that decide whose state a request may use. */
export interface StateContext {
  readonly identity?: string | undefined;
  readonly session?: SessionView | undefined;
  readonly http?: HttpView | undefined;
  readonly meta: RequestMeta;
  /** Present if an extension makes the request on behalf of the client. */
  readonly hosting?: object | undefined;
}

/** Opens the state of the caller of each request. */
export interface StateSource {
  open(context: StateContext): CallerState;
}

/** The differences of a call that an extension makes on behalf of a client. */
export interface Hosting {
  /** The extension, whose interceptor does not run again. */
  readonly maker: object;
  /** The request that caused the call, if it is still running. */
  readonly origin?: object | undefined;
  /** The task that the call runs as. */
  readonly task?: TaskView | undefined;
  /** The state of the caller. @default the state that the call itself identifies */
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
  /** The access of the request; absent if the server asks for no token. */
  readonly auth?: AuthView | undefined;
  /** The share of the memory budget that the request holds. @default not counted */
  readonly memory?: MemoryReservation | undefined;
  /** Absent if there is no client to send input requests to. */
  readonly inputRequesters?: InputRequesters | undefined;
  /** Absent if the server stores no state. */
  readonly states?: StateSource | undefined;
  /** Present if an extension makes the request on behalf of the client. @default absent */
  readonly hosting?: Hosting | undefined;
  /** The telemetry and audit of the request. @default none */
  readonly operation?: CallOperation | undefined;
}

/** How a request ends before its handler does: with a failure, with a result, or without a response. */
export interface Interruption {
  readonly failure?: Error;
  readonly result?: Record<string, unknown>;
}

/** Called if a request ends before its handler. */
export type InterruptListener = (interruption: Interruption) => void;
