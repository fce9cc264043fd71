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
