import type { AuthorizationServerMetadata } from '../../../core/oauth/authorization-server-metadata.js';
import { isSecureUrl } from '../../../core/oauth/secure-url.js';
import { DiscoveryFailedError, InsecureEndpointError, PkceUnsupportedError } from '../errors/errors.js';

/** A member of an authorization server's metadata that holds the URL of an endpoint for clients. */
export type EndpointMember =
  'authorization_endpoint' | 'token_endpoint' | 'registration_endpoint' | 'revocation_endpoint';

/**
 * Returns the URL of one of an authorization server's endpoints.
 *
 * @throws {DiscoveryFailedError} if its metadata has none
 * @throws {InsecureEndpointError} if others could read what is sent there
 */
export function getEndpoint(
  metadata: AuthorizationServerMetadata,
  member: EndpointMember,
  insecureHosts: readonly string[] = [],
): string {
  const url: unknown = metadata[member];
  if (url === undefined) {
    throw new DiscoveryFailedError({ url: metadata.issuer, fault: `names no "${member}" in its metadata` });
  }
  if (!isSecureUrl(url, insecureHosts))
    throw new InsecureEndpointError(typeof url === 'string' ? url : JSON.stringify(url), member);
  return url;
}

/** Issuers that are known to check PKCE with S256 without saying so. */
export interface PkceOptions {
  /** Issuers that check PKCE with S256 and list no methods in their metadata. @default [] */
  readonly assumeS256?: readonly string[] | undefined;
}

/**
 * Refuses an authorization server that does not say that it checks PKCE with S256. A server that lists only other
 * methods is refused even if `assumeS256` names it.
 *
 * @throws {PkceUnsupportedError} if its metadata does not list "S256"
 * @see MCP 2026-07-28 basic/authorization, RFC 7636 §4.2
 */
export function assertPkceSupported(
  metadata: AuthorizationServerMetadata,
  { assumeS256 = [] }: PkceOptions = {},
): void {
  const { code_challenge_methods_supported: methods = [], issuer } = metadata;
  if (methods.includes('S256')) return;
  const isSilent = methods.length === 0;
  if (!isSilent || !assumeS256.includes(issuer)) throw new PkceUnsupportedError(issuer, isSilent);
}
