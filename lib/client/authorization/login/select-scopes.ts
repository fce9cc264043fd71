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
 * Selects what to ask for: what the server asks for now, and what was asked for before; if that is nothing, all that
 * the server's metadata names. Refresh tokens are asked for if the authorization server knows of a scope for them.
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
