import { describe, expect, it } from '@jest/globals';
import { computeExpiryMargin } from '../../../../lib/core/oauth/access-token.js';

describe('computeEndMargin', () => {
  it.each([
    ['an hour', 3_600_000, 30_000],
    ['a minute', 60_000, 30_000],
    ['ten seconds', 10_000, 5_000],
    ['no time at all', 0, 0],
    ['for ever', Infinity, 30_000],
  ])('leaves time for the way of a token that lasts %s (CLI-14, OBO-01)', (_name, lifetimeMs, marginMs) => {
    expect(computeExpiryMargin(lifetimeMs)).toBe(marginMs);
  });

  it('lets no token be used beyond its end, should it end before it began (CLI-14)', () => {
    expect(computeExpiryMargin(-1_000)).toBe(0);
  });
});
