import { describe, expect, it } from '@jest/globals';
import { AbandonedHandlers } from '../../../../lib/server/limits/concurrency-slots.js';

describe('AbandonedHandlers', () => {
  it('has so many of each caller, and of all together (OPS-04, FAIR-02)', () => {
    const left = new AbandonedHandlers({ max: 3, maxPerCaller: 2 });
    expect(['a', 'a', 'a', 'b', 'b', 'c'].map((caller) => left.add(caller))).toEqual([
      true,
      true,
      false,
      true,
      false,
      false,
    ]);
  });

  it('has the room again of those that have ended (OPS-04, FAIR-02)', () => {
    const left = new AbandonedHandlers({ max: 3, maxPerCaller: 2 });
    for (let round = 0; round < 5; round += 1) {
      expect([left.add('a'), left.add('a'), left.add('a')]).toEqual([true, true, false]);
      left.remove('a');
      expect([left.add('a'), left.add('a')]).toEqual([true, false]);
      left.remove('a');
      left.remove('a');
    }
    expect([left.add('b'), left.add('b'), left.add('c')]).toEqual([true, true, true]);
  });

  it('gives all callers together as much room as has ended, and no more (OPS-04, FAIR-02)', () => {
    const left = new AbandonedHandlers({ max: 3, maxPerCaller: 2 });
    for (const caller of ['a', 'a', 'b']) left.add(caller);
    left.remove('a');
    expect([left.add('c'), left.add('d')]).toEqual([true, false]);
  });
});
