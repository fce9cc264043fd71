import { differBySlash } from '../../../core/oauth/same-issuer.js';
import { ClientAuthError } from './client-auth.error.js';
import { quoteText } from './quote.js';

/** Is thrown if an authorization server, or its answer, names another issuer than the one that was asked. */
export class IssuerMismatchError extends ClientAuthError {
  override readonly name = 'IssuerMismatchError';
  readonly code = 'issuer_mismatch';

  constructor(
    readonly expected: string,
    /** The issuer that was named; absent if none was. */
    readonly found: string | undefined,
  ) {
    super(
      `The authorization server must name the issuer ${quoteText(expected)}, and it is ${quoteText(found)}: ${findRemedy(expected, found)}`,
    );
  }
}

/** A slash is hardly ever an attack. It is one if the two spellings belong to two parties. */
function findRemedy(expected: string, found: string | undefined): string {
  const isSlash = found !== undefined && differBySlash(expected, found);
  return isSlash
    ? 'have the server name it as it names itself, or set "ignoreIssuerSlash"'
    : 'do not log in until the person who runs the server has explained it';
}
