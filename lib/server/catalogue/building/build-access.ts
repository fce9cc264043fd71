import { isScope, uniteScopes } from '../../../core/oauth/scope.js';
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
  if (!Array.isArray(requiredScopes) || !requiredScopes.every(isScope)) {
    throw CatalogueError.invalid(
      'The option "requiredScopes" must be an array of scopes such as "desk:write", without spaces',
    );
  }
  if (typeof isPublic !== 'boolean') {
    throw CatalogueError.invalid('The option "isPublic" must be true or false');
  }
  if (isPublic && requiredScopes.length > 0) {
    throw CatalogueError.invalid(
      'It cannot be public and require scopes: take "Public" or "RequireScope" back ("isPublic" or "requiredScopes")',
    );
  }
  if (!isPublic && requiredScopes.length === 0) return {};
  return { access: { scopes: uniteScopes(requiredScopes), isPublic } };
}
