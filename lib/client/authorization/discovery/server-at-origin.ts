import { isDeepStrictEqual } from 'node:util';
import type { AuthorizationServerMetadata } from '../../../core/oauth/authorization-server-metadata.js';
import { findResourceDocument, isAbsent } from '../../../core/oauth/documents/find-resource-document.js';
import { createDocumentGet, getFound, type DocumentFetch } from './fetch-document.js';
import type { McpAuthInfo } from './mcp-auth-info.interface.js';
import { parseServerMetadata } from './server-metadata.js';

/**
 * Gets the metadata of a server that is its own authorization server; if it has none, the default endpoints.
 *
 * @see MCP 2025-03-26 basic/authorization
 */
export async function getServerAtOrigin(
  serverUrl: string,
  fetching: DocumentFetch,
): Promise<AuthorizationServerMetadata> {
  const { origin } = new URL(serverUrl);
  const url = `${origin}/.well-known/oauth-authorization-server`;
  // It is a place of the resource's: endpoints are assumed if it definitely has nothing to say.
  const reply = await findResourceDocument([url], createDocumentGet(fetching));
  if (isAbsent(reply)) return buildMetadata(origin);
  // Both spellings of the issuer have their metadata there.
  return parseServerMetadata(reply.url, getFound(reply), { issuers: [origin, `${origin}/`], ...fetching });
}

/** Tells whether nothing at all was found: the server named no authorization server, and its endpoints are assumed. */
export function isAssumed({ legacyDiscovery, authorizationServer }: McpAuthInfo): boolean {
  return legacyDiscovery && isDeepStrictEqual(authorizationServer, buildMetadata(authorizationServer.issuer));
}

function buildMetadata(origin: string): AuthorizationServerMetadata {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
  };
}
