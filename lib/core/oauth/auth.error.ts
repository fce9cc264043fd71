/** The status of a response that requires a token (401), or a token with more scopes (403). */
export type AuthErrorCode = 401 | 403;

/** Characters that headers cannot contain (RFC 9110 §5.5). */
const UNSENDABLE = /[^\t\x20-\x7e\x80-\xff]/g;

/**
 * Refuses a request because of its token. If a tool throws it, the result has `isError`. If the response has not
 * started yet, it also gets this HTTP status.
 *
 * @example
 * throw new AuthError(403, 'the desk is closed to guests');
 *
 * @see RFC 6750 §3
 */
export class AuthError extends Error {
  override readonly name = 'AuthError';
  /**
   * The `WWW-Authenticate` header value. Characters that a header cannot contain are removed. @default a plain
   * challenge
   */
  readonly wwwAuthenticate?: string | undefined;

  constructor(
    /** The HTTP status: 401 if a token is missing or invalid; 403 if it lacks permissions. */
    readonly code: AuthErrorCode,
    message: string,
    wwwAuthenticate?: string,
  ) {
    super(message);
    // An invalid header value would turn the refusal into a 500.
    this.wwwAuthenticate = wwwAuthenticate?.replace(UNSENDABLE, '');
  }
}

/** The scopes that a token requires, and the scopes it has. */
export interface InsufficientScope {
  readonly needed: readonly string[];
  readonly held: readonly string[];
}

/** The error itself has only a message, because applications also create such errors. */
const shortages = new WeakMap<AuthError, InsufficientScope>();

/** Attaches the scopes to a refusal, and returns the refusal. */
export function noteInsufficientScope(refusal: AuthError, shortage: InsufficientScope): AuthError {
  shortages.set(refusal, shortage);
  return refusal;
}

/** Finds a refusal's scopes. Returns `undefined` if the refusal has a different cause. */
export function findInsufficientScope(refusal: AuthError): InsufficientScope | undefined {
  return shortages.get(refusal);
}

/** Lists the scopes that a token lacks. */
export function listMissing({ needed, held }: InsufficientScope): readonly string[] {
  return needed.filter((scope) => !held.includes(scope));
}
