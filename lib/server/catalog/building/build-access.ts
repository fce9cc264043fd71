import { explainError } from '../../../core/log/explain-error.js';
import { isScope, uniteScopes } from '../../../core/oauth/scope.js';
import { isScopeTemplate, ScopeTemplate } from '../../../core/oauth/scope-template.js';
import type { AccessOptions } from '../../settings/handler-options.interface.js';
import type { ScopeFunction, ScopeRequirement } from '../../settings/scoped-call.interface.js';
import { CatalogError } from '../catalog.error.js';
import type { Access } from '../entries.js';
import { DynamicScopes } from '../scopes/dynamic-scopes.js';

/**
 * Builds the access of an entry. The result is empty if its options do not set it.
 *
 * @throws {CatalogError} if a scope is not one, or a public entry requires one
 */
export function buildAccess({ requiredScopes = [], isPublic = false }: AccessOptions): {
  readonly access?: Access;
} {
  if (!Array.isArray(requiredScopes) || !requiredScopes.every(isRequirement)) {
    throw CatalogError.invalid(
      'The option "requiredScopes" must be an array of scopes such as "desk:write", without spaces, of templates such as "desk:{id}:write", or of functions that tell scopes',
    );
  }
  if (typeof isPublic !== 'boolean') {
    throw CatalogError.invalid('The option "isPublic" must be true or false');
  }
  if (isPublic && requiredScopes.length > 0) {
    throw CatalogError.invalid(
      'It cannot be public and require scopes: remove @Public() or @RequireScope() ("isPublic" or "requiredScopes")',
    );
  }
  if (!isPublic && requiredScopes.length === 0) return {};
  return { access: { isPublic, ...buildScopes(requiredScopes) } };
}

/** Tells scopes that are always the same from those that depend on the call. */
export function buildScopes(requirements: readonly ScopeRequirement[]): Pick<Access, 'scopes' | 'dynamic'> {
  const texts = requirements.filter((one) => typeof one === 'string');
  const functions = requirements.filter((one): one is ScopeFunction => typeof one === 'function');
  const templates = texts.filter(isScopeTemplate).map(buildTemplate);
  const scopes = uniteScopes(texts.filter((one) => !isScopeTemplate(one)));
  if (templates.length + functions.length === 0) return { scopes };
  return { scopes, dynamic: new DynamicScopes(templates, functions) };
}

function buildTemplate(text: string): ScopeTemplate {
  try {
    return new ScopeTemplate(text);
  } catch (error) {
    throw CatalogError.invalid(explainError(error), error);
  }
}

/** What is wrong with a template is said when it is built. */
function isRequirement(one: unknown): one is ScopeRequirement {
  return typeof one === 'function' || isScope(one) || (typeof one === 'string' && isScopeTemplate(one));
}
