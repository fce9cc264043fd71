import { isPassingStatus } from '../../../core/oauth/is-passing-status.js';
import { ClientAuthError } from './client-auth.error.js';
import { quoteUrl } from './quote.js';

/** Facts about a document that was not found. */
export interface DiscoveryFault {
  /** Where the document was looked for. */
  readonly url: string;
  /** What was wrong, as the end of a sentence that begins with the URL. */
  readonly fault: string;
  /** The status of the answer, if there was one. */
  readonly status?: number | undefined;
  /** Whether trying again later may help. @default as the status says */
  readonly isPassing?: boolean | undefined;
  /** What to do about it, as a sentence. @default to tell whoever runs the server, or to try again later if that may help */
  readonly advice?: string | undefined;
}

/** Is thrown if the metadata of a server or of its authorization server cannot be fetched. Nothing else is tried instead. */
export class DiscoveryFailedError extends ClientAuthError {
  override readonly name: string = 'DiscoveryFailedError';
  readonly code = 'discovery_failed';
  readonly url: string;
  /** What was wrong, as the end of a sentence that begins with the URL. */
  readonly fault: string;
  readonly status: number | undefined;

  constructor(found: DiscoveryFault, options?: ErrorOptions) {
    const { url, fault, status, advice = selectAdvice(found) } = found;
    super(`Cannot find out where to log in: ${quoteUrl(url)} ${fault}. ${advice}`, options);
    this.url = url;
    this.fault = fault;
    this.status = status;
  }
}

function selectAdvice({ status = 0, isPassing = isPassingStatus(status) }: DiscoveryFault): string {
  return isPassing
    ? 'Try again later, or tell the operator of the server'
    : 'Tell the operator of the server';
}
