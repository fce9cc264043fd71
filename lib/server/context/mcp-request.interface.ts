import type { McpContext } from './mcp-context.interface.js';

/**
 * What request-scoped providers of a handler inject as Nest's `REQUEST`, and what a `ContextIdStrategy` gets. It is the context
 * of the call, with everything that the HTTP request has for providers that controllers use as well.
 *
 * If both have a member of one name, it is the context's: `method` is `tools/call`, and `params` are those of the protocol.
 *
 * @example
 * class Tenant { constructor(@Inject(REQUEST) private readonly request: McpRequest) {}
 *   get id() {
 *     return this.request.headers['x-tenant-id'];
 *   }
 * }
 */
export interface McpRequest extends McpContext {
  /** The headers of the HTTP request; none if there was no such request. */
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  /** The user that a middleware or Passport has found. Like all that follows, it is `undefined` if the HTTP request has none. */
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
