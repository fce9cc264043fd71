import { isScope } from '../../core/oauth/scope.js';
import { isScopeTemplate, ScopeTemplate } from '../../core/oauth/scope-template.js';
import type { OpenArguments, ScopeRequirement } from '../settings/scoped-call.interface.js';
import { addAccessMetadata } from './access-metadata.js';

/**
 * Requires scopes of the caller's token. On a class, it applies to every handler of the class and of its subclasses.
 *
 * Scopes are checked before the handler and everything around it run. If one is missing, the answer over HTTP is 403,
 * with a challenge that names every scope of the call. The metadata lists the scopes too.
 *
 * A scope may depend on the call. `project:{project}:read` takes the value of an argument or of a variable of the URI
 * template. A function returns scopes. Clients learn these scopes only from the challenge of a call.
 *
 * @throws {TypeError} if a scope is malformed
 * @example
 * class TicketTools { @Tool() @RequireScope('desk:write')
 *   close({ id }: { id: number }) {
 *     return this.tickets.close(id);
 *   }
 * }
 * @example
 * class ProjectResources { @ResourceTemplate({ uriTemplate: 'project://{project}/plan' }) @RequireScope('project:{project}:read')
 *   plan({ project }: { project: string }) {
 *     return this.plans.get(project);
 *   }
 * }
 *
 * @see MCP 2026-07-28 basic/authorization
 */
export function RequireScope<Arguments extends object = OpenArguments>(
  ...scopes: readonly ScopeRequirement<Arguments>[]
): ClassDecorator & MethodDecorator {
  if (scopes.length === 0) throw new TypeError('"RequireScope" must name a scope such as "desk:write"');
  for (const scope of scopes) assertRequirement(scope);
  // Each function is called with the arguments of its handler, which have the type of its parameter.
  const required = scopes as readonly ScopeRequirement[];
  return addAccessMetadata((present) => ({
    ...present,
    // Decorators run from the bottom up, and scopes are listed from the top down.
    scopes: [...new Set([...required, ...(present.scopes ?? [])])],
  }));
}

function assertRequirement(scope: unknown): void {
  if (typeof scope === 'function' || isPlainScope(scope)) return;
  if (typeof scope === 'string' && isScopeTemplate(scope)) return void new ScopeTemplate(scope);
  throw new TypeError(
    `"RequireScope" cannot require ${JSON.stringify(scope)}: a scope has no spaces or quotes`,
  );
}

function isPlainScope(scope: unknown): boolean {
  return isScope(scope) && !isScopeTemplate(scope);
}
