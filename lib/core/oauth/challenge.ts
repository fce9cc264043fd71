/** An HTTP authentication scheme for access tokens (RFC 6750 §2.1, RFC 9449 §7.1). */
export type TokenScheme = 'Bearer' | 'DPoP';

/** The parameters of a `WWW-Authenticate` challenge, under their wire names. */
export interface TokenChallenge {
  /** The URL of the resource metadata (RFC 9728 §5.1). */
  readonly resource_metadata?: string | undefined;
  /** Why the request was refused; absent if no token was sent (RFC 6750 §3.1). */
  readonly error?: string | undefined;
  /** The scopes that are needed, separated by spaces. */
  readonly scope?: string | undefined;
  /** A sentence for developers. */
  readonly error_description?: string | undefined;
  /** The algorithms that proofs may be signed with, separated by spaces (RFC 9449 §7.1). */
  readonly algs?: string | undefined;
}

/**
 * Formats a challenge for the header, with its parameters in the given order.
 * Writes a challenge as a header has it, its parameters in the order in which they are given.
 *
 * @example
 * formatChallenge('Bearer', { error: 'invalid_token' }); // 'Bearer error="invalid_token"'
 *
 * @see RFC 6750 §3, RFC 9728 §5.1, RFC 9449 §7.1
 */
export function formatChallenge(scheme: TokenScheme, challenge: TokenChallenge): string {
  const parameters = Object.entries(challenge).flatMap(([name, value]) =>
    typeof value === 'string' ? [`${name}=${quote(value)}`] : [],
  );
  return parameters.length === 0 ? scheme : `${scheme} ${parameters.join(', ')}`;
}

/** Formats a quoted-string (RFC 9110 §5.6.4), without characters that a header cannot contain. */
function quote(text: string): string {
  return `"${text.replace(/[^\t\x20-\x7e]/g, '').replace(/["\\]/g, String.raw`\$&`)}"`;
}
