import { ClientAuthError } from './client-auth.error.js';
import { quoteUrl } from './quote.js';

/** Is thrown if a server sends its client to an address that is closer to the client than the server itself. */
export class PrivateAddressError extends ClientAuthError {
  override readonly name = 'PrivateAddressError';
  readonly code = 'private_address';

  constructor(
    readonly url: string,
    readonly serverUrl: string,
  ) {
    super(
      `${quoteUrl(serverUrl)} leads to ${quoteUrl(url)}, which is in a private network or on this machine: set "allowPrivateAddresses" if that is meant so`,
    );
  }
}
