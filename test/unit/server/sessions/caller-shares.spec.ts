import { describe, expect, it } from '@jest/globals';
import { CallerShares } from '../../../../lib/server/sessions/caller-shares.js';

describe('CallerShares', () => {
  const fill = (
    shares: CallerShares,
    count: number,
    sharer: { identity?: string; address?: string } = {},
  ) => {
    for (let index = 0; index < count; index += 1) shares.add(sharer);
  };

  it('have half for callers with a token where the server asks for tokens (FAIR-03)', () => {
    const shares = new CallerShares({ all: 4, perCaller: 4, isProtected: true });
    fill(shares, 2);
    expect([shares.findBound({}), shares.findBound({ identity: 'ada' })]).toEqual([2, undefined]);
    fill(shares, 2, { identity: 'ada' });
    expect(shares.findBound({ identity: 'bob' })).toBe(4);
    shares.remove({});
    expect(shares.findBound({})).toBeUndefined();
  });

  it('are all for everybody where it does not (FAIR-03)', () => {
    const shares = new CallerShares({ all: 4, perCaller: 1, isProtected: false });
    fill(shares, 3);
    expect(shares.findBound({})).toBeUndefined();
    fill(shares, 1);
    expect(shares.findBound({})).toBe(4);
  });

  it('have a tenth for one address, and so much for one caller (FAIR-03)', () => {
    const shares = new CallerShares({ all: 20, perCaller: 3, isProtected: false });
    fill(shares, 2, { address: '203.0.113.7' });
    expect(shares.findBound({ address: '203.0.113.7' })).toBe(2);
    expect(shares.findBound({ address: '203.0.113.8' })).toBeUndefined();
    fill(shares, 3, { identity: 'ada' });
    expect([shares.findBound({ identity: 'ada' }), shares.findBound({ identity: 'bob' })]).toEqual([
      3,
      undefined,
    ]);
    shares.remove({ address: '203.0.113.7' });
    expect(shares.findBound({ address: '203.0.113.7' })).toBeUndefined();
  });
});
