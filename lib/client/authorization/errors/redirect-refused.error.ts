import { ClientAuthError } from './client-auth.error.js';
import { quoteText, quoteUrl } from './quote.js';

/** Is thrown if a server redirects a call. A token is never sent to the new address. */
export class RedirectRefusedError extends ClientAuthError {
  override readonly name = 'RedirectRefusedError';
  readonly code = 'redirect_refused';

  constructor(
    readonly url: string,
    /** Where the answer leads; absent if it does not say. */
    readonly location: string | undefined,
  ) {
    const target = location === undefined ? 'nowhere' : quoteUrl(location);
    super(
      `${quoteUrl(url)} redirects to ${target}, and no redirect is followed with a token: if you trust it, use ${location === undefined ? quoteText('another URL') : 'that URL'} as "serverUrl"`,
    );
  }
}
