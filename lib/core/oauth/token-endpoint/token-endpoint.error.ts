/** A token endpoint issued no token, or sent a malformed response. The message contains neither the request nor a token. */
export class TokenEndpointError extends Error {
  override readonly name = 'TokenEndpointError';

  constructor(
    /** The status of the response. */
    readonly status: number,
    /** The error code on the wire, such as `invalid_grant` (RFC 6749 §5.2); `invalid_response` if the response cannot be read. */
    readonly error: string,
    /** The authorization server's explanation for developers. */
    readonly description?: string | undefined,
    /** The claims that the user must satisfy in a new login, as a claims request (OpenID Connect Core 1.0 §5.5). */
    readonly claims?: string | undefined,
  ) {
    super(`The token endpoint responded with status ${status} and "${error}"`);
  }
}
