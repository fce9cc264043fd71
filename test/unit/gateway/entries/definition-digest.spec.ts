import { describe, expect, it } from '@jest/globals';
import { computeDigest, PinnedTools } from '../../../../lib/gateway/entries/definition-digest.js';

describe('computeDigest', () => {
  it('depends on values, and not on the order of properties (GATE-02)', () => {
    const digest = computeDigest({ name: 'a', inputSchema: { type: 'object', required: ['b', 'c'] } });
    expect(computeDigest({ inputSchema: { required: ['b', 'c'], type: 'object' }, name: 'a' })).toBe(digest);
    expect(computeDigest({ name: 'a', inputSchema: { type: 'object', required: ['c', 'b'] } })).not.toBe(
      digest,
    );
    expect(digest).toMatch(/^[\w-]{43}$/);
  });
});

describe('PinnedTools', () => {
  it('accepts every definition without pins (GATE-02)', () => {
    const pinned = new PinnedTools(false);
    expect([pinned.accepts('a', '1'), pinned.accepts('a', '2')]).toEqual([true, true]);
  });

  it('accepts the first definition, and others once they are confirmed (GATE-02)', () => {
    const pinned = new PinnedTools(true);
    expect([pinned.accepts('a', '1'), pinned.accepts('a', '2')]).toEqual([true, false]);
    pinned.confirm('a', '2');
    expect([pinned.accepts('a', '1'), pinned.accepts('a', '2')]).toEqual([false, true]);
  });

  it('accepts given definitions alone (GATE-02)', () => {
    const pinned = new PinnedTools({ a: '1' });
    expect([pinned.accepts('a', '1'), pinned.accepts('a', '2'), pinned.accepts('b', '1')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
