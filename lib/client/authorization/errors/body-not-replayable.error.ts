import { ClientAuthError } from './client-auth.error.js';
import { quoteUrl } from './quote.js';

/** Is thrown if a call must be sent again, but its body was a stream that has been read. */
export class BodyNotReplayableError extends ClientAuthError {
  override readonly name = 'BodyNotReplayableError';
  readonly code = 'body_not_replayable';

  constructor(readonly url: string) {
    super(
      `${quoteUrl(url)} asks for a token, but the body of the call was a stream and cannot be sent twice: give it as a text or as bytes, or call again`,
    );
  }
}
