import type { ChallengeableResponse } from '../auth-exception.js';
import type { DpopGate } from './dpop-gate.js';

/** Sends the nonce that the next proof needs, if there is one. It must not come from a cache (RFC 9449 §8.2). */
export function tellNonce(gate: DpopGate | undefined, response: ChallengeableResponse): void {
  const nonce = gate?.nonce;
  if (nonce === undefined) return;
  const raw = response.raw ?? response;
  raw.setHeader('DPoP-Nonce', nonce);
  raw.setHeader('Cache-Control', 'no-store');
}
