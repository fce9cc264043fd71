import { describe, expect, it } from '@jest/globals';
import { computeDelay } from '../../../../lib/client-module/connection/back-off.js';

const BACK_OFF = { initialDelayMs: 100, maximumDelayMs: 1_000 };

describe('computeDelay', () => {
  it('doubles the wait with each attempt, up to a bound (CLI-18)', () => {
    const delays = [0, 1, 2, 3, 4, 5].map((attempt) => computeDelay(BACK_OFF, attempt, () => 0));
    expect(delays).toEqual([100, 200, 400, 800, 1_000, 1_000]);
  });

  it('leaves up to a half of it to chance (CLI-18)', () => {
    expect(computeDelay(BACK_OFF, 2, () => 0.5)).toBe(300);
    expect(computeDelay(BACK_OFF, 2, () => 1)).toBe(200);
  });

  it('stays within its bound after any number of attempts (CLI-18)', () => {
    expect(computeDelay(BACK_OFF, 5_000, () => 0)).toBe(1_000);
  });
});
