/** A token of RFC 6750 §2.1. The flag for either case would double what the long token costs. */
const CREDENTIALS = /^[Bb][Ee][Aa][Rr][Ee][Rr] +([A-Za-z0-9\-._~+/]+=*) *$/;

/**
 * Reads the token of an `Authorization` header.
 *
 * @returns nothing where the header is of another scheme or not well-formed
 * @see RFC 6750 §2.1, RFC 9110 §11.1
 */
export function parseBearerToken(header: string): string | undefined {
  return CREDENTIALS.exec(header)?.[1];
}
