import type { VisibilityContext } from './visibility-context.interface.js';

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
  /** What is called: a handler, an event source, or a route of the application behind `McpAuthGuard`. */
  readonly kind: ScopedKind;
  /** The name of the handler as lists show it; class and method of a route. */
  readonly name: string;
  /** The arguments as the handler gets them: validated, with defaults. Those of a completion are what the user has settled. */
  readonly arguments: Arguments;
  /** The variables of the URI template, or the parameters of the route. */
  readonly variables: { readonly [name: string]: string | readonly string[] };
  /** The URI of the resource; absent if it is about none. */
  readonly uri?: string | undefined;
  /** The argument that is completed, and is not in `arguments`. Absent unless suggestions are asked for. */
  readonly completes?: string | undefined;
  /** The request and its caller. On a route of the application it has only `auth`, `http` and `signal`. */
  readonly context: Pick<VisibilityContext, 'auth' | 'http' | 'signal'> & Partial<VisibilityContext>;
}

/** What may be called with scopes that depend on the call. */
export type ScopedKind =
  'tool' | 'resource' | 'resourceTemplate' | 'prompt' | 'completion' | 'eventSource' | 'route';

/** Arguments without a type. */
export interface OpenArguments {
  readonly [name: string]: unknown;
}

/**
 * Returns the scopes that a call needs: one, or several, of which the token must have all; `[]` for none. If it throws, or
 * returns anything else, the call is refused. It must check separators itself: `alpha:admin` changes `project:${project}`.
 */
export type ScopeFunction<Arguments extends object = OpenArguments> = (
  call: ScopedCall<Arguments>,
) => string | readonly string[] | Promise<string | readonly string[]>;

/** A scope, a template such as `project:{project}:read`, or a function that returns scopes. */
export type ScopeRequirement<Arguments extends object = OpenArguments> = string | ScopeFunction<Arguments>;
