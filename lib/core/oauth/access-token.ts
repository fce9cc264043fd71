/** A token of RFC 6750 §2.1. The case-insensitive flag would double the cost of a long token. */
const CREDENTIALS = /^[Bb][Ee][Aa][Rr][Ee][Rr] +([A-Za-z0-9\-._~+/]+=*) *$/;

/**
 * Reads the token of an `Authorization` header.
 *
 * @returns nothing if the header is of another scheme or not well-formed
 * @see RFC 6750 §2.1, RFC 9110 §11.1
 */
export function parseBearerToken(header: string): string | undefined {
  return CREDENTIALS.exec(header)?.[1];
}

const BOUND_CREDENTIALS = /^[Dd][Pp][Oo][Pp] +([A-Za-z0-9\-._~+/]+=*) *$/;

/**
 * Reads the token of an `Authorization` header that is bound to a key.
 *
 * @returns nothing if the header is of another scheme or not well-formed
 * @see RFC 9449 §7.1
 */
export function parseBoundToken(header: string): string | undefined {
  return BOUND_CREDENTIALS.exec(header)?.[1];
}

/** Returns whether an `Authorization` header has the scheme `DPoP`, well-formed or not. */
export function isDpopScheme(header: unknown): boolean {
  return typeof header === 'string' && /^dpop(?:\s|$)/i.test(header);
}

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

const LONGEST_MARGIN_MS = 30_000;

/**
 * Computes how many milliseconds before its expiry a token is no longer used, so that it does not expire in transit: 30
 * seconds, or half of its lifetime if that is less.
 *
 * @param lifetimeMs the lifetime, counted from the request; `Infinity` if unknown
 */
export function computeExpiryMargin(lifetimeMs: number): number {
  return Math.min(LONGEST_MARGIN_MS, Math.max(0, lifetimeMs) / 2);
}
