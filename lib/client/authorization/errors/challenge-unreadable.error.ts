import { ClientAuthError } from './client-auth.error.js';
import { quoteUrl } from './quote.js';

/** Is thrown where a server asks for a token by a header that has more than one meaning, or none. */
export class ChallengeUnreadableError extends ClientAuthError {
  override readonly name = 'ChallengeUnreadableError';
  readonly code = 'challenge_unreadable';

  constructor(
    readonly serverUrl: string,
    options?: ErrorOptions,
  ) {
    super(
      `The header "WWW-Authenticate" of ${quoteUrl(serverUrl)} must be a list of challenges in which no parameter comes twice: tell whoever runs the server`,
      options,
    );
  }
}
