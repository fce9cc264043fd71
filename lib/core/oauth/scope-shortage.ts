import type { AuthError } from './auth.error.js';

/** What a token would have to allow, and what it does. */
export interface ScopeShortage {
  readonly needed: readonly string[];
  readonly held: readonly string[];
}

/** An error says in words alone what was missing, since applications make some of their own. */
const shortages = new WeakMap<AuthError, ScopeShortage>();

/** Notes the missing scopes with a refusal, and returns the refusal. */
export function noteShortage(refusal: AuthError, shortage: ScopeShortage): AuthError {
  shortages.set(refusal, shortage);
  return refusal;
}

/** Finds which scopes a refusal is for. Returns `undefined` if it is for something else. */
export function findShortage(refusal: AuthError): ScopeShortage | undefined {
  return shortages.get(refusal);
}

/** Lists the scopes that a token lacks. */
export function listMissing({ needed, held }: ScopeShortage): readonly string[] {
  return needed.filter((scope) => !held.includes(scope));
}
