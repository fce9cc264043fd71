import type { ClientRequest } from '../../core/protocol/client-requests.js';
import type { Encoded } from '../../core/protocol/encoding/encode-definition.js';
import type { JsonRpcErrorObject, Params } from '../../core/protocol/json-rpc.js';
import type { Revision } from '../../core/protocol/revisions.js';
import type { CallOperation } from '../context/call-operation.interface.js';
import type { AuthView } from '../context/auth-view.interface.js';
import type { Authentication } from '../context/authentication.interface.js';
import type { CallerState } from '../context/caller-state.interface.js';
import type {
  ClientView,
  HttpView,
  McpContext,
  SessionView,
  TaskView,
} from '../context/mcp-context.interface.js';
import type { TransportKind } from '../settings/transport-kind.js';

/** The caller for whom a call is made. The context of a request has these members, even after the answer. */
export interface CallOrigin {
  readonly revision: Revision;
  readonly client: ClientView;
  /** What the caller may do. @default what `authentication` allows */
  readonly auth?: AuthView;
  /** The caller, if the request itself is over. @default nobody who is known */
  readonly authentication?: Authentication | undefined;
  /** Tells callers apart; absent if the caller is unknown. */
  readonly identity?: string | undefined;
  readonly session?: SessionView | undefined;
  readonly http?: HttpView | undefined;
  /** The transport of the request. @default it is not known */
  readonly transport?: TransportKind | undefined;
  /** The state that is kept for the caller. @default what is known of the caller tells that */
  readonly state?: CallerState | undefined;
  /** The telemetry of the request, or the name of its span if the request itself is over. */
  readonly operation?: Pick<CallOperation, 'spanContext' | 'carried'> | undefined;
}

/** A tool call that an extension makes for a client. */
export interface HostedCall {
  /** The parameters of `tools/call`. */
  readonly params: Params;
  readonly origin: CallOrigin;
  /** The value of the handler's `context.task`. @default none */
  readonly task?: TaskView;
  /** Runs instead of the tool's handler, and returns the same kind of value. @default the handler */
  readonly work?: ((context: McpContext) => unknown) | undefined;
}

/** The link between a hosted call and its client. */
export interface CallHost {
  /** Takes the handler's progress and log entries. */
  notify(method: string, params: object): void;
  /** Gets the answer to a question of the handler. Each key names exactly one question. */
  ask(key: string, request: ClientRequest): Promise<unknown>;
}

/** The outcome of a hosted call; `undefined` if it was cancelled. */
export type CallOutcome = { readonly result: Encoded } | { readonly error: JsonRpcErrorObject } | undefined;

/** A hosted call that runs. */
export interface RunningCall {
  /** It never rejects. */
  readonly outcome: Promise<CallOutcome>;
  /** Every scope that was required of the caller so far. */
  readonly requiredScopes: readonly string[];
  /** Aborts the handler's signal and waits for nothing. */
  cancel(reason: string): void;
}
