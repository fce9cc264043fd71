import { uniteScopes } from '../../../core/oauth/scope.js';
import type { AuthSettings } from '../../settings/auth/auth-options.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import type { DeclaredAccess } from './declared-access.js';

/** Scopes that ask the authorization server for something of its own, not for access to a resource. */
export const NOT_OF_RESOURCES: ReadonlySet<string> = new Set(['openid', 'offline_access']);

/** The scopes that clients are told about. */
export class AdvertisedScopes {
  readonly #auth: AuthSettings | undefined;

  constructor(
    { auth }: ServerSettings,
    private readonly declared: DeclaredAccess,
  ) {
    this.#auth = auth;
  }

  /** What clients put before a scope when they ask for it. */
  get prefix(): string {
    return this.#auth?.jwt.find(({ scopePrefix }) => scopePrefix !== '')?.scopePrefix ?? '';
  }

  /** The scopes that a client without a token should ask for: those of every request, or else those of the handlers. */
  get first(): readonly string[] {
    const { requiredScopes = [], scopesSupported = [] } = this.#auth ?? {};
    if (requiredScopes.length > 0) return requiredScopes;
    const { scopes } = this.declared;
    return withoutForeign(scopes.length > 0 ? scopes : scopesSupported);
  }

  /** What the metadata shows (RFC 9728 §2, `scopes_supported`). */
  get supported(): readonly string[] {
    const { requiredScopes = [], scopesSupported } = this.#auth ?? {};
    return scopesSupported ?? withoutForeign(uniteScopes(requiredScopes, this.declared.scopes));
  }
}

function withoutForeign(scopes: readonly string[]): readonly string[] {
  return scopes.filter((scope) => !NOT_OF_RESOURCES.has(scope));
}
