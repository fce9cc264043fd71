import { createHmac } from 'node:crypto';
import { isSameSecret } from '../sealing/is-same-secret.js';

/** The side that proves that it knows the secret. The proof of one side is not valid for the other. */
export type ProofOwner = 'terminal' | 'application';

/** Shows that its maker knows the secret, without telling it. */
export function buildProof(secret: string, owner: ProofOwner, nonce: string): string {
  return createHmac('sha256', secret).update(`${owner}:${nonce}`).digest('base64url');
}

/** Tells whether a value is the proof of somebody for a nonce. */
export function isProof(value: unknown, expected: string): boolean {
  return typeof value === 'string' && isSameSecret(Buffer.from(expected), Buffer.from(value));
}
