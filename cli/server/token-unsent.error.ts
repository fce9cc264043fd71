import { ClientAuthError } from '../../lib/client/authorization/index.js';

/** Is thrown if a server wants a token, and others could read that on its way. */
export class TokenUnsentError extends ClientAuthError {
  override readonly name = 'TokenUnsentError';
  readonly code = 'token_unsent';

  constructor() {
    super('The server answers 401: it wants a token, and a token is sent to another machine only by "https"');
  }
}
