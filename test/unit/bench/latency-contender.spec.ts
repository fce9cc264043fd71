import { describe, expect, it } from '@jest/globals';
import { timeCalls } from '../../bench/latency-contender.js';

describe('timeCalls()', () => {
  it('divides by the time that the calls took, not by the time that they were to take', async () => {
    let now = 1000;
    const run = async () => {
      now += 4000;
      return [1, 2, 3, 4, 5, 6, 7, 8];
    };
    expect((await timeCalls(run, () => now)).perSecond).toBe(2);
  });
});
