import type { Authentication } from '../../context/authentication.interface.js';

/** A refusal itself says nothing of who is refused, since its text goes to that caller. */
const DENIED = new WeakMap<object, Authentication>();

/** Notes whose token does not allow enough. */
export function noteDenied(refusal: unknown, authentication: Authentication | undefined): void {
  if (authentication !== undefined && refusal instanceof Error) DENIED.set(refusal, authentication);
}

/** Returns whose token does not allow enough, or `undefined` if a refusal is for something else. */
export function findDenied(refusal: Error): Authentication | undefined {
  return DENIED.get(refusal);
}
