/**
 * The metadata of a protected resource.
 *
 * @see RFC 9728 §2
 */
export interface ProtectedResourceMetadata {
  readonly resource: string;
  readonly authorization_servers: readonly string[];
  readonly scopes_supported?: readonly string[];
  readonly bearer_methods_supported?: readonly string[];
  /** The accepted algorithms of the proofs for bound tokens (RFC 9449). */
  readonly dpop_signing_alg_values_supported?: readonly string[];
  /** Whether tokens must be bound to a key. @default false */
  readonly dpop_bound_access_tokens_required?: boolean;
  readonly [member: string]: unknown;
}
