/** What a caller is told by the status of an answer: to bring a token, or one that allows more. */
export type AuthErrorCode = 401 | 403;

/**
 * Refuses a request because of its token. Thrown in a tool, it becomes a result with `isError`, and the status of the answer
 * if that has not begun.
 *
 * @example
 * throw new AuthError(403, 'the desk is closed to guests');
 *
 * @see RFC 6750 §3
 */
export class AuthError extends Error {
  override readonly name = 'AuthError';

  constructor(
    /** The HTTP status: 401 if a token is missing or no good, 403 if it does not allow enough. */
    readonly code: AuthErrorCode,
    message: string,
    /** The value of the header `WWW-Authenticate`. @default a plain challenge */
    readonly wwwAuthenticate?: string,
  ) {
    super(message);
  }
}
