/** No digest has it. */
const BEFORE_KEY = '~';

/** Returns the identity of a caller whose token is bound to a key. Work that began with one key is not for a holder of another. */
export function formatBoundIdentity(account: string, keyThumbprint: string): string {
  return account + BEFORE_KEY + keyThumbprint;
}

/**
 * Returns the common part of a caller's identities, without the key of the token. Keys are made as one likes, so bounds
 * hold for all of them together.
 */
export function nameAccount(identity: string): string {
  const end = identity.indexOf(BEFORE_KEY);
  return end === -1 ? identity : identity.slice(0, end);
}
