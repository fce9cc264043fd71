/** The status of an answer that asks for a token (401), or for one that allows more (403). */
export type AuthErrorCode = 401 | 403;

/**
 * Refuses a request because of its token. If a tool throws it, the result has `isError`. If the answer has not begun,
 * the answer has this status too.
 *
 * @example
 * throw new AuthError(403, 'the desk is closed to guests');
 *
 * @see RFC 6750 §3
 */
export class AuthError extends Error {
  override readonly name = 'AuthError';

  constructor(
    /** The HTTP status: 401 if a token is missing or not valid, 403 if it does not allow enough. */
    readonly code: AuthErrorCode,
    message: string,
    /** The value of the header `WWW-Authenticate`. @default a plain challenge */
    readonly wwwAuthenticate?: string,
  ) {
    super(message);
  }
}
