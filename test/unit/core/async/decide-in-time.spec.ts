import { describe, expect, it } from '@jest/globals';
import { limitDecision, withDecisionTimeout } from '../../../../lib/core/async/timeouts.js';

const late = (): Error => new Error('late');

describe('decideInTime()', () => {
  it('gives a decision that is there at once as it is (NEST-06)', () => {
    expect(withDecisionTimeout(true, 0, late)).toBe(true);
  });

  it('waits for a promise, and no longer than it may (NEST-06)', async () => {
    await expect(withDecisionTimeout(Promise.resolve(7), 1000, late)).resolves.toBe(7);
    await expect(withDecisionTimeout(Promise.reject(new Error('no')), 1000, late)).rejects.toThrow('no');
    await expect(withDecisionTimeout(new Promise(() => undefined), 1, late)).rejects.toThrow('late');
  });
});

describe('limitDecision()', () => {
  it('is bounded by the time of the request, which ends before (NEST-06)', () => {
    expect(limitDecision()).toBe(5000);
    expect(limitDecision(60_000)).toBe(5000);
    expect(limitDecision(50)).toBeGreaterThan(50);
    expect(limitDecision(50)).toBeLessThan(100);
  });
});
