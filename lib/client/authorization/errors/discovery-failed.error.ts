import { ClientAuthError } from './client-auth.error.js';
import { quoteUrl } from './quote.js';

/** What is known of a failed look for a document. */
export interface DiscoveryFault {
  /** Where the document was looked for. */
  readonly url: string;
  /** What was wrong, as the end of a sentence that begins with the URL. */
  readonly fault: string;
  /** The status of the answer, where there was one. */
  readonly status?: number | undefined;
  /** What to do about it, as a sentence. @default to try again later, or to tell whoever runs the server */
  readonly advice?: string | undefined;
}

const ADVICE = 'Try again later, or tell whoever runs the server';

/** Is thrown where a server's metadata, or its authorization server's, cannot be had; nothing else is tried instead. */
export class DiscoveryFailedError extends ClientAuthError {
  override readonly name: string = 'DiscoveryFailedError';
  readonly code = 'discovery_failed';
  readonly url: string;
  /** What was wrong, as the end of a sentence that begins with the URL. */
  readonly fault: string;
  readonly status: number | undefined;

  constructor({ url, fault, status, advice = ADVICE }: DiscoveryFault, options?: ErrorOptions) {
    super(`It cannot be found out where to log in: ${quoteUrl(url)} ${fault}. ${advice}`, options);
    this.url = url;
    this.fault = fault;
    this.status = status;
  }
}
