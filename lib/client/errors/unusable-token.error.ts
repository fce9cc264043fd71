import { ClientAuthError } from './client-auth.error.js';

/** Is thrown where a token cannot be sent in a header. */
export class UnusableTokenError extends ClientAuthError {
  override readonly name = 'UnusableTokenError';
  readonly code = 'unusable_token';

  constructor() {
    super(
      'The token must consist of visible ASCII characters: give it without "Bearer", without spaces and without line breaks',
    );
  }
}
