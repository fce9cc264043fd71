import { createHmac } from 'node:crypto';
import { isSameSecret } from '../sealing/is-same-secret.js';

/** The side that proves that it knows the secret. One side's proof is not valid for the other. */
export type ProofOwner = 'terminal' | 'application';

/** Builds a proof that its sender knows the secret, without revealing it. */
export function buildProof(secret: string, owner: ProofOwner, nonce: string): string {
  return createHmac('sha256', secret).update(`${owner}:${nonce}`).digest('base64url');
}

/** Compares a value with the expected proof, in constant time. */
export function isProof(value: unknown, expected: string): boolean {
  return typeof value === 'string' && isSameSecret(Buffer.from(expected), Buffer.from(value));
}
