import { isScope } from '../../oauth/scope.js';
import type { AccessOptions } from '../../settings/handler-options.interface.js';
import { CatalogueError } from '../catalogue.error.js';
import type { Access } from '../entries.js';

/**
 * Builds who may call an entry; nothing where its options say nothing of it.
 *
 * @throws {CatalogueError} where a scope is not one, or a public entry requires one
 */
export function buildAccess({ requiredScopes = [], isPublic = false }: AccessOptions): {
  readonly access?: Access;
} {
  for (const scope of requiredScopes) {
    if (!isScope(scope)) {
      throw CatalogueError.invalid(`"requiredScopes" must hold scopes such as "desk:write", without spaces`);
    }
  }
  if (isPublic && requiredScopes.length > 0) {
    throw CatalogueError.invalid(
      'a public handler cannot require scopes: take "Public" or "RequireScope" back',
    );
  }
  if (!isPublic && requiredScopes.length === 0) return {};
  return { access: { scopes: requiredScopes, isPublic } };
}
