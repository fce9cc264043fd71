import { describe, expect, it } from '@jest/globals';
import { buildProof, isProof } from '../../../../lib/core/development/dev-connection.js';

describe('isProof()', () => {
  const proof = buildProof('secret', 'application', 'nonce');

  it('takes the proof of whoever knows the secret', () => {
    expect(isProof(proof, buildProof('secret', 'application', 'nonce'))).toBe(true);
  });

  it.each([
    ['another secret', buildProof('other', 'application', 'nonce')],
    ['another nonce', buildProof('secret', 'application', 'other')],
    ['the other side, whose proof came over the same wire', buildProof('secret', 'terminal', 'nonce')],
    ['nobody', undefined],
    ['somebody who sends a part', proof.slice(1)],
  ])('refuses that of %s', (_, given) => {
    expect(isProof(given, proof)).toBe(false);
  });
});
