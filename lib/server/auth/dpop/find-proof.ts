import { isRepeated } from '../../../core/protocol/headers/repeated-header.js';
import type { AdapterRequest } from '../auth-state.js';
import { RefusedProofError } from './refused-proof.error.js';

/** A proof has a key and a signature; those of the largest keys have half of it. */
const LONGEST_PROOF = 8192;

/**
 * Finds the proof of a request.
 *
 * @throws {RefusedProofError} if there is none, several, or one that is too long
 * @see RFC 9449 §4.3, 1 and 2
 */
export function findProof({ headers, rawHeaders, raw }: AdapterRequest): string {
  const proof = headers['dpop'];
  if (proof === undefined || proof === '')
    throw new RefusedProofError('A DPoP header with a proof is missing');
  // Node joins several by commas, which no proof has.
  const isOne = typeof proof === 'string' && !proof.includes(',');
  if (!isOne || isRepeated(rawHeaders ?? raw?.rawHeaders ?? [], 'dpop')) {
    throw new RefusedProofError('There must be one DPoP header, with one proof');
  }
  if (proof.length > LONGEST_PROOF) {
    throw new RefusedProofError(`The proof is longer than ${LONGEST_PROOF} characters`);
  }
  return proof;
}
