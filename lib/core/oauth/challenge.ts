/** The parameters of a `WWW-Authenticate` header of the scheme `Bearer`, by their names on the wire. */
export interface BearerChallenge {
  /** Where the metadata of the resource is found (RFC 9728 §5.1). */
  readonly resource_metadata?: string | undefined;
  /** Why the request was refused; absent where no token was sent (RFC 6750 §3.1). */
  readonly error?: string | undefined;
  /** The scopes that are needed, separated by spaces. */
  readonly scope?: string | undefined;
  /** A sentence for developers. */
  readonly error_description?: string | undefined;
}

/**
 * Writes a challenge as a header has it, its parameters in the order in which they are given.
 *
 * @example
 * formatBearerChallenge({ error: 'invalid_token' }); // 'Bearer error="invalid_token"'
 *
 * @see RFC 6750 §3, RFC 9728 §5.1
 */
export function formatBearerChallenge(challenge: BearerChallenge): string {
  const parameters = Object.entries(challenge).flatMap(([name, value]) =>
    typeof value === 'string' ? [`${name}=${quote(value)}`] : [],
  );
  return parameters.length === 0 ? 'Bearer' : `Bearer ${parameters.join(', ')}`;
}

/** Writes a quoted-string (RFC 9110 §5.6.4); what no header may carry is left out. */
function quote(text: string): string {
  return `"${text.replace(/[^\t\x20-\x7e]/g, '').replace(/["\\]/g, String.raw`\$&`)}"`;
}
