import { differBySlash } from '../../../core/oauth/same-issuer.js';
import { quoteChoices, quoteValue } from '../quote-value.js';

/** Says that a token is not from an expected issuer, and what to do if the issuers differ only by a slash. */
export function explainIssuer(found: unknown, expected: readonly string[]): string {
  const difference = `"iss" is ${quoteValue(found)}, expected ${quoteChoices(expected)}`;
  const isNear = typeof found === 'string' && expected.some((issuer) => differBySlash(issuer, found));
  return isNear
    ? `${difference}: write the slash as "iss" has it, or set "auth.ignoreIssuerSlash"`
    : difference;
}
