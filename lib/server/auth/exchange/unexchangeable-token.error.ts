/** Says why a caller's token is sent to no authorization server, as the end of a sentence for the log. */
export class UnexchangeableTokenError extends Error {
  override readonly name = 'UnexchangeableTokenError';
}
