/**
 * What an authorization server says of itself, as far as it matters here.
 *
 * @see RFC 8414 §2
 */
export interface AuthorizationServerMetadata {
  readonly issuer: string;
  readonly jwks_uri?: string;
  readonly introspection_endpoint?: string;
  readonly [member: string]: unknown;
}
