import { ClientAuthError } from './client-auth.error.js';

/** Is thrown if a token is asked for before the server has said that it wants one. */
export class NoTokenYetError extends ClientAuthError {
  override readonly name = 'NoTokenYetError';
  readonly code = 'no_token_yet';

  constructor() {
    super('There is no token yet: call the server first, since its answer says where to get one');
  }
}
