/**
 * What a protected resource says of itself.
 *
 * @see RFC 9728 §2
 */
export interface ProtectedResourceMetadata {
  readonly resource: string;
  readonly authorization_servers: readonly string[];
  readonly scopes_supported?: readonly string[];
  readonly bearer_methods_supported?: readonly string[];
  readonly [member: string]: unknown;
}
