import { trimSlash } from './well-known.js';

/** Returns whether two issuers differ only by one trailing slash. */
export function differBySlash(one: string, other: string): boolean {
  return one !== other && trimSlash(one) === trimSlash(other);
}

/**
 * Returns whether a value is the issuer, character by character, or optionally up to a trailing slash.
 *
 * @see RFC 8414 §3.3, RFC 9207 §2.4
 */
export function isSameIssuer(expected: string, found: unknown, ignoreIssuerSlash = false): found is string {
  if (expected === found) return true;
  return ignoreIssuerSlash && typeof found === 'string' && differBySlash(expected, found);
}
