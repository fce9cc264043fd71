import { ClientAuthError } from './client-auth.error.js';
import { quoteText, quoteUrl } from './quote.js';

/** Is thrown if a server's metadata is about another resource: tokens would be for somebody else. */
export class ResourceMismatchError extends ClientAuthError {
  override readonly name = 'ResourceMismatchError';
  readonly code = 'resource_mismatch';

  constructor(
    readonly serverUrl: string,
    /** The resource that the metadata names; absent if it names none. */
    readonly resource: string | undefined,
  ) {
    super(
      `The metadata of ${quoteUrl(serverUrl)} has ${quoteText(resource)} as "resource", which is not that server: use the URL that the server has for itself`,
    );
  }
}
