import { describe, expect, it } from '@jest/globals';
import { RetryBudget } from '../../../../lib/core/async/retry.js';

describe('LimitPatience', () => {
  it('waits as long as a server asks, and by chance a tenth longer (SEP-3304, RL-7) (OPS-04)', () => {
    expect(new RetryBudget(10_000, () => 0).take(2000)).toBe(2000);
    expect(new RetryBudget(10_000, () => 1).take(2000)).toBe(2200);
  });

  it('gives up what takes longer than there is time for, in all (SEP-3304, RL-8) (OPS-04)', () => {
    const patience = new RetryBudget(5000, () => 0);
    expect([3000, 3000, 2000, 1].map((asked) => patience.take(asked))).toEqual([
      3000,
      undefined,
      2000,
      undefined,
    ]);
  });

  it('never comes back at once (OPS-04)', () => {
    expect(new RetryBudget(1000, () => 0).take(0)).toBe(250);
    expect(new RetryBudget(0).take(0)).toBeUndefined();
  });

  it('leaves no more to chance than there is time for (OPS-04)', () => {
    expect(new RetryBudget(2100, () => 1).take(2000)).toBe(2100);
  });
});
