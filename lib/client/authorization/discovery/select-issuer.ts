import { isSameIssuer } from '../../../core/oauth/same-issuer.js';
import { IssuerMismatchError } from '../errors/errors.js';

/**
 * Selects of the issuers that a server names the one that credentials are for, or else the first.
 *
 * @throws {IssuerMismatchError} if that one is not named: no other gets the credentials
 */
export function selectIssuer(
  expected: string | undefined,
  issuers: readonly string[],
  ignoreSlash: boolean | undefined,
): string | undefined {
  if (expected === undefined) return issuers[0];
  const found = issuers.find((issuer) => isSameIssuer(expected, issuer, ignoreSlash));
  if (found === undefined) throw new IssuerMismatchError(expected, issuers[0]);
  return found;
}
