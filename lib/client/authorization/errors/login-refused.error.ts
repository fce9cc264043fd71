import { ClientAuthError } from './client-auth.error.js';
import { quoteText } from './quote.js';
import { selectLoginRemedy } from './refusal-remedies.js';

/** Is thrown if the authorization server or the user refused a login. */
export class LoginRefusedError extends ClientAuthError {
  override readonly name = 'LoginRefusedError';
  readonly code = 'login_refused';

  constructor(
    readonly issuer: string,
    /** Why, by its name on the wire, such as `access_denied` (RFC 6749 §4.1.2.1). */
    readonly error: string,
    /** What the authorization server says to developers. */
    readonly description?: string,
    options?: ErrorOptions,
  ) {
    super(
      `${quoteText(issuer)} refused the login with ${quoteText(error)}${description === undefined ? '' : ` (${quoteText(description)})`}: ${selectLoginRemedy(error)}`,
      options,
    );
  }
}
