import { ClientAuthError } from './client-auth.error.js';
import { quoteText } from './quote.js';

/** Is thrown if an authorization server does not say that it checks PKCE with S256: codes could be stolen. */
export class PkceUnsupportedError extends ClientAuthError {
  override readonly name = 'PkceUnsupportedError';
  readonly code = 'pkce_unsupported';

  constructor(
    readonly issuer: string,
    /** Whether it lists no methods at all. It may still support S256. @default false */
    readonly isSilent = false,
  ) {
    super(
      `The authorization server ${quoteText(issuer)} must list "S256" in "code_challenge_methods_supported": have it support PKCE, or log in elsewhere${isSilent ? '; if you know that it checks S256 without saying so, name it in "assumeS256"' : ''}`,
    );
  }
}
