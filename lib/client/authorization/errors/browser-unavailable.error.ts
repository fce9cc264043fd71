import { ClientAuthError } from './client-auth.error.js';

/** Is thrown if no browser can be opened on this machine. */
export class BrowserUnavailableError extends ClientAuthError {
  override readonly name = 'BrowserUnavailableError';
  readonly code = 'browser_unavailable';

  constructor(options?: ErrorOptions) {
    super('No browser can be opened here: open the address of the login yourself', options);
  }
}
