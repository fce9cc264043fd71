import { trimSlash } from './well-known.js';

/** Tells whether two issuers are written in the same way except for one slash at the end. */
export function differBySlash(one: string, other: string): boolean {
  return one !== other && trimSlash(one) === trimSlash(other);
}

/**
 * Tells whether a text names an issuer: character by character, unless a slash at the end is not to matter.
 *
 * @see RFC 8414 §3.3, RFC 9207 §2.4
 */
export function isSameIssuer(expected: string, found: unknown, ignoreIssuerSlash = false): found is string {
  if (expected === found) return true;
  return ignoreIssuerSlash && typeof found === 'string' && differBySlash(expected, found);
}
