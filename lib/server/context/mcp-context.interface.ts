import type { ClientCapabilities } from '../../core/protocol/capabilities.js';
import type { Implementation } from '../../core/protocol/definitions.js';
import type { Params, RequestId } from '../../core/protocol/json-rpc.js';
import type { LogLevel } from '../../core/protocol/log-level.js';
import type { Root, SamplingResult } from '../../core/protocol/input-requests.js';
import type { RequestMeta } from '../../core/protocol/meta-keys.js';
import type { Revision } from '../../core/protocol/revisions.js';
import type { Claims } from '../../core/oauth/access-token.js';
import type { SchemaSource } from '../settings/schema-source.interface.js';
import type { AuthView } from './auth-view.interface.js';
import type { CallerState } from './caller-state.interface.js';
import type {
  InputResponsesOf,
  ContentOf,
  ElicitationAnswer,
  ElicitationConsent,
  ElicitationForm,
  ElicitationPage,
  TypedInputRequest,
  InputRequestOptions,
  SamplingOptions,
} from './input-request.interface.js';

/** The client as a handler sees it. */
export interface ClientView {
  /** The name and version that the client reports. Do not trust them. */
  readonly info?: Implementation;
  /** The capabilities that the client declared at initialization and in this request's `_meta`. */
  readonly capabilities: ClientCapabilities;
}

/** A session as an application sees it. */
export interface SessionView {
  /** The id, which the client sends in `Mcp-Session-Id`. */
  readonly id: string;
  /** The session's name in spans, log lines and audit events. It does not reveal the id. */
  readonly fingerprint: string;
  /** The negotiated revision; `revision.version` is its name. */
  readonly revision: Revision;
  /** The name, version and capabilities that the client reports. */
  readonly client: ClientView;
  /** Whether the client has confirmed the handshake. */
  readonly isLive: boolean;
  /** The claims of the latest request's token; absent if the server requires no token. */
  readonly claims?: Claims | undefined;
  /** The lowest log level that the client requested; absent if it requested no log entries. */
  readonly logLevel?: LogLevel | undefined;
}

/** The task of a call. Input requests, progress and all other features work as in any call. */
export interface TaskView {
  /** The task id, with which the client polls the task. */
  readonly id: string;
  /** Sets a status message for the client. */
  setStatusMessage(message: string): void;
}

/** The HTTP request behind a call. */
export interface HttpView {
  /** The headers as the client sent them, in lower case. */
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  /** The adapter's request object: Express's `Request`, Fastify's `FastifyRequest`. */
  readonly request: unknown;
}

/**
 * The context of one request. Handlers receive it as their second argument or with `@Context()`. Request-scoped providers
 * inject it as Nest's `REQUEST`.
 *
 * @example
 * class TicketTools { @Tool()
 *   async export(_arguments: object, context: McpContext) {
 *     context.progress(1, 2, 'half done');
 *     context.log('info', 'exporting');
 *     return (await this.exports.run(context.signal)).url;
 *   }
 * }
 */
export interface McpContext {
  /** The JSON-RPC request's id. */
  readonly id: RequestId;
  /** The method, for example `tools/call`. */
  readonly method: string;
  /** The parameters as the client sent them. */
  readonly params: Params;
  /** The request's `_meta`. */
  readonly meta: RequestMeta;
  /** The protocol revision of the request; `revision.version` is its name. */
  readonly revision: Revision;
  /** The name, version and capabilities that the client reports. */
  readonly client: ClientView;
  /** The session; absent if the revision has none. */
  readonly session?: SessionView | undefined;
  /** The HTTP request; absent on other transports. */
  readonly http?: HttpView | undefined;
  /** The caller, and what the caller may do. */
  readonly auth: AuthView;
  /** Aborted on cancellation, timeout and shutdown, and in some revisions when the client disconnects. */
  readonly signal: AbortSignal;
  /** The task of the call; absent if the call does not run as a task. */
  readonly task?: TaskView | undefined;
  /** The state that the server stores for the caller. */
  readonly state: CallerState;

  /**
   * Reports progress if the client requested it. Does nothing for other clients, or if `progress` does not increase.
   *
   * @see MCP basic/utilities/progress
   */
  progress(progress: number, total?: number, message?: string): void;

  /**
   * Sends a log entry to the client if it requested entries of this level.
   *
   * @see MCP server/utilities/logging
   */
  log(level: LogLevel, data: unknown, logger?: string): void;

  /**
   * Closes a long call's connection. The client reconnects for later messages. Does nothing if the revision or the
   * client does not support it.
   *
   * @param retryMs the reconnection delay in milliseconds; the server's `streams.retryMs` by default
   * @see MCP 2025-11-25 basic/transports, "Sending Messages to the Server"
   */
  releaseConnection(retryMs?: number): void;

  /**
   * Asks the user to fill in a form (elicitation), and returns the response once it matches the schema.
   *
   * Perform side effects after the last input request of any kind: for stateless clients, the handler reruns from the
   * start after each answer.
   *
   * @throws {McpError} -32021 if a stateless client did not declare `elicitation`
   * @throws {ToolError} in a session if the client did not declare it, does not respond in time, or uses a revision without
   *   elicitation
   * @example
   * const answer = await context.elicit({ message: 'Which day?', schema: z.object({ day: z.string() }) });
   * if (answer.action === 'accept') await this.desks.book(answer.content.day);
   *
   * @see MCP client/elicitation
   */
  elicit<Schema extends SchemaSource>(
    form: ElicitationForm<Schema>,
  ): Promise<ElicitationAnswer<ContentOf<Schema>>>;

  /**
   * Sends the user to a page. Use it for secrets and anything else that must not pass through the client.
   *
   * @throws {McpError} -32021 if a stateless client did not declare `elicitation.url`
   * @throws {ToolError} in a session if the client did not declare it, or does not respond in time
   * @throws {TypeError} if the URL is invalid
   * @example
   * const { action } = await context.elicitUrl({ message: 'Pay the invoice', url: this.invoices.payUrl(id) });
   *
   * @see MCP 2025-11-25 client/elicitation, "URL Mode"
   */
  elicitUrl(page: ElicitationPage): Promise<ElicitationConsent>;

  /**
   * Requests a completion from the client's model (sampling).
   *
   * @throws {McpError} -32021 if a stateless client did not declare `sampling`
   * @throws {ToolError} in a session if the client did not declare it, or does not respond in time
   * @example
   * const { content } = await context.sample({
   *   messages: [{ role: 'user', content: { type: 'text', text: `Summarise: ${ticket.text}` } }],
   *   maxTokens: 200,
   * });
   *
   * @see MCP client/sampling
   */
  sample(question: SamplingOptions): Promise<SamplingResult>;

  /**
   * Requests the folders in which the client allows servers to work (roots). In a session, the response is cached
   * until the client reports a change, unless the client does not support such notifications.
   *
   * @throws {McpError} -32021 if a stateless client did not declare `roots`
   * @throws {ToolError} in a session if the client did not declare it, or does not respond in time
   * @see MCP client/roots
   */
  listRoots(options?: InputRequestOptions): Promise<readonly Root[]>;

  /**
   * Sends several input requests together.
   *
   * @throws {McpError} -32021 if a stateless client did not declare a capability that one of them requires
   * @throws {ToolError} in a session if the client did not declare it, or does not respond in time
   * @example
   * const { when, places } = await context.requestAll({
   *   when: elicitation({ message: 'When?', schema: When }),
   *   places: listRoots(),
   * });
   */
  requestAll<Questions extends { readonly [name: string]: TypedInputRequest<unknown> }>(
    questions: Questions,
  ): Promise<InputResponsesOf<Questions>>;

  /** The client's responses from the last round, for a handler that returns `input_required` itself. */
  readonly inputResponses: { readonly [key: string]: unknown };
  /** The `requestState` that this handler returned in the previous round. */
  readonly requestState: string | undefined;

  /** Returns whether the session or this request declared an extension. */
  hasExtension(id: string): boolean;
}

/**
 * The request that a handler's request-scoped providers inject as Nest's `REQUEST`, and that a `ContextIdStrategy`
 * receives. It is the call's context, plus the HTTP request's properties, for providers that controllers use too.
 *
 * If both have a property with the same name, the context takes precedence: `method` is `tools/call`, and `params`
 * are the protocol parameters.
 *
 * @example
 * class Tenant { constructor(@Inject(REQUEST) private readonly request: McpRequest) {}
 *   get id() {
 *     return this.request.headers['x-tenant-id'];
 *   }
 * }
 */
export interface McpRequest extends McpContext {
  /** The HTTP request's headers; empty if there was no HTTP request. */
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  /**
   * The user that a middleware or Passport set. This property and all that follow are `undefined` if the HTTP request
   * lacks them.
   */
  readonly user?: unknown;
  readonly ip?: string | undefined;
  readonly ips?: readonly string[] | undefined;
  readonly hostname?: string | undefined;
  readonly protocol?: string | undefined;
  readonly url?: string | undefined;
  readonly originalUrl?: string | undefined;
  readonly query?: unknown;
  readonly cookies?: unknown;
  readonly [name: string]: unknown;
}
