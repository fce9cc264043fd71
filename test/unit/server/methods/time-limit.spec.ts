import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ToolError } from '../../../../lib/server/context/tool-errors.js';
import { TimeLimitError, limitTime } from '../../../../lib/server/methods/time-limit.js';
import { buildContext } from '../../support/requests.js';

describe('limitTime', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('gives what the handler gives, and leaves no timer (SAFE-04)', async () => {
    const context = buildContext('tools/call');
    expect(await limitTime(context, 1000, () => Promise.resolve('done'))).toBe('done');
    expect(await limitTime(context, 1000, () => 'at once')).toBe('at once');
    expect([jest.getTimerCount(), context.isSettled]).toEqual([0, false]);
  });

  it('passes on what the handler throws, and leaves no timer (SAFE-04)', async () => {
    const context = buildContext('tools/call');
    const fail = (): never => {
      throw new Error('crashed');
    };
    await expect(limitTime(context, 1000, fail)).rejects.toThrow('crashed');
    await expect(limitTime(context, 1000, () => Promise.reject(new Error('crashed')))).rejects.toThrow(
      'crashed',
    );
    await expect((async () => limitTime(context, undefined, fail))()).rejects.toThrow('crashed');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('fails a request that takes longer, and aborts its handler (SAFE-04)', () => {
    const context = buildContext('tools/call');
    const failures: unknown[] = [];
    context.onInterrupt = ({ failure }) => failures.push(failure);
    void limitTime(context, 1000, () => new Promise(() => undefined));
    jest.advanceTimersByTime(999);
    expect(failures).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(failures).toEqual([new TimeLimitError(1000)]);
    expect(context.signal.aborted).toBe(true);
  });

  it('leaves no timer to a call that waits for its client, or that nobody waits for (SAFE-04)', () => {
    const asking = buildContext('tools/call');
    const cancelled = buildContext('tools/call');
    const interruptions: unknown[] = [];
    for (const context of [asking, cancelled]) {
      context.onInterrupt = (interruption) => interruptions.push(interruption);
      void limitTime(context, 1000, () => new Promise(() => undefined));
    }
    expect(jest.getTimerCount()).toBe(2);
    asking.suspend({ resultType: 'input_required' });
    cancelled.cancel('The client is gone');
    expect([jest.getTimerCount(), interruptions]).toEqual([
      0,
      [{ result: { resultType: 'input_required' } }, {}],
    ]);
  });

  it('gives a handler without a limit all the time there is (SAFE-04)', () => {
    const context = buildContext('tools/call');
    void limitTime(context, undefined, () => new Promise(() => undefined));
    expect(jest.getTimerCount()).toBe(0);
  });

  it('says so in a text that is meant for the caller (CORE-05)', () => {
    const error = new TimeLimitError(1500);
    expect(error).toBeInstanceOf(ToolError);
    expect([error.message, error.timeoutMs]).toEqual([
      'The call took longer than 1500 ms and was stopped',
      1500,
    ]);
  });
});

describe('The timer of a limit', () => {
  it('keeps no process alive for a handler that never ends (MOD-12)', () => {
    const before = countActiveTimers();
    const context = buildContext('tools/call');
    void limitTime(context, 600_000, () => new Promise(() => undefined));
    context.cancel('The server is shutting down');
    expect(countActiveTimers()).toBe(before);
  });

  function countActiveTimers(): number {
    return process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
  }
});
