import { ClientAuthError } from './client-auth.error.js';
import { quoteText } from './quote.js';

/** Is thrown if an answer to a login does not belong to the login that was begun: somebody else may have sent it. */
export class StateMismatchError extends ClientAuthError {
  override readonly name = 'StateMismatchError';
  readonly code = 'state_mismatch';

  constructor(readonly issuer: string) {
    super(
      `The answer that came back from ${quoteText(issuer)} must have the "state" of this login, and has another: log in again, and finish no login that you did not begin`,
    );
  }
}
