import { ClientAuthError } from './client-auth.error.js';
import { quoteUrl } from './quote.js';

/** Is thrown before anything is sent to a URL that others could read along or answer. */
export class InsecureEndpointError extends ClientAuthError {
  override readonly name = 'InsecureEndpointError';
  readonly code = 'insecure_endpoint';

  constructor(
    readonly url: string,
    /** What the URL is, such as the member of the metadata that has it. */
    readonly role: string,
  ) {
    super(
      `The "${role}" ${quoteUrl(url)} must be an "https:" URL; "http:" is for this machine alone, and for hosts that "insecureHosts" names`,
    );
  }
}
