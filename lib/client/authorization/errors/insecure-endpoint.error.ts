import { ClientAuthError } from './client-auth.error.js';
import { quoteUrl } from './quote.js';

/** Is thrown before anything is sent to a URL that others could read along or answer. */
export class InsecureEndpointError extends ClientAuthError {
  override readonly name = 'InsecureEndpointError';
  readonly code = 'insecure_endpoint';

  constructor(
    readonly url: string,
    /** The role of the URL, such as its member of the metadata. */
    readonly role: string,
  ) {
    super(
      `The "${role}" ${quoteUrl(url)} must be an "https:" URL; "http:" is for this machine alone, and for hosts that "insecureHosts" names`,
    );
  }
}
