import { isScope, uniteScopes } from '../../core/oauth/scope.js';
import { addAccessMetadata } from './access-metadata.js';

/**
 * Lets a handler, or every handler of a class, be called with a token alone that has all of some scopes. What a class
 * requires, its handlers and the classes that extend it require too.
 *
 * It is checked before the handler and anything around it runs: over HTTP the answer is 403 with a challenge that names every
 * scope the call needs. It drives the scopes that clients are told of as well.
 *
 * @throws {TypeError} where a scope is not one
 * @example
 * class TicketTools { @Tool() @RequireScope('desk:write')
 *   close({ id }: { id: number }) {
 *     return this.tickets.close(id);
 *   }
 * }
 *
 * @see MCP 2026-07-28 basic/authorization
 */
export function RequireScope(...scopes: readonly string[]): ClassDecorator & MethodDecorator {
  if (scopes.length === 0) throw new TypeError('"RequireScope" must name a scope such as "desk:write"');
  for (const scope of scopes) {
    if (!isScope(scope))
      throw new TypeError(
        `"RequireScope" cannot require ${JSON.stringify(scope)}: a scope has no spaces or quotes`,
      );
  }
  return addAccessMetadata((present) => ({
    ...present,
    // Decorators run from the lowest to the highest, and scopes count from the highest.
    scopes: uniteScopes(scopes, present.scopes ?? []),
  }));
}
