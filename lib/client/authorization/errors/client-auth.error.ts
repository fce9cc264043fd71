/**
 * Every error of client authorization extends this one. It has a stable code, facts as fields, and a text that says what to do.
 * No text and no field holds a token, a code or a secret.
 *
 * @example
 * if (error instanceof ClientAuthError && error.code === 'login_refused') await offerLoginAgain();
 */
export abstract class ClientAuthError extends Error {
  /** Names the condition; it stays the same when texts change. */
  abstract readonly code: string;
}
