import type { Revision } from '../../core/protocol/revisions.js';
import type { JsonRpcRequest, Params } from '../../core/protocol/json-rpc.js';
import type { OutboundMessage } from '../../core/protocol/outbound-message.js';
import type { AuthView } from './auth-view.interface.js';
import type { CallOperation } from './call-operation.interface.js';
import type { ClientView, HttpView, SessionView, McpContext, TaskView } from './mcp-context.interface.js';
import type { Peer, ReplyChannel } from './peer.interface.js';
import type { QuestionBuilders, InputRequester } from './input-request.interface.js';
import type { RequestMeta } from '../../core/protocol/meta-keys.js';
import type { CallerState } from './caller-state.interface.js';
import type { TransportKind } from '../settings/transport-kind.js';
import type { MemoryHold } from '../memory/memory-budget.js';

/** What asking needs of the context of a call. */
export interface InputRequestContext {
  readonly method: JsonRpcRequest['method'];
  readonly params: Params;
  readonly peer: Peer;
  readonly client: ClientView;
  readonly revision: Revision;
  /** The access of the call. @default nothing is known of it */
  readonly auth?: Pick<AuthView, 'requiredScopes'> & Partial<Pick<AuthView, 'claims'>>;
  /** How telemetry follows the call. @default not at all */
  readonly operation?: CallOperation | undefined;
  /** Whether what is sent before the response reaches the client. */
  readonly takesMessages: boolean;
  /** Finds out whether another process makes it possible. @default it does not */
  findReader?(): Promise<boolean>;
  /** Whether the request is answered, or never will be. */
  readonly isSettled: boolean;
  /** Sends a message that belongs to the request. */
  send(message: OutboundMessage): void;
  /** Ends this round of the call with questions to the client. */
  suspend(result: Record<string, unknown>): void;
  /** Fails the request before its handler is done. */
  fail(failure: Error): void;
}

/** Gives each request its way of asking the client. */
export interface InputRequesters {
  /** Builds the questions that a context offers by methods of its own. */
  readonly questions: QuestionBuilders;
  /** Tells whether calls of a method may take several rounds. */
  takesRounds(method: string): boolean;
  create(context: InputRequestContext): InputRequester;
}

/** The facts that decide whose state a request may use. */
export interface StateContext {
  readonly identity?: string | undefined;
  readonly session?: SessionView | undefined;
  readonly http?: HttpView | undefined;
  readonly meta: RequestMeta;
  /** Present if not the client makes the request. */
  readonly hosting?: object | undefined;
}

/** Gives each request the state of its caller. */
export interface StateSource {
  open(context: StateContext): CallerState;
}

/** What is different in a call that somebody makes in the client's place. */
export interface Hosting {
  /** Its maker, which is not informed a second time. */
  readonly maker: object;
  /** The request that it is made for, if that is still there. */
  readonly origin?: object | undefined;
  /** The task that the call runs as. */
  readonly task?: TaskView | undefined;
  /** The state of the caller. @default what the call itself tells about that */
  readonly state?: CallerState | undefined;
  /** How telemetry follows the request that made the call. @default it is not known */
  readonly cause?: Pick<CallOperation, 'spanContext' | 'carried'> | undefined;
  /** How the request came that made the call. @default it is not known */
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
  /** What the request takes of the memory that its caller may have. @default not counted */
  readonly memory?: MemoryHold | undefined;
  /** Absent if nobody can be asked. */
  readonly inputRequesters?: InputRequesters | undefined;
  /** Absent if nothing is kept for callers. */
  readonly states?: StateSource | undefined;
  /** What is different if not the client makes the request. @default nothing */
  readonly hosting?: Hosting | undefined;
  /** How telemetry and the audit follow the request. @default not at all */
  readonly operation?: CallOperation | undefined;
}

/** How a request ends before its handler does: with a failure, with a result, or with nothing to answer. */
export interface Interruption {
  readonly failure?: Error;
  readonly result?: Record<string, unknown>;
}

/** Is called if a request ends before its handler. */
export type InterruptListener = (interruption: Interruption) => void;
