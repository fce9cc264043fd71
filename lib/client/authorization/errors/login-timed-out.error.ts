import { ClientAuthError } from './client-auth.error.js';

/** Is thrown if the user did not come back from the authorization server in time. */
export class LoginTimedOutError extends ClientAuthError {
  override readonly name = 'LoginTimedOutError';
  readonly code = 'login_timed_out';

  constructor(readonly timeoutMs: number) {
    super(
      `Nobody has finished the login within ${timeoutMs} ms: log in again, and look into the browser for the reason`,
    );
  }
}
