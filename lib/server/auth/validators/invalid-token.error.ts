/**
 * Says why a token is not valid. The caller never learns the reason. The log has it at level `debug`.
 *
 * @example
 * throw new InvalidTokenError('it was revoked');
 */
export class InvalidTokenError extends Error {
  override readonly name = 'InvalidTokenError';

  constructor(
    /** The difference, without secrets: `"iss" is "https://other.example.com", expected "https://login.example.com"`. */
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`The token is not valid: ${reason}`, options);
  }
}
