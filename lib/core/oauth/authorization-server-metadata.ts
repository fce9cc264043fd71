/**
 * The metadata of an authorization server, as far as it matters here.
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
  /** Whether the URL of a document can be a client's id (OAuth Client ID Metadata Document §5). */
  readonly client_id_metadata_document_supported?: boolean;
  /** Whether authorization responses contain `iss` (RFC 9207 §3). */
  readonly authorization_response_iss_parameter_supported?: boolean;
  /** The accepted algorithms of DPoP proofs (RFC 9449 §5.1). */
  readonly dpop_signing_alg_values_supported?: readonly string[];
  readonly [member: string]: unknown;
}
