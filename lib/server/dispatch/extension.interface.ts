import type { OpenObject } from '../../core/protocol/capabilities.js';
import type { InputRequest } from '../../core/protocol/input-requests.js';
import type { ToolDefinition } from '../../core/protocol/definitions.js';
import type { Encoded } from '../../core/protocol/encoding/encode-definition.js';
import type { JsonRpcErrorObject, Params } from '../../core/protocol/json-rpc.js';
import type { CallOperation } from '../context/call-operation.interface.js';
import type {
  McpContext,
  SessionView,
  ClientView,
  HttpView,
  TaskView,
} from '../context/mcp-context.interface.js';
import type {
  ExtensionCapabilities,
  ExtensionDeclaration,
} from '../settings/extensions/extension.interface.js';
import type { ToolOptions } from '../settings/handler-options.interface.js';
import type { TransportKind } from '../settings/transport-kind.js';
import type { Revision } from '../../core/protocol/revisions.js';
import type { AuthView } from '../context/auth-view.interface.js';
import type { Authentication } from '../context/authentication.js';
import type { CallerState } from '../context/caller-state.interface.js';

/** The context of a request, as an extension sees it. It has more properties than a handler's context. */
export interface ExtensionContext extends McpContext {
  /** An opaque identifier of the caller; absent if the caller is unknown. */
  readonly identity: string | undefined;
  /** The request's transport; absent if it is unknown, as for work that outlives the request. */
  readonly transport?: TransportKind | undefined;
  /** The request's telemetry; absent if none is recorded. */
  readonly operation?:
    Pick<CallOperation, 'spanContext' | 'carried' | 'noteTask' | 'noteListening'> | undefined;
  /** Bytes from {@link notify} that the client has not read yet. Infinite without a reader, and 0 if unknown. */
  readonly bufferedBytes: number;
  /** Sends a notification for this request, before its response. */
  notify(method: string, params: object): void;
  /**
   * Sends a request to the client unchanged, on this request's stream. Returns the response unchanged.
   *
   * @throws {ToolError} if there is no session, or the client did not declare the capability
   */
  request(request: InputRequest): Promise<unknown>;
}

/** A method that an extension adds. */
export interface ExtensionMethod {
  readonly method: string;
  /** The kinds of revision that include the method. @default both */
  readonly revisions?: readonly ('handshake' | 'perRequest')[];
  /** Whether only clients that declared the extension may call it. A function decides for each request. @default true */
  readonly requiresDeclaration?: boolean | ((context: ExtensionContext) => boolean);
  /** Whether the method may run indefinitely, like a stream. `callTimeoutMs` then does not apply. @default false */
  readonly longRunning?: boolean;
  /** The parameter that stateless clients repeat in the `Mcp-Name` header. @default none */
  readonly mcpNameParam?: string;
  /** Returns the result. A thrown error becomes a JSON-RPC error. */
  handle(context: ExtensionContext): OpenObject | Promise<OpenObject>;
}

/** A client notification that an extension handles. It is dropped if the client did not declare the extension. */
export interface ExtensionNotification {
  readonly method: string;
  /**
   * Whether every process that serves the session handles it, instead of only the process that receives it.
   * @default false
   */
  readonly everywhere?: boolean;
  /** Handles the notification. Errors are logged. */
  handle(params: Params, session: SessionView): unknown;
}

/** Sends a notification on a single `subscriptions/listen` stream, with the tag that its client expects. */
export type SubscriptionSender = (method: string, params: object) => void;

/**
 * A subscription that stateless clients may request with `subscriptions/listen`.
 *
 * @see MCP 2026-07-28 basic/utilities/subscriptions
 */
export interface ExtensionSubscription {
  /** The filter property with which clients request it. */
  readonly filter: string;
  /**
   * Returns the granted part of the request, or `undefined` if nothing is granted. Throws if the request is invalid.
   */
  grant(asked: unknown, context: ExtensionContext): unknown;
  /**
   * Returns whether a stream receives a message from the handle's `publish()`. It is called in the stream's process.
   * @default true for every message published for the filter
   * @param to the audience, as passed to `publish()`
   */
  matches?(granted: unknown, to: unknown, context: ExtensionContext): boolean;
  /**
   * Called when the stream opens in this process. The returned function is called when it closes.
   * @default nothing
   */
  open?(granted: unknown, send: SubscriptionSender, context: ExtensionContext): () => void;
}

/** A tool call on its way to its handler. */
export interface InterceptedCall {
  readonly tool: ToolDefinition;
  /** The tool options. */
  readonly options: ToolOptions;
  readonly context: ExtensionContext;
}

/**
 * A protocol extension, which applies to clients that declare it.
 *
 * @example
 * const reports: McpExtension = {
 *   id: 'com.example/reports',
 *   specVersion: '2026-07-28',
 *   stability: 'experimental',
 *   methods: [{ method: 'reports/list', handle: () => ({ reports: [] }) }],
 * };
 */
export type McpExtension = ExtensionDeclaration & ExtensionParts;

/** The parts that an extension adds to the server. */
export interface ExtensionParts {
  /** What the server declares in addition to the extension itself. @default nothing */
  readonly capabilities?: ExtensionCapabilities;
  /**
   * Scopes that it requires from callers. The metadata lists them together with the handlers' scopes. @default none
   */
  readonly scopes?: readonly string[];
  /** Methods that the extension adds. @default none */
  readonly methods?: readonly ExtensionMethod[];
  /** Notifications that the extension handles. @default none */
  readonly notifications?: readonly ExtensionNotification[];
  /** Subscriptions that the extension adds to `subscriptions/listen`. @default none */
  readonly subscriptions?: readonly ExtensionSubscription[];
  /**
   * Runs around each `tools/call`. It may return a result instead of the handler's, or change the handler's result.
   */
  interceptToolCall?(call: InterceptedCall, next: () => Promise<Encoded>): Promise<Encoded>;
}

/** Lets an extension send messages and call tools outside of requests. */
export interface ExtensionHandle {
  /**
   * Sends a notification to every session that declared the extension, or to one of them.
   *
   * @param sessionId the only session to send it to
   */
  notify(method: string, params?: object, sessionId?: string): void;

  /**
   * Sends a notification to one session, even if only a single request declared the extension.
   *
   * @param scopes scopes that the recipient's token must have
   */
  notifySession(sessionId: string, method: string, params?: object, scopes?: readonly string[]): void;

  /**
   * Sends a notification to stateless clients, in any process, that listen to one of the extension's subscriptions.
   *
   * @param filter the property that clients set in the `subscriptions/listen` filter
   * @param to the audience, as JSON for the subscription's `matches` function @default all listeners
   * @throws {ExtensionError} if the extension does not have this subscription
   * @example
   * handle.publish('reports', 'notifications/reports/ready', { week: 7 }, { desk: 'north' });
   */
  publish(filter: string, method: string, params?: object, to?: unknown): void;

  /**
   * Calls a tool on behalf of a client. All request steps apply as they do to a client's call, except for the
   * extension's own interceptor.
   *
   * @param host receives the handler's messages, and responds to its input requests
   */
  callTool(call: HostedCall, host: CallHost): RunningCall;

  /**
   * Returns a value as a signed string for clients to store and send back. Clients can read the value, but only the
   * server can create it.
   */
  sign(value: unknown): string;

  /** Returns the value of a string from {@link sign}, or `undefined` for any other string. */
  verify(sealed: string): unknown;
}

/**
 * The caller on whose behalf an extension makes a call. A request's context has these properties, even after the
 * response.
 */
export interface CallOrigin {
  readonly revision: Revision;
  readonly client: ClientView;
  /** The caller's access. @default what `authentication` allows */
  readonly auth?: AuthView;
  /** The caller, if the request itself has ended. @default unknown */
  readonly authentication?: Authentication | undefined;
  /** An opaque identifier of the caller; absent if the caller is unknown. */
  readonly identity?: string | undefined;
  readonly session?: SessionView | undefined;
  readonly http?: HttpView | undefined;
  /** The request's transport. @default unknown */
  readonly transport?: TransportKind | undefined;
  /** The caller's state. @default the state that the other properties identify */
  readonly state?: CallerState | undefined;
  /** The request's telemetry, or its span name if the request itself has ended. */
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

/** Connects a hosted call with its client. */
export interface CallHost {
  /** Receives the handler's progress and log entries. */
  notify(method: string, params: object): void;
  /**
   * Sends the handler's input request, and resolves to the response. Each key identifies exactly one input request.
   */
  ask(key: string, request: InputRequest): Promise<unknown>;
}

/** A hosted call's outcome; `undefined` if it was cancelled. */
export type CallOutcome = { readonly result: Encoded } | { readonly error: JsonRpcErrorObject } | undefined;

/** A running hosted call. */
export interface RunningCall {
  /** The call's outcome. The promise never rejects. */
  readonly outcome: Promise<CallOutcome>;
  /** Every scope that the call has required so far. */
  readonly requiredScopes: readonly string[];
  /** Aborts the handler's signal, without waiting for the call to end. */
  cancel(reason: string): void;
}
