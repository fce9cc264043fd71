import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { TokenBuckets } from '../../../../lib/core/async/rate-limits.js';

describe('TokenBuckets', () => {
  let now = 1_000_000;

  beforeEach(() => {
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const countTaken = (allowances: TokenBuckets, name: string, attempts: number) =>
    Array.from({ length: attempts }, () => allowances.take(name)).filter(Boolean).length;

  it('allow so much at once, and so much a second then', () => {
    const allowances = new TokenBuckets({ burst: 10, perSecond: 2 });
    expect(countTaken(allowances, 'ada', 50)).toBe(10);
    now += 1000;
    expect(countTaken(allowances, 'ada', 50)).toBe(2);
    now += 60_000;
    expect(countTaken(allowances, 'ada', 50)).toBe(10);
  });

  it('allow an operation that costs the whole burst, at any time of the clock', () => {
    const results = Array.from({ length: 1000 }, (_, index) => {
      now = 200_000 + index * 0.137;
      return new TokenBuckets({ burst: 200, perSecond: 2 }).take('ada', 200);
    });
    expect(new Set(results)).toEqual(new Set([true]));
  });

  it('are each caller’s own', () => {
    const allowances = new TokenBuckets({ burst: 10, perSecond: 2 });
    countTaken(allowances, 'ada', 50);
    expect(countTaken(allowances, 'eve', 50)).toBe(10);
  });

  it('refuse what costs more than is left, and take nothing then', () => {
    const allowances = new TokenBuckets({ burst: 10, perSecond: 2 });
    expect([allowances.take('ada', 11), allowances.take('ada', 8), allowances.take('ada', 3)]).toEqual([
      false,
      true,
      false,
    ]);
    expect(countTaken(allowances, 'ada', 5)).toBe(2);
  });

  it('remember so many names, and forget those that are allowed everything again', () => {
    const allowances = new TokenBuckets({ burst: 1, perSecond: 1 });
    for (let name = 0; name < 10_000; name += 1) allowances.take(`name ${name}`);
    expect([allowances.take('one more'), allowances.take('and another')]).toEqual([true, false]);
    expect(allowances.take('name 7')).toBe(false);
    now += 2000;
    expect([allowances.take('and another'), allowances.take('name 7')]).toEqual([true, true]);
  });
});
