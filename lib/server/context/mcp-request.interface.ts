import type { McpContext } from './mcp-context.interface.js';

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
