import { ClientAuthError } from './client-auth.error.js';
import { quoteText } from './quote.js';

/** Is thrown where an authorization server does not say that it checks PKCE with S256: codes could be stolen. */
export class PkceUnsupportedError extends ClientAuthError {
  override readonly name = 'PkceUnsupportedError';
  readonly code = 'pkce_unsupported';

  constructor(readonly issuer: string) {
    super(
      `The authorization server ${quoteText(issuer)} must list "S256" in "code_challenge_methods_supported": have it support PKCE, or log in elsewhere`,
    );
  }
}
