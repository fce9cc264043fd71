import { describe, expect, it } from '@jest/globals';
import { isSameSecret } from '../../../../lib/core/sealing/hmac-sha256.js';

describe('isSameSecret()', () => {
  const expected = Buffer.from('secret');

  it('takes the same bytes', () => {
    expect(isSameSecret(expected, Buffer.from('secret'))).toBe(true);
    expect(isSameSecret(Buffer.alloc(0), Buffer.alloc(0))).toBe(true);
  });

  it.each(['secreT', 'Secret', 'secre', 'secrets', ''])('refuses %j', (given) => {
    expect(isSameSecret(expected, Buffer.from(given))).toBe(false);
  });
});
