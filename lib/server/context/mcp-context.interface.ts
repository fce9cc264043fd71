import type { ClientCapabilities } from '../../core/protocol/capabilities.js';
import type { Implementation } from '../../core/protocol/definitions.js';
import type { Params, RequestId } from '../../core/protocol/json-rpc.js';
import type { LogLevel } from '../../core/protocol/log-level.js';
import type { Root, SamplingResult } from '../../core/protocol/client-requests.js';
import type { RequestMeta } from '../../core/protocol/meta-keys.js';
import type { Revision } from '../../core/protocol/revisions.js';
import type { Claims } from '../../core/oauth/claims.js';
import type { SchemaSource } from '../settings/schema-source.interface.js';
import type { AuthView } from './auth-view.interface.js';
import type { CallerState } from './caller-state.interface.js';
import type {
  AnswersOf,
  ContentOf,
  ElicitationAnswer,
  ElicitationConsent,
  ElicitationForm,
  ElicitationPage,
  Question,
  QuestionOptions,
  SamplingQuestion,
} from './input-request.interface.js';

/** The client as a handler sees it. */
export interface ClientView {
  /** The client's own name and version. Do not trust them. */
  readonly info?: Implementation;
  /** What the client declared: at initialize, and in this request's `_meta`. */
  readonly capabilities: ClientCapabilities;
}

/** A session as an application sees it. */
export interface SessionView {
  /** What the client sends as `Mcp-Session-Id`. */
  readonly id: string;
  /** The name of the session in spans, log lines and audit events. It does not reveal the id. */
  readonly fingerprint: string;
  /** The negotiated revision; `revision.version` is its name. */
  readonly revision: Revision;
  /** The client's own name and version, and what it declared. */
  readonly client: ClientView;
  /** Whether the client has confirmed the handshake. */
  readonly isLive: boolean;
  /** The claims of the latest request's token; absent if the server asks for none. */
  readonly claims?: Claims | undefined;
  /** The lowest level of log entries that the client wants; absent if the client wants no entries. */
  readonly logLevel?: LogLevel | undefined;
}

/** The task of a call. Questions, progress and everything else work as in any call. */
export interface TaskView {
  /** The id of the task, with which the client asks for it. */
  readonly id: string;
  /** Tells the client in words what the task is doing. */
  setStatusMessage(message: string): void;
}

/** The HTTP request behind a call. */
export interface HttpView {
  /** The headers as the client sent them, in lower case. */
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  /** The adapter's own request object: Express's `Request`, Fastify's `FastifyRequest`. */
  readonly request: unknown;
}

/**
 * The context of one request. Handlers take it as their second argument or by `@Context()`. Request-scoped providers
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
  /** The id of the JSON-RPC request. */
  readonly id: RequestId;
  /** The method, for example `tools/call`. */
  readonly method: string;
  /** The parameters as the client sent them. */
  readonly params: Params;
  /** The request's `_meta`. */
  readonly meta: RequestMeta;
  /** The protocol revision of the request; `revision.version` is its name. */
  readonly revision: Revision;
  /** The client's own name and version, and what it declared. */
  readonly client: ClientView;
  /** The session; absent if the revision has none. */
  readonly session?: SessionView | undefined;
  /** The HTTP request; absent on other transports. */
  readonly http?: HttpView | undefined;
  /** The caller, and what the caller may do. */
  readonly auth: AuthView;
  /** Is aborted on cancellation, time-out and shut-down, and in some revisions when the client disconnects. */
  readonly signal: AbortSignal;
  /** The task of the call; absent if the call is answered directly. */
  readonly task?: TaskView | undefined;
  /** The state that the server keeps for the caller. */
  readonly state: CallerState;

  /**
   * Reports progress, if the client asked for it. Does nothing for other clients, or if `progress` does not increase.
   *
   * @see MCP basic/utilities/progress
   */
  progress(progress: number, total?: number, message?: string): void;

  /**
   * Sends a log entry to the client if it wants entries of this level.
   *
   * @see MCP server/utilities/logging
   */
  log(level: LogLevel, data: unknown, logger?: string): void;

  /**
   * Ends the connection of a long call. The client comes back for later messages. Does nothing if the revision or the
   * client does not support it.
   *
   * @param retryMs milliseconds after which the client should come back; the server's `streams.retryMs` by default
   * @see MCP 2025-11-25 basic/transports, "Sending Messages to the Server"
   */
  releaseConnection(retryMs?: number): void;

  /**
   * Asks the user by a form, and returns the answer once it fits the schema.
   *
   * Do side effects after the last question: on the stateless wire, the handler runs again from the start for each answer. This
   * applies to every question.
   *
   * @throws {McpError} -32021 on the stateless wire if the client did not declare `elicitation`
   * @throws {ToolError} in a session if the client did not declare it, does not answer in time, or speaks a revision without
   *   the question
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
   * Sends the user to a page. Use it for secrets and everything else that must not pass through the client.
   *
   * @throws {McpError} -32021 on the stateless wire if the client did not declare `elicitation.url`
   * @throws {ToolError} in a session if the client did not declare it, or does not answer in time
   * @throws {TypeError} if the address of the page is no URL
   * @example
   * const { action } = await context.elicitUrl({ message: 'Pay the invoice', url: this.invoices.payUrl(id) });
   *
   * @see MCP 2025-11-25 client/elicitation, "URL Mode"
   */
  elicitUrl(page: ElicitationPage): Promise<ElicitationConsent>;

  /**
   * Asks the client's model.
   *
   * @throws {McpError} -32021 on the stateless wire if the client did not declare `sampling`
   * @throws {ToolError} in a session if the client did not declare it, or does not answer in time
   * @example
   * const { content } = await context.sample({
   *   messages: [{ role: 'user', content: { type: 'text', text: `Summarise: ${ticket.text}` } }],
   *   maxTokens: 200,
   * });
   *
   * @see MCP client/sampling
   */
  sample(question: SamplingQuestion): Promise<SamplingResult>;

  /**
   * Asks for the folders in which the client lets servers work. In a session the answer is kept until the client announces a
   * change. If the client does not announce changes, it is not kept.
   *
   * @throws {McpError} -32021 on the stateless wire if the client did not declare `roots`
   * @throws {ToolError} in a session if the client did not declare it, or does not answer in time
   * @see MCP client/roots
   */
  listRoots(options?: QuestionOptions): Promise<readonly Root[]>;

  /**
   * Asks several questions at once.
   *
   * @throws {McpError} -32021 on the stateless wire if the client did not declare what one of them needs
   * @throws {ToolError} in a session if the client did not declare it, or does not answer in time
   * @example
   * const { when, places } = await context.requestAll({
   *   when: elicitation({ message: 'When?', schema: When }),
   *   places: listRoots(),
   * });
   */
  requestAll<Questions extends { readonly [name: string]: Question<unknown> }>(
    questions: Questions,
  ): Promise<AnswersOf<Questions>>;

  /** The client's answers to the questions of the last round, for a handler that returns `input_required` itself. */
  readonly inputResponses: { readonly [key: string]: unknown };
  /** The `requestState` that this handler returned in the previous round. */
  readonly requestState: string | undefined;

  /** Tells whether the session or this request declared an extension. */
  hasExtension(id: string): boolean;
}

/**
 * The request that a handler's request-scoped providers inject as Nest's `REQUEST`, and that a `ContextIdStrategy`
 * gets. It is the context of the call. It also has the members of the HTTP request, for providers that controllers use
 * too.
 *
 * If both have a member of the same name, the context's counts: `method` is `tools/call`, and `params` are those of the
 * protocol.
 *
 * @example
 * class Tenant { constructor(@Inject(REQUEST) private readonly request: McpRequest) {}
 *   get id() {
 *     return this.request.headers['x-tenant-id'];
 *   }
 * }
 */
export interface McpRequest extends McpContext {
  /** The headers of the HTTP request; empty if there was no HTTP request. */
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  /**
   * The user that a middleware or Passport set. This member and all that follow are `undefined` if the HTTP request
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
