import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { callAt } from '../../../../lib/core/async/timers.js';
import { until } from '../../../support/until.js';

const DAY_MS = 86_400_000;

describe('callAt', () => {
  it('calls once when the time has come, and not before', async () => {
    const calls: number[] = [];
    const time = Date.now() + 75;
    callAt(time, () => calls.push(Date.now()));
    await until(() => calls.length > 0, 'the call');
    expect(calls).toHaveLength(1);
    expect(calls[0]).toBeGreaterThanOrEqual(time);
  });

  it('calls in a later turn where the time is over', async () => {
    let isCalled = false;
    callAt(Date.now() - DAY_MS, () => (isCalled = true));
    expect(isCalled).toBe(false);
    await until(() => isCalled, 'the call');
  });

  it('leaves nothing in Node behind that tells one stopped clock from another (SAFE-04)', () => {
    const setting = jest.spyOn(globalThis, 'setTimeout');
    const now = Date.now();
    for (let count = 0; count < 1000; count += 1) callAt(now + DAY_MS - 997 * count, () => {})();
    const durations = new Set(setting.mock.calls.map(([, duration]) => duration));
    setting.mockRestore();
    expect(durations.size).toBeLessThan(32);
  });

  describe('by a clock that can be moved', () => {
    beforeEach(() => void jest.useFakeTimers());
    afterEach(() => void jest.useRealTimers());

    it.each([
      ['an hour', 3_600_000],
      ['a day, but for a millisecond', DAY_MS - 1],
      ['longer than timers of Node take', 40 * DAY_MS],
    ])('waits for %s, to the millisecond', (_, delayMs) => {
      const act = jest.fn();
      callAt(Date.now() + delayMs, act);
      jest.advanceTimersByTime(delayMs - 1);
      expect(act).not.toHaveBeenCalled();
      jest.advanceTimersByTime(1);
      expect(act).toHaveBeenCalledTimes(1);
    });

    it('does not call once it is stopped, however far the wait has come', () => {
      const act = jest.fn();
      const stop = callAt(Date.now() + DAY_MS, act);
      jest.advanceTimersByTime(DAY_MS - 1);
      stop();
      jest.advanceTimersByTime(DAY_MS);
      expect(act).not.toHaveBeenCalled();
    });
  });
});
