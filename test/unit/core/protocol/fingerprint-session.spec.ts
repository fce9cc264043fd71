import { describe, expect, it } from '@jest/globals';
import { fingerprintSession } from '../../../../lib/core/protocol/fingerprints.js';

describe('fingerprintSession', () => {
  it('gives what "sha256sum" prints first, so that operators find it by the id (OPS-01)', () => {
    expect(fingerprintSession('abc')).toBe('ba7816bf8f01cfea');
  });

  it('tells ids apart that differ only at their end (OPS-01)', () => {
    const id = 'x'.repeat(3000);
    expect(fingerprintSession(`${id}a`)).not.toBe(fingerprintSession(`${id}b`));
  });
});
