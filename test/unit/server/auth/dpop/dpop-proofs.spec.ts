import { describe, expect, it } from '@jest/globals';
import { findProof } from '../../../../../lib/server/auth/dpop/dpop-proofs.js';

const find = (dpop: unknown, rawHeaders: readonly string[] = ['DPoP', String(dpop)]) =>
  findProof({ headers: { dpop }, rawHeaders } as never);

describe('findProof (RFC 9449 §4.3)', () => {
  it('finds the proof of the one header (XTN-03)', () => {
    expect(find('a.b.c')).toBe('a.b.c');
    expect(find('x'.repeat(8192))).toHaveLength(8192);
  });

  it.each([
    ['none', undefined, [], 'is missing'],
    ['an empty one', '', ['DPoP', ''], 'is missing'],
    ['several, joined', 'a.b.c, d.e.f', undefined, 'The request must have exactly one DPoP header'],
    ['several, in a list', ['a.b.c'], undefined, 'The request must have exactly one DPoP header'],
    [
      'one that is there twice',
      'a.b.c',
      ['DPoP', 'a.b.c', 'dpop', 'd.e.f'],
      'The request must have exactly one DPoP header',
    ],
    ['one that is too long', 'x'.repeat(8193), undefined, 'longer than 8192 characters'],
  ])('refuses %s (XTN-03)', (_what, dpop, rawHeaders, text) => {
    expect(() => find(dpop, rawHeaders)).toThrow(text);
  });

  it('looks at what the adapter has of the raw headers (XTN-03)', () => {
    const raw = { rawHeaders: ['DPoP', 'a.b.c', 'DPoP', 'd.e.f'] };
    expect(() => findProof({ headers: { dpop: 'a.b.c' }, raw } as never)).toThrow('one DPoP header');
    expect(findProof({ headers: { dpop: 'a.b.c' } })).toBe('a.b.c');
  });
});
