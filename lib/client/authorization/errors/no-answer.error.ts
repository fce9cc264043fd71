import { ClientAuthError } from './client-auth.error.js';
import { quoteUrl } from './quote.js';

/** Facts about an answer that did not come. */
export interface NoAnswerOptions extends ErrorOptions {
  /** Whether trying again later may help. @default true */
  readonly isPassing?: boolean | undefined;
}

/** Is thrown if the answer of an authorization server is late, incomplete or too large, or its connection cannot be trusted. */
export class NoAnswerError extends ClientAuthError {
  override readonly name = 'NoAnswerError';
  readonly code = 'no_answer';
  /** Whether trying again later may help. */
  readonly isPassing: boolean;

  constructor(
    readonly url: string,
    /** What was wrong, as the end of a sentence that begins with the URL. */
    readonly fault: string,
    { isPassing = true, ...options }: NoAnswerOptions = {},
  ) {
    super(`${quoteUrl(url)} ${fault}: ${isPassing ? 'try again later' : 'tell its operator'}`, options);
    this.isPassing = isPassing;
  }
}
