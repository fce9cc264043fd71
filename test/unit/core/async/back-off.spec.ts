import { describe, expect, it } from '@jest/globals';
import { computeDelay } from '../../../../lib/core/async/retry.js';

const BACK_OFF = { initialDelayMs: 100, maxDelayMs: 1_000 };

/** Gives the wait where chance falls so, from 0 to 1. */
function delayOf(attempt: number, chance: number, retryAfterMs?: number): number {
  return computeDelay(BACK_OFF, attempt, { retryAfterMs, random: () => chance });
}

describe('computeDelay', () => {
  it('doubles the wait with each attempt, up to a bound (CLI-18) (EVT-01)', () => {
    const delays = [0, 1, 2, 3, 4, 5].map((attempt) => delayOf(attempt, 0));
    expect(delays).toEqual([100, 200, 400, 800, 1_000, 1_000]);
  });

  it('leaves up to a half of it to chance (CLI-18) (EVT-01)', () => {
    expect(delayOf(2, 0.5)).toBe(300);
    expect(delayOf(2, 1)).toBe(200);
    expect(new Set(Array.from({ length: 20 }, () => computeDelay(BACK_OFF, 2))).size).toBeGreaterThan(1);
  });

  it('stays within its bound after any number of attempts (CLI-18) (EVT-01)', () => {
    expect(delayOf(5_000, 0)).toBe(1_000);
  });

  it('waits as long as the other side asks where that is more, within the bound (CLI-18) (EVT-01)', () => {
    expect(delayOf(0, 0, 700)).toBe(700);
    expect(delayOf(0, 1, 700)).toBe(750);
    expect(delayOf(0, 1, 3_600_000)).toBe(1_000);
    expect(delayOf(0, 0, 3_600_000)).toBe(1_000);
    expect(delayOf(5, 1, 990)).toBe(1_000);
    expect(delayOf(5, 0, 990)).toBe(1_000);
    expect(delayOf(2, 0, 990)).toBe(990);
    expect(delayOf(2, 0, 0)).toBe(400);
  });
});
