import { ClientAuthError } from './client-auth.error.js';
import { quoteText } from './quote.js';

/** Is thrown where an authorization server, or its answer, names another issuer than the one that was asked. */
export class IssuerMismatchError extends ClientAuthError {
  override readonly name = 'IssuerMismatchError';
  readonly code = 'issuer_mismatch';

  constructor(
    readonly expected: string,
    /** The issuer that was named; absent where none was. */
    readonly found: string | undefined,
  ) {
    super(
      `The authorization server must name the issuer ${quoteText(expected)}, and it is ${quoteText(found)}: log in nowhere until whoever runs the server has explained it`,
    );
  }
}
