/** A token of RFC 6750 §2.1. The flag for either case would double what the long token costs. */
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

/** Tells whether an `Authorization` header is of the scheme `DPoP`, well-formed or not. */
export function isOfDpopScheme(header: unknown): boolean {
  return typeof header === 'string' && /^dpop(?:\s|$)/i.test(header);
}
