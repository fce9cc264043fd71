import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { AccessPolicy } from '../../../../../lib/server/auth/access/access-policy.js';
import { ServerParts } from '../../../../../lib/server/server-parts.js';
import { EnvironmentCaller } from '../../../../../lib/server/transport/stdio/environment-caller.js';
import { buildCaller } from '../../../support/caller.js';
import { CapturedLog } from '../../../support/captured-log.js';
import { passTime, stopClocks } from '../../../support/clocks.js';
import { PipedDesk } from '../../../support/piped-desk.js';

describe('EnvironmentCaller', () => {
  let access: AccessPolicy;
  let desk: PipedDesk;

  beforeAll(async () => {
    desk = await PipedDesk.open(class Nothing {});
    access = desk.app.get(ServerParts, { strict: false }).find(AccessPolicy)!;
  });

  afterAll(() => desk.close());

  afterEach(() => void jest.useRealTimers());

  it('is nobody without a token (AUTH-01)', () => {
    expect(new EnvironmentCaller(access, undefined, undefined).authentication).toBeUndefined();
  });

  it('has its token as long as that lasts, which the log is told once (AUTH-05)', () => {
    stopClocks();
    const log = CapturedLog.begin();
    const authentication = buildCaller({ sub: 'ada', expiresAt: Math.floor(Date.now() / 1000) + 60 });
    const caller = new EnvironmentCaller(access, undefined, authentication);
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
    expect(new EnvironmentCaller(access, undefined, authentication).authentication).toBe(authentication);
  });
});
