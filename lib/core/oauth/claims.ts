/**
 * The caller of a request, as identified by a validated token.
 * The caller of a request, as a validated token names it.
 *
 * @see RFC 9068 §2.2, RFC 7662 §2.2
 */
export interface Claims {
  /** The subject of the token (`sub`); absent if its issuer does not name one. */
  readonly sub?: string;
  /** Who issued the token (`iss`); absent for tokens that name no issuer. */
  readonly iss?: string;
  /** The audience of the token (`aud`). */
  readonly aud: readonly string[];
  /** The scopes of the token. */
  readonly scopes: readonly string[];
  /** The client that the token was issued to. */
  readonly clientId?: string;
  /** When the token expires, in seconds since the epoch (`exp`). */
  readonly expiresAt?: number;
  /** Every other claim, as the token has it. */
  readonly extra: { readonly [name: string]: unknown };
}

/** Claims as returned by a custom validator. A missing property counts as empty. */
export type GivenClaims = Partial<Claims>;

/** Fills in the properties that a validator left out. */
export function completeClaims(given: GivenClaims): Claims {
  return { ...given, aud: given.aud ?? [], scopes: given.scopes ?? [], extra: given.extra ?? {} };
}
