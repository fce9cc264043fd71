import { describe, expect, it } from '@jest/globals';
import { estimateMedian, findQuantile, sortNumbers } from '../../../../cli/bench/estimate.js';

describe('estimateMedian()', () => {
  it('gives the median, and an interval around it that the values cover', () => {
    const { median, interval } = estimateMedian([1.4, 1.2, 1.3, 9, 1.25, 1.35, 1.28]);
    expect(median).toBe(1.3);
    const [lower, upper] = interval ?? [];
    expect(lower).toBeGreaterThanOrEqual(1.2);
    expect(lower).toBeLessThanOrEqual(1.3);
    expect(upper).toBeGreaterThanOrEqual(1.3);
  });

  it('gives the same for the same values', () => {
    const values = [3, 1, 4, 1, 5, 9, 2, 6];
    expect(estimateMedian(values)).toEqual(estimateMedian(values));
  });

  it('gives no interval of few values', () => {
    expect(estimateMedian([1, 2, 3, 4])).toEqual({ median: 2.5, interval: undefined });
  });
});

describe('findQuantile()', () => {
  it('interpolates between neighbors of the sorted values', () => {
    const sorted = sortNumbers([30, 10, 20, 40]);
    expect([0, 0.5, 1].map((share) => findQuantile(sorted, share))).toEqual([10, 25, 40]);
  });

  it('is no number if there are no values', () => {
    expect(findQuantile([], 0.5)).toBeNaN();
  });
});
