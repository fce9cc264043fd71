import { uniteScopes } from '../../../core/oauth/scope.js';

/** From where scopes come. */
export interface ScopeSources {
  /** The scopes that the server asks for now. */
  readonly challenged: readonly string[];
  /** The scopes that the client always asks for. */
  readonly configured: readonly string[];
  /** The scopes that were asked for until now. */
  readonly requested: readonly string[];
  /** The scopes that the metadata of the server names. */
  readonly ofResource: readonly string[] | undefined;
  /** The scopes that the metadata of the authorization server names. */
  readonly ofAuthorizationServer: readonly string[] | undefined;
}

/** The scope by which clients ask for refresh tokens (OpenID Connect Core 1.0 §11). */
export const OFFLINE_ACCESS = 'offline_access';

/**
 * Selects the scopes to ask for: those that the server asks for now, and all earlier ones. If there are none, it
 * selects all scopes of the server's metadata. Refresh tokens are asked for if the authorization server knows of a
 * scope for them.
 *
 * @see MCP 2026-07-28 basic/authorization
 */
export function selectScopes(sources: ScopeSources): readonly string[] {
  const { challenged, configured, requested, ofResource = [], ofAuthorizationServer = [] } = sources;
  const named = uniteScopes(requested, configured, challenged);
  const all = named.length === 0 ? uniteScopes(ofResource) : named;
  // Without any scope an authorization server chooses its own, which that one would end.
  const canRefresh = all.length > 0 && ofAuthorizationServer.includes(OFFLINE_ACCESS);
  const chosen = all.filter((scope) => scope !== OFFLINE_ACCESS);
  return canRefresh ? [...chosen, OFFLINE_ACCESS] : chosen;
}
