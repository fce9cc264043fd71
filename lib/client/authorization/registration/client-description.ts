import type { AuthorizationServerMetadata } from '../../../core/oauth/authorization-server-metadata.js';
import { isLoopbackUrl } from '../../../core/oauth/secure-url.js';

/** What a client tells about itself. */
export interface ClientDescription {
  /** What users are shown. */
  readonly clientName: string;
  /** Where the authorization server sends users back to. */
  readonly redirectUri: string;
}

/** In the order of preference: what runs on a user's machine can keep no secret from them. */
const METHODS = ['none', 'client_secret_basic', 'client_secret_post'];

/**
 * Builds the metadata with which a client registers.
 *
 * It names no scope, which it would be held to: it asks for more when a server does.
 *
 * @see RFC 7591 §2, OpenID Connect Dynamic Client Registration 1.0 §2, MCP 2026-07-28 basic/authorization
 */
export function buildClientMetadata(
  { clientName, redirectUri }: ClientDescription,
  server: AuthorizationServerMetadata,
): { readonly [member: string]: unknown } {
  const { grant_types_supported: grants, token_endpoint_auth_methods_supported: methods = METHODS } = server;
  const canRefresh = grants === undefined || grants.includes('refresh_token');
  return {
    client_name: clientName,
    redirect_uris: [redirectUri],
    application_type: isWebUrl(redirectUri) ? 'web' : 'native',
    grant_types: ['authorization_code', ...(canRefresh ? ['refresh_token'] : [])],
    response_types: ['code'],
    token_endpoint_auth_method: METHODS.find((method) => methods.includes(method)) ?? 'none',
  };
}

function isWebUrl(redirectUri: string): boolean {
  return /^https?:/i.test(redirectUri) && !isLoopbackUrl(redirectUri);
}
