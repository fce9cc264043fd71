import { UnusableTokenError } from './errors/unusable-token.error.js';

/** What headers carry as one word; not every issuer keeps to the characters of RFC 6750 §2.1. */
const SENDABLE = /^[\x21-\x7e]+$/;

/**
 * Returns the value of the header `Authorization` for a token.
 *
 * @throws {UnusableTokenError} before `fetch` would refuse it by an error that shows it
 * @see RFC 6750 §2.1, RFC 9449 §7.1
 */
export function formatAuthorization(token: string, scheme: 'Bearer' | 'DPoP' = 'Bearer'): string {
  if (!SENDABLE.test(token)) throw new UnusableTokenError(token === '');
  return `${scheme} ${token}`;
}
