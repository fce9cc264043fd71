/** A token as in RFC 6750 §2.1. The case-insensitive flag would double the cost of a long token. */
const CREDENTIALS = /^[Bb][Ee][Aa][Rr][Ee][Rr] +([A-Za-z0-9\-._~+/]+=*) *$/;

/**
 * Reads the token from an `Authorization` header.
 *
 * @returns `undefined` if the header has another scheme or is malformed
 * @see RFC 6750 §2.1, RFC 9110 §11.1
 */
export function parseBearerToken(header: string): string | undefined {
  return CREDENTIALS.exec(header)?.[1];
}

const BOUND_CREDENTIALS = /^[Dd][Pp][Oo][Pp] +([A-Za-z0-9\-._~+/]+=*) *$/;

/**
 * Reads a key-bound token from an `Authorization` header.
 *
 * @returns `undefined` if the header has another scheme or is malformed
 * @see RFC 9449 §7.1
 */
export function parseBoundToken(header: string): string | undefined {
  return BOUND_CREDENTIALS.exec(header)?.[1];
}

/** Returns whether an `Authorization` header has the scheme `DPoP`, whether well-formed or not. */
export function isDpopScheme(header: unknown): boolean {
  return typeof header === 'string' && /^dpop(?:\s|$)/i.test(header);
}

/**
 * A request's caller, as identified by a validated token.
 *
 * @see RFC 9068 §2.2, RFC 7662 §2.2
 */
export interface Claims {
  /** The token subject (`sub`); absent if its issuer does not name one. */
  readonly sub?: string;
  /** The token issuer (`iss`); absent if the token does not name one. */
  readonly iss?: string;
  /** The token audience (`aud`). */
  readonly aud: readonly string[];
  /** The token's scopes. */
  readonly scopes: readonly string[];
  /** The client that the token was issued to. */
  readonly clientId?: string;
  /** When the token expires, in seconds since the epoch (`exp`). */
  readonly expiresAt?: number;
  /** All other claims, unchanged. */
  readonly extra: { readonly [name: string]: unknown };
}

/** Returns who vouches for a caller. Without an issuer, each kind of validator may know a different caller with the same subject. */
export function findAuthority(iss: string | undefined, method: string | undefined) {
  return iss === undefined ? { method } : { issuer: iss };
}

/** Claims as returned by a custom validator. A missing property is treated as empty. */
export type GivenClaims = Partial<Claims>;

/** Fills in the properties that a validator omitted. */
export function completeClaims(given: GivenClaims): Claims {
  return { ...given, aud: given.aud ?? [], scopes: given.scopes ?? [], extra: given.extra ?? {} };
}

const LONGEST_MARGIN_MS = 30_000;

/**
 * Computes how many milliseconds before expiry to stop using a token, so that it does not expire in transit: 30
 * seconds, or half of its lifetime if that is less.
 *
 * @param lifetimeMs the lifetime, counted from the request; `Infinity` if unknown
 */
export function computeExpiryMargin(lifetimeMs: number): number {
  return Math.min(LONGEST_MARGIN_MS, Math.max(0, lifetimeMs) / 2);
}
