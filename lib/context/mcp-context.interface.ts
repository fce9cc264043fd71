import type { ClientCapabilities } from '../protocol/capabilities.js';
import type { Implementation } from '../protocol/definitions.js';
import type { Params, RequestId } from '../protocol/json-rpc.js';
import type { LogLevel } from '../protocol/log-level.js';
import type { RequestMeta } from '../protocol/meta-keys.js';
import type { Revision } from '../protocol/revisions.js';

/** The client as a handler sees it. */
export interface ClientView {
  /** Who the client says it is; not to be trusted. */
  readonly info?: Implementation;
  /** What the client declared: at initialize, and in this request's `_meta`. */
  readonly capabilities: ClientCapabilities;
}

/** A session as an application sees it. */
export interface SessionView {
  /** What the client sends as `Mcp-Session-Id`. */
  readonly id: string;
  /** What was agreed on; `revision.version` is its name. */
  readonly revision: Revision;
  /** Who the client says it is, and what it declared. */
  readonly client: ClientView;
  /** Whether the client has confirmed the handshake. */
  readonly isLive: boolean;
}

/** The HTTP request behind a call. */
export interface HttpView {
  /** The headers as the client sent them, in lower case. */
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  /** The adapter's own request object: Express's `Request`, Fastify's `FastifyRequest`. */
  readonly request: unknown;
}

/**
 * What one request knows: handlers take it as their second argument or by `@Context()`, and request-scoped
 * providers inject it as Nest's `REQUEST`.
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
  /** Who the client says it is, and what it declared. */
  readonly client: ClientView;
  /** The session; absent where the revision has none. */
  readonly session?: SessionView | undefined;
  /** The HTTP request; absent on other transports. */
  readonly http?: HttpView | undefined;
  /** Aborted on cancellation, time-out and shut-down, and where the revision says so when the client is gone. */
  readonly signal: AbortSignal;

  /**
   * Reports progress to a client that asked for it; a silent no-op otherwise, and where `progress` does not increase.
   *
   * @see MCP basic/utilities/progress
   */
  progress(progress: number, total?: number, message?: string): void;

  /**
   * Sends a log entry to the client where it wants entries of this level.
   *
   * @see MCP server/utilities/logging
   */
  log(level: LogLevel, data: unknown, logger?: string): void;

  /** Tells whether the session or this request declared an extension. */
  hasExtension(id: string): boolean;
}
