import type { StoredCredentials, StoredTokens } from '../credentials/credential-store.interface.js';
import type { DpopProof } from '../dpop/dpop-proof.js';
import type { ProofKeys } from './proof-keys.js';

/** Tokens at hand. */
export interface AcquiredTokens {
  readonly tokens: StoredTokens;
  /** What goes with each call; absent for bearer tokens. */
  readonly proof: DpopProof | undefined;
}

/** Takes up tokens that are kept, with their key. Returns `undefined` if they were not asked for with scopes, or their key is gone. */
export async function takeUpTokens(
  kept: StoredCredentials,
  scopes: readonly string[],
  proofs: ProofKeys,
): Promise<AcquiredTokens | undefined> {
  const { tokens } = kept;
  if (tokens === undefined || !scopes.every((scope) => tokens.requestedScopes.includes(scope))) {
    return undefined;
  }
  const proof = await proofs.find(kept);
  return tokens.tokenType === 'dpop' && proof === undefined ? undefined : { tokens, proof };
}
