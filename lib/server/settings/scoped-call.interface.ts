import type { ClientCapabilities } from '../../core/protocol/capabilities.js';
import type { Implementation } from '../../core/protocol/definitions.js';
import type { Params } from '../../core/protocol/json-rpc.js';
import type { RequestMeta } from '../../core/protocol/meta-keys.js';
import type { Revision } from '../../core/protocol/revisions.js';
import type { Claims } from '../../core/oauth/access-token.js';

/**
 * A call whose scopes a function computes.
 *
 * @example
 * class ProjectTools { @Tool({ inputSchema: Move }) @RequireScope((call: ScopedCall<Move>) => [
 *     `project:${call.arguments.from}:write`,
 *     `project:${call.arguments.to}:write`,
 *   ])
 *   move({ from, to, ticket }: Move) {
 *     return this.projects.move(ticket, from, to);
 *   }
 * }
 */
export interface ScopedCall<Arguments extends object = OpenArguments> {
  /** The called handler, event source, or application route behind `McpAuthGuard`. */
  readonly kind: ScopedKind;
  /** The handler's name as lists show it, or the class and method of a route. */
  readonly name: string;
  /** The arguments that the handler receives: validated, with defaults. For a completion, those that already have a value. */
  readonly arguments: Arguments;
  /** The variables of the URI template, or the route parameters. */
  readonly variables: { readonly [name: string]: string | readonly string[] };
  /** The resource URI; absent if the call does not concern a resource. */
  readonly uri?: string | undefined;
  /** The argument to complete, which is not in `arguments`. Absent unless the call requests suggestions. */
  readonly completes?: string | undefined;
  /** The request and its caller. On an application route, it has only `auth`, `http` and `signal`. */
  readonly context: Pick<VisibilityContext, 'auth' | 'http' | 'signal'> & Partial<VisibilityContext>;
}

/** The kinds of calls whose scopes can depend on the call. */
export type ScopedKind =
  'tool' | 'resource' | 'resourceTemplate' | 'prompt' | 'completion' | 'eventSource' | 'route';

/** Arguments without a type. */
export interface OpenArguments {
  readonly [name: string]: unknown;
}

/**
 * Returns the scopes that a call requires. The token must have all of them. `[]` means that the call requires none.
 * If the function throws or returns anything else, the call is rejected. The function must check separators itself,
 * because the value `alpha:admin` changes the meaning of `project:${project}`.
 */
export type ScopeFunction<Arguments extends object = OpenArguments> = (
  call: ScopedCall<Arguments>,
) => string | readonly string[] | Promise<string | readonly string[]>;

/** A scope, a template such as `project:{project}:read`, or a function that returns scopes. */
export type ScopeRequirement<Arguments extends object = OpenArguments> = string | ScopeFunction<Arguments>;

/** The request for which visibility is decided. It is the read-only part of `McpContext`. */
export interface VisibilityContext {
  /** The method, for example `tools/list` or `tools/call`. */
  readonly method: string;
  readonly params: Params;
  readonly meta: RequestMeta;
  readonly revision: Revision;
  readonly client: { readonly info?: Implementation; readonly capabilities: ClientCapabilities };
  /** The session; absent if the revision has none. */
  readonly session?: { readonly id: string } | undefined;
  /** The HTTP request; absent on other transports. */
  readonly http?:
    | {
        readonly headers: { readonly [name: string]: string | string[] | undefined };
        readonly request: unknown;
      }
    | undefined;
  /** The caller. */
  readonly auth: { readonly claims: Claims | undefined; hasScope(scope: string): boolean };
  /** Aborted when no client is waiting for the response anymore. */
  readonly signal: AbortSignal;
}
