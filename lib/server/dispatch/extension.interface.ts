import type { OpenObject } from '../../core/protocol/capabilities.js';
import type { ClientRequest } from '../../core/protocol/client-requests.js';
import type { ToolDefinition } from '../../core/protocol/definitions.js';
import type { Encoded } from '../../core/protocol/encoding/encode-definition.js';
import type { Params } from '../../core/protocol/json-rpc.js';
import type { CallOperation } from '../context/call-operation.interface.js';
import type { McpContext, SessionView } from '../context/mcp-context.interface.js';
import type {
  ExtensionCapabilities,
  ExtensionDeclaration,
} from '../settings/extensions/extension.interface.js';
import type { ToolOptions } from '../settings/handler-options.interface.js';
import type { TransportKind } from '../settings/transport-kind.js';

/** The context of a request for an extension: that of handlers, with more members. */
export interface ExtensionContext extends McpContext {
  /** An opaque name of the caller, to tell callers apart; absent if the caller is unknown. */
  readonly identity: string | undefined;
  /** How the request came; absent if that is not known of what runs apart from it. */
  readonly transport?: TransportKind | undefined;
  /** How telemetry follows the request; absent if it does not. */
  readonly operation?:
    Pick<CallOperation, 'spanContext' | 'carried' | 'noteTask' | 'noteListening'> | undefined;
  /** Bytes that {@link notify} sent and that wait for the client to read them; infinite while nobody reads, 0 if it is not known. */
  readonly unread: number;
  /** Sends a notification that belongs to this request, before its response. */
  notify(method: string, params: object): void;
  /**
   * Puts a request to the client as it is written, on the stream of this one, and gives the answer as it comes.
   *
   * @throws {ToolError} if there is no session to ask in, or the client declared nothing of the kind
   */
  request(request: ClientRequest): Promise<unknown>;
}

/** A method that an extension adds. */
export interface ExtensionMethod {
  readonly method: string;
  /** Which kinds of revision have it. @default both */
  readonly revisions?: readonly ('handshake' | 'perRequest')[];
  /** Whether only clients that declared the extension may call it; a function decides for each request. @default true */
  readonly isGated?: boolean | ((context: ExtensionContext) => boolean);
  /** Whether its answer may take any time, such as that of a stream: `callTimeoutMs` does not end it. @default false */
  readonly isLasting?: boolean;
  /** The parameter that the header `Mcp-Name` repeats on the stateless wire. @default none */
  readonly namedBy?: string;
  /** Gives the result; what it throws is answered as a JSON-RPC error. */
  handle(context: ExtensionContext): OpenObject | Promise<OpenObject>;
}

/** A notification of clients that an extension listens to; it is dropped if the client did not declare the extension. */
export interface ExtensionNotification {
  readonly method: string;
  /**
   * Whether every process that serves the session handles it, not only the one that it reaches.
   *
   * @default false
   */
  readonly everywhere?: boolean;
  /** Handles it; if it throws or rejects, the error goes to the log. */
  handle(params: Params, session: SessionView): unknown;
}

/** Sends a notification on the stream of one `subscriptions/listen`, tagged as its client expects. */
export type SubscriptionSender = (method: string, params: object) => void;

/**
 * Something that clients of the stateless wire may ask for in `subscriptions/listen`.
 *
 * @see MCP 2026-07-28 basic/utilities/subscriptions
 */
export interface ExtensionSubscription {
  /** The member of the filter that asks for it. */
  readonly filter: string;
  /** Returns what is granted of the request, or `undefined` for nothing; throws if the request is not valid. */
  honour(asked: unknown, context: ExtensionContext): unknown;
  /**
   * Tells whether something that `publish()` of the handle publishes is for a stream. It is asked in the process of the stream.
   *
   * @default everything that is published for the filter is
   * @param to whom it is for, as it was published
   */
  hears?(honoured: unknown, to: unknown, context: ExtensionContext): boolean;
  /** Hears that the stream is open in this process; gives what is called when it is not any more. @default nothing */
  open?(honoured: unknown, send: SubscriptionSender, context: ExtensionContext): () => void;
}

/** A tool call on its way to its handler. */
export interface InterceptedCall {
  readonly tool: ToolDefinition;
  /** What the tool was declared with. */
  readonly options: ToolOptions;
  readonly context: ExtensionContext;
}

/**
 * Adds to the protocol what a server and its clients agreed on.
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

/** What an extension adds to the server. */
export interface ExtensionParts {
  /** What the server declares besides the extension itself. @default nothing */
  readonly capabilities?: ExtensionCapabilities;
  /** Scopes that it requires of callers: clients are told about them beside those of handlers. @default none */
  readonly scopes?: readonly string[];
  /** @default none */
  readonly methods?: readonly ExtensionMethod[];
  /** @default none */
  readonly notifications?: readonly ExtensionNotification[];
  /** @default none */
  readonly subscriptions?: readonly ExtensionSubscription[];
  /** Runs around each `tools/call`. It may answer instead of the handler, or change what the handler answers. */
  interceptToolCall?(call: InterceptedCall, next: () => Promise<Encoded>): Promise<Encoded>;
}
