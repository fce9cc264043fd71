import { ClientAuthError } from './client-auth.error.js';

/** Is thrown if a token cannot be sent in a header. */
export class UnusableTokenError extends ClientAuthError {
  override readonly name = 'UnusableTokenError';
  readonly code = 'unusable_token';

  constructor(isEmpty = false) {
    super(
      isEmpty
        ? 'The token is empty: check that the variable that it comes from is set'
        : 'The token must consist of visible ASCII characters: give it without "Bearer", without spaces and without line breaks',
    );
  }
}
