import { ClientAuthError } from './client-auth.error.js';
import { quoteUrl } from './quote.js';

/** Is thrown where an authorization server gives no whole answer: in time, over a connection to trust, and of a sane size. */
export class NoAnswerError extends ClientAuthError {
  override readonly name = 'NoAnswerError';
  readonly code = 'no_answer';

  constructor(
    readonly url: string,
    /** What was wrong, as the end of a sentence that begins with the URL. */
    readonly fault: string,
    options?: ErrorOptions,
  ) {
    super(`${quoteUrl(url)} ${fault}: try again later`, options);
  }
}
