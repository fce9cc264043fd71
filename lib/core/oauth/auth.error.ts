/** The status of an answer that asks for a token (401), or for one that allows more (403). */
export type AuthErrorCode = 401 | 403;

/** Characters that no header can hold (RFC 9110 §5.5). */
const UNSENDABLE = /[^\t\x20-\x7e\x80-\xff]/g;

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
  /** The value of the header `WWW-Authenticate`. What no header can hold is left out. @default a plain challenge */
  readonly wwwAuthenticate?: string | undefined;

  constructor(
    /** The HTTP status: 401 if a token is missing or not valid, 403 if it does not allow enough. */
    readonly code: AuthErrorCode,
    message: string,
    wwwAuthenticate?: string,
  ) {
    super(message);
    // Otherwise the answer would be 500 instead of the refusal.
    this.wwwAuthenticate = wwwAuthenticate?.replace(UNSENDABLE, '');
  }
}
