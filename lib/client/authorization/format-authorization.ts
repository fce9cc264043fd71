import { isHeaderWord } from '../../core/words/is-header-word.js';
import { UnusableTokenError } from './errors/errors.js';

/**
 * Returns the value of the header `Authorization` for a token.
 *
 * @throws {UnusableTokenError} before `fetch` would refuse it by an error that shows it
 * @see RFC 6750 §2.1, RFC 9449 §7.1
 */
export function formatAuthorization(token: string, scheme: 'Bearer' | 'DPoP' = 'Bearer'): string {
  // Not every issuer keeps to the characters of RFC 6750 §2.1.
  if (!isHeaderWord(token)) throw new UnusableTokenError(token === '');
  return `${scheme} ${token}`;
}
