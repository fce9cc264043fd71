import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RedisError } from '../../../../lib/redis/commands/redis.error.js';
import { ThrottledLog, OutageLog } from '../../../../lib/redis/member/outage-log.js';

const FAILURE = new RedisError('refused', 'Redis refused a command: READONLY', 'READONLY');

describe('OutageLog', () => {
  const lines: string[] = [];
  let outages: OutageLog;

  beforeEach(() => {
    jest.useFakeTimers();
    lines.length = 0;
    const log = new ThrottledLog({
      warn: (text: string) => lines.push(`warn ${text}`),
      log: (text: string) => lines.push(`log ${text}`),
    });
    log.isStarted = true;
    outages = new OutageLog(log, 'shop', '/mcp');
    outages.succeed();
    lines.length = 0;
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  const down = `warn Redis is unavailable, so this process runs standalone: ${FAILURE.message}`;
  const up = 'log Redis is available again';

  it('logs one of several short outages within a minute, and its end', () => {
    for (let count = 0; count < 3; count += 1) {
      outages.fail(FAILURE);
      jest.advanceTimersByTime(1_000);
      outages.succeed();
    }
    expect(lines).toEqual([down, up]);
  });

  it('does not leave it at that Redis is available again, if it cannot (RELAY-15)', () => {
    outages.fail(FAILURE);
    outages.succeed();
    for (let seconds = 0; seconds < 30; seconds += 1) {
      outages.fail(FAILURE);
      jest.advanceTimersByTime(1_000);
    }
    expect(lines).toEqual([down, up, down]);
    outages.succeed();
    expect(lines).toEqual([down, up, down, up]);
  });

  it('counts an outage from its own beginning', () => {
    outages.fail(FAILURE);
    jest.advanceTimersByTime(20_000);
    outages.succeed();
    outages.fail(FAILURE);
    jest.advanceTimersByTime(5_000);
    outages.fail(FAILURE);
    expect(lines).toEqual([down, up]);
  });
});
