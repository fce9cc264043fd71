import { describe, expect, it } from '@jest/globals';
import { findMedianInterval, median } from '../../bench/statistics.js';

/** Seven launches of three slices each: within one they differ little, the launches among each other more. */
const LAUNCHES = [1.02, 1.1, 0.98, 1.06, 1.04, 1.12, 1];
const SLICES = LAUNCHES.flatMap((ratio) => [ratio - 0.005, ratio, ratio + 0.005]);

describe('The interval of a median', () => {
  it('covers the median, and lies within what was measured', () => {
    const { lower, upper } = findMedianInterval(SLICES);
    expect(lower).toBeLessThanOrEqual(median(SLICES));
    expect(upper).toBeGreaterThanOrEqual(median(SLICES));
    expect(lower).toBeGreaterThanOrEqual(Math.min(...SLICES));
    expect(upper).toBeLessThanOrEqual(Math.max(...SLICES));
  });

  it('is the same for the same values', () => {
    expect(findMedianInterval(SLICES, 7)).toEqual(findMedianInterval(SLICES, 7));
  });

  it('is a point where all values are one', () => {
    expect(findMedianInterval([2, 2, 2, 2], 2)).toEqual({ lower: 2, upper: 2 });
  });

  it('is wider where launches differ than slices of one would have it', () => {
    const together = findMedianInterval(SLICES);
    const apart = findMedianInterval(SLICES, LAUNCHES.length);
    expect(apart.upper - apart.lower).toBeGreaterThan(together.upper - together.lower);
  });

  it('does not mind launches of which there are more than values', () => {
    expect(findMedianInterval([1, 1], 5)).toEqual({ lower: 1, upper: 1 });
  });
});
