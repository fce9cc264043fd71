import { describe, expect, it } from '@jest/globals';
import { IdentityCounts } from '../../../../lib/server/sessions/caller-shares.js';

describe('IdentityCounts', () => {
  it('counts for each caller what was added and not removed (HTTP-10)', () => {
    const counts = new IdentityCounts();
    for (const identity of ['ada', 'bob', 'ada']) counts.add(identity);
    expect([counts.get('ada'), counts.get('bob'), counts.get('eve')]).toEqual([2, 1, 0]);
    counts.remove('ada');
    counts.remove('bob');
    expect([counts.get('ada'), counts.get('bob')]).toEqual([1, 0]);
  });

  it('counts nothing for callers that are not known (HTTP-10)', () => {
    const counts = new IdentityCounts();
    counts.add(undefined);
    expect(counts.get(undefined)).toBe(0);
    counts.remove(undefined);
    expect(counts.get(undefined)).toBe(0);
  });

  it('owes nobody anything who had nothing (HTTP-10)', () => {
    const counts = new IdentityCounts();
    counts.remove('ada');
    counts.add('ada');
    expect(counts.get('ada')).toBe(1);
  });
});
