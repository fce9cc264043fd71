import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { CallReport } from '../../../../lib/core/development/report.js';
import { CallLines, formatCall } from '../../../../cli/dev/call-lines.js';

const call: CallReport = {
  type: 'call',
  server: 'default',
  event: 'request',
  method: 'tools/call',
  target: 'greet',
  address: '127.0.0.1',
  outcome: 'ok',
  durationMs: 2.345,
};
const noon = new Date(2027, 0, 1, 12, 5, 9);

describe('formatCall()', () => {
  it.each([
    [{}, '12:05:09  127.0.0.1  tools/call greet  ok  2.3 ms'],
    [{ client: 'Desk 1.0' }, '12:05:09  Desk 1.0  tools/call greet  ok  2.3 ms'],
    [{ subject: 'ada', client: 'Desk 1.0' }, '12:05:09  ada via Desk 1.0  tools/call greet  ok  2.3 ms'],
    [{ address: undefined }, '12:05:09  this process  tools/call greet  ok  2.3 ms'],
    [{ target: undefined, method: 'tools/list' }, '12:05:09  127.0.0.1  tools/list  ok  2.3 ms'],
    [
      { outcome: 'error', errorCode: -32602 },
      '12:05:09  127.0.0.1  tools/call greet  error (-32602)  2.3 ms',
    ],
    [
      { outcome: 'refused', reason: 'scope' },
      '12:05:09  127.0.0.1  tools/call greet  refused (scope)  2.3 ms',
    ],
    [
      { outcome: 'refused', reason: 'unauthorized', errorCode: -32600 },
      '12:05:09  127.0.0.1  tools/call greet  refused (unauthorized)  2.3 ms',
    ],
    [{ event: 'task', durationMs: 61_000 }, '12:05:09  127.0.0.1  task tools/call greet  ok  61.0 s'],
    [{ client: '\u001b[31mred' }, '12:05:09  \u{fffd}[31mred  tools/call greet  ok  2.3 ms'],
  ])('writes who, what, how it ended and how long it took: %j', (members, line) => {
    expect(formatCall({ ...call, ...members }, noon)).toBe(line);
  });
});

describe('CallLines', () => {
  let lines: string[];
  let calls: CallLines;

  beforeEach(() => {
    jest.useFakeTimers();
    lines = [];
    calls = new CallLines((line) => void lines.push(line));
  });

  afterEach(() => {
    calls.close();
    jest.useRealTimers();
  });

  it('tells of each call, and of a flood in sums', () => {
    for (let number = 0; number < 10_000; number += 1)
      calls.add({ ...call, outcome: number % 10 ? 'ok' : 'error' });
    expect(lines).toHaveLength(20);
    jest.advanceTimersByTime(1000);
    expect(lines.slice(20)).toEqual(['and 9980 more calls (error: 998, ok: 8982)']);
    calls.add(call);
    expect(lines).toHaveLength(22);
  });

  it('counts calls that were not reported', () => {
    calls.addLost(7);
    jest.advanceTimersByTime(1000);
    expect(lines).toEqual(['and 7 more calls (not reported: 7)']);
  });

  it('has no timer while nobody calls', () => {
    calls.add(call);
    jest.advanceTimersByTime(2000);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('tells at the end what is still to be told', () => {
    calls.addLost(1);
    calls.close();
    expect(lines).toEqual(['and 1 more call (not reported: 1)']);
  });
});
