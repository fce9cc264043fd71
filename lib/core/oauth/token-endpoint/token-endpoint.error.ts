/** Says that a token endpoint gave no token, or an answer that is none. It shows nothing that was sent, nor a token. */
export class TokenEndpointError extends Error {
  override readonly name = 'TokenEndpointError';

  constructor(
    /** The status of the answer. */
    readonly status: number,
    /** Why, by its name on the wire, such as `invalid_grant` (RFC 6749 §5.2); `invalid_response` if the answer cannot be read. */
    readonly error: string,
    /** What the authorization server says to developers. */
    readonly description?: string | undefined,
    /** What the user has to show in a login for another answer, as a request of claims (OpenID Connect Core 1.0 §5.5). */
    readonly claims?: string | undefined,
  ) {
    super(`The token endpoint answered with status ${status} and "${error}"`);
  }
}
