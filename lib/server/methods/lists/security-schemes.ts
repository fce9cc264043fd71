import type { SecurityScheme } from '../../../core/protocol/definitions.js';
import type { Access } from '../../catalogue/entries.js';
import type { ServerSettings } from '../../settings/server-settings.js';

/**
 * Says how a tool is to be called if that differs from the rest of the server, for clients that show it before they
 * call.
 *
 * @see https://github.com/modelcontextprotocol/modelcontextprotocol/issues/1488
 */
export function buildSecuritySchemes(
  access: Access | undefined,
  { auth }: ServerSettings,
): readonly SecurityScheme[] | undefined {
  if (access === undefined || auth === undefined || auth.authorizationServers.length === 0) return undefined;
  if (access.isPublic) return [{ type: 'noauth' }];
  // Scopes that depend on the arguments appear in the challenge of a call.
  if (access.scopes.length === 0) return undefined;
  const scopes = new Set([...auth.requiredScopes, ...access.scopes]);
  return [{ type: 'oauth2', scopes: [...scopes] }];
}
