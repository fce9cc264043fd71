import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RetryPause } from '../../../../lib/core/async/retry.js';

describe('RetryPause', () => {
  let pause: RetryPause;

  beforeEach(() => {
    jest.useFakeTimers();
    pause = new RetryPause(3000);
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('is over before anything was tried', () => {
    expect(pause.leftMs).toBe(0);
  });

  it('doubles with each failure, up to its bound (FAIR-07)', () => {
    const pauses = Array.from({ length: 5 }, () => {
      pause.fail();
      return pause.leftMs;
    });
    expect(pauses).toEqual([500, 1000, 2000, 3000, 3000]);
  });

  it('begins with half a second again after a success, which has a pause of its own (FAIR-07)', () => {
    pause.fail();
    pause.succeed(10_000);
    expect(pause.leftMs).toBe(10_000);
    pause.fail();
    expect(pause.leftMs).toBe(500);
  });

  it('goes by in the time that it says, in whole seconds too', () => {
    pause.succeed(1500);
    expect([pause.leftMs, pause.leftSeconds]).toEqual([1500, 2]);
    jest.advanceTimersByTime(1499);
    expect([pause.leftMs, pause.leftSeconds]).toEqual([1, 1]);
    jest.advanceTimersByTime(2);
    expect([pause.leftMs, pause.leftSeconds]).toEqual([0, 1]);
  });

  it('is not moved by a clock that is set (FAIR-07)', () => {
    pause.succeed(1000);
    jest.setSystemTime(Date.now() - 86_400_000);
    jest.advanceTimersByTime(1000);
    expect(pause.leftMs).toBe(0);
  });

  it('ends where it is told to', () => {
    pause.fail();
    pause.end();
    expect(pause.leftMs).toBe(0);
  });

  it('is never longer than its bound, be that short', () => {
    const brief = new RetryPause(20);
    brief.fail();
    expect(brief.leftMs).toBe(20);
  });
});
