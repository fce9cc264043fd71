import { formatScope } from '../../../core/oauth/scope.js';
import { ClientAuthError } from './client-auth.error.js';
import { quoteText, quoteUrl } from './quote.js';

/** Is thrown if a server refuses a call again with the same status, although a token was fetched for it. */
export class RetryExhaustedError extends ClientAuthError {
  override readonly name = 'RetryExhaustedError';
  readonly code = 'retry_exhausted';

  constructor(
    readonly serverUrl: string,
    readonly status: 401 | 403,
    /** The scopes that the server asks for. */
    readonly scopes: readonly string[],
  ) {
    const wish = scopes.length === 0 ? '' : `, and asks for ${quoteText(formatScope(scopes))}`;
    const remedy =
      status === 401 ? 'log in again' : 'have these scopes granted to you, or do without the call';
    super(`${quoteUrl(serverUrl)} answers ${status} to the token for this call${wish}: ${remedy}`);
  }
}
