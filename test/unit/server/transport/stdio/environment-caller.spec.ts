import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { EnvironmentCaller } from '../../../../../lib/server/transport/stdio/stdio-transport.js';
import { buildCaller } from '../../../support/caller.js';
import { CapturedLog } from '../../../support/captured-log.js';
import { passTime, stopClocks } from '../../../support/clocks.js';

describe('EnvironmentCaller', () => {
  afterEach(() => void jest.useRealTimers());

  it('is nobody without a token (AUTH-01)', () => {
    expect(new EnvironmentCaller(undefined, undefined).authentication).toBeUndefined();
  });

  it('has its token as long as that lasts, which the log is told once (AUTH-05)', () => {
    stopClocks();
    const log = CapturedLog.begin();
    const authentication = buildCaller({ sub: 'ada', expiresAt: Math.floor(Date.now() / 1000) + 60 });
    const caller = new EnvironmentCaller(undefined, authentication);
    passTime(58_000);
    expect(caller.authentication).toBe(authentication);
    passTime(3000);
    expect(caller.authentication).toBeUndefined();
    expect(caller.authentication).toBeUndefined();
    expect(log.warnings).toEqual([expect.stringContaining('has expired')]);
    log.release();
  });

  it('keeps a token that has no end (AUTH-05)', () => {
    const authentication = buildCaller({ sub: 'ada' });
    expect(new EnvironmentCaller(undefined, authentication).authentication).toBe(authentication);
  });
});
