import type { AuthError } from './auth.error.js';

/** The scopes that a token requires, and the scopes it has. */
export interface InsufficientScope {
  readonly needed: readonly string[];
  readonly held: readonly string[];
}

/** The error itself has only a message, because applications create such errors too. */
const shortages = new WeakMap<AuthError, InsufficientScope>();

/** Attaches the scopes to a refusal, and returns the refusal. */
export function noteInsufficientScope(refusal: AuthError, shortage: InsufficientScope): AuthError {
  shortages.set(refusal, shortage);
  return refusal;
}

/** Finds the scopes of a refusal. Returns `undefined` if it is about something else. */
export function findInsufficientScope(refusal: AuthError): InsufficientScope | undefined {
  return shortages.get(refusal);
}

/** Lists the scopes that a token lacks. */
export function listMissing({ needed, held }: InsufficientScope): readonly string[] {
  return needed.filter((scope) => !held.includes(scope));
}
