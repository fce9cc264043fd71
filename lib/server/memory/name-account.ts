/** No digest has it. */
const BEFORE_KEY = '~';

/** Gives the identity of a caller whose token is bound to a key: what was begun with one is not for whoever has another. */
export function formatBoundIdentity(account: string, keyThumbprint: string): string {
  return account + BEFORE_KEY + keyThumbprint;
}

/**
 * Gives what the identities of a caller have in common, whatever key tokens are bound to. Keys are made as one likes, so bounds hold
 * for all of them together.
 */
export function nameAccount(identity: string): string {
  const end = identity.indexOf(BEFORE_KEY);
  return end === -1 ? identity : identity.slice(0, end);
}
