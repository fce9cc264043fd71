import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { RefusalLog } from '../../../../lib/server/log/refusal-log.js';
import { CapturedLog } from '../../support/captured-log.js';

const PERIOD_MS = 600_000;

describe('RefusalLog', () => {
  let log: CapturedLog;
  let refusals: RefusalLog;

  beforeEach(() => {
    jest.useFakeTimers();
    log = CapturedLog.begin();
    refusals = new RefusalLog(new Logger('Desk'));
  });

  afterEach(() => {
    log.release();
    jest.useRealTimers();
  });

  it('writes each line once in ten minutes', () => {
    for (const line of ['a', 'b', 'a']) refusals.warn(line, {});
    jest.advanceTimersByTime(PERIOD_MS - 1);
    refusals.warn('b', {});
    expect(log.warnings).toEqual([
      expect.stringMatching(/^a \[caller=/),
      expect.stringMatching(/^b \[caller=/),
    ]);
    jest.advanceTimersByTime(1);
    refusals.warn('b', {});
    expect(log.warnings).toHaveLength(3);
  });

  it('writes twenty lines in that time, and goes on afterwards (FAIR-02)', () => {
    for (let index = 0; index < 100; index += 1) refusals.warn(`${index}`, {});
    expect(log.warnings).toHaveLength(20);
    jest.advanceTimersByTime(PERIOD_MS);
    refusals.warn('100', {});
    expect(log.warnings.at(-1)).toMatch(/^100 \[caller=- session=- address=- method=- target=-\]\nDesk$/);
  });
});
