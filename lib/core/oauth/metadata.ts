/**
 * The relevant part of an authorization server's metadata.
 *
 * @see RFC 8414 §2
 */
export interface AuthorizationServerMetadata {
  readonly issuer: string;
  readonly authorization_endpoint?: string;
  readonly token_endpoint?: string;
  readonly registration_endpoint?: string;
  readonly revocation_endpoint?: string;
  readonly introspection_endpoint?: string;
  readonly jwks_uri?: string;
  readonly scopes_supported?: readonly string[];
  readonly grant_types_supported?: readonly string[];
  readonly token_endpoint_auth_methods_supported?: readonly string[];
  readonly revocation_endpoint_auth_methods_supported?: readonly string[];
  readonly code_challenge_methods_supported?: readonly string[];
  /** Whether a document URL can be a client's id (OAuth Client ID Metadata Document §5). */
  readonly client_id_metadata_document_supported?: boolean;
  /** Whether authorization responses contain `iss` (RFC 9207 §3). */
  readonly authorization_response_iss_parameter_supported?: boolean;
  /** The accepted DPoP proof algorithms (RFC 9449 §5.1). */
  readonly dpop_signing_alg_values_supported?: readonly string[];
  readonly [member: string]: unknown;
}

/**
 * A protected resource's metadata.
 *
 * @see RFC 9728 §2
 */
export interface ProtectedResourceMetadata {
  readonly resource: string;
  readonly authorization_servers: readonly string[];
  readonly scopes_supported?: readonly string[];
  readonly bearer_methods_supported?: readonly string[];
  /** The accepted proof algorithms for bound tokens (RFC 9449). */
  readonly dpop_signing_alg_values_supported?: readonly string[];
  /** Whether tokens must be bound to a key. @default false */
  readonly dpop_bound_access_tokens_required?: boolean;
  readonly [member: string]: unknown;
}

/** Returns the URL of a protected resource's metadata (RFC 9728 §3.1). */
export function buildResourceMetadataUrl(resource: string): string {
  return insertWellKnown(resource, 'oauth-protected-resource');
}

/**
 * Returns the well-known URLs for a protected resource's metadata, in the order to try them: the URL for its path,
 * then the URL for its root.
 *
 * @see RFC 9728 §3.1, MCP 2026-07-28 basic/authorization
 */
export function buildResourceMetadataUrls(resource: string): readonly [string, ...string[]] {
  const atPath = buildResourceMetadataUrl(resource);
  const atRoot = buildResourceMetadataUrl(new URL(resource).origin);
  return atPath === atRoot ? [atPath] : [atPath, atRoot];
}

/**
 * Returns the possible URLs of an authorization server's metadata, in the order to try them.
 *
 * @see RFC 8414 §3.1, OpenID Connect Discovery 1.0 §4, MCP 2025-11-25 basic/authorization
 */
export function buildServerMetadataUrls(issuer: string): readonly string[] {
  const { pathname, origin } = new URL(issuer);
  const path = trimSlash(pathname);
  const inserted = [
    insertWellKnown(issuer, 'oauth-authorization-server'),
    insertWellKnown(issuer, 'openid-configuration'),
  ];
  return path === '' ? inserted : [...inserted, `${origin}${path}/.well-known/openid-configuration`];
}

/** Returns the well-known document's path for a path; `/` is the root form. */
export function buildWellKnownPath(name: string, path: string): string {
  return `/.well-known/${name}${trimSlash(path)}`;
}

function insertWellKnown(identifier: string, name: string): string {
  const { origin, pathname, search } = new URL(identifier);
  return `${origin}${buildWellKnownPath(name, pathname)}${search}`;
}

/** Removes one trailing slash. */
export function trimSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

/** Returns whether two issuers differ only by one trailing slash. */
export function differBySlash(one: string, other: string): boolean {
  return one !== other && trimSlash(one) === trimSlash(other);
}

/**
 * Returns whether a value equals the issuer exactly or, optionally, except for a trailing slash.
 *
 * @see RFC 8414 §3.3, RFC 9207 §2.4
 */
export function isSameIssuer(expected: string, found: unknown, ignoreIssuerSlash = false): found is string {
  if (expected === found) return true;
  return ignoreIssuerSlash && typeof found === 'string' && differBySlash(expected, found);
}
