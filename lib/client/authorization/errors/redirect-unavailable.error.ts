import { ClientAuthError } from './client-auth.error.js';
import { quoteUrl } from './quote.js';

/** Is thrown if this machine cannot listen at the address to which the authorization server sends the user back. */
export class RedirectUnavailableError extends ClientAuthError {
  override readonly name = 'RedirectUnavailableError';
  readonly code = 'redirect_unavailable';

  constructor(
    readonly redirectUri: string,
    options?: ErrorOptions,
  ) {
    super(
      `Nothing can listen at ${quoteUrl(redirectUri)} for the end of the login: stop the program that listens there, or choose another "redirectUri"`,
      options,
    );
  }
}
