import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ThrottlerModule } from '@nestjs/throttler';
import type { RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { CapturedLog } from '../../unit/support/captured-log.js';
import { LimitedHandlers, MINUTE_MS } from './limited-desk.js';

describe('The log, if calls are refused by a limit', () => {
  let desk: RunningApp;
  let log: CapturedLog;

  beforeEach(async () => {
    desk = await bootServer({
      imports: [ThrottlerModule.forRoot([{ ttl: MINUTE_MS, limit: 2 }])],
      providers: [LimitedHandlers],
    });
    log = CapturedLog.begin();
  });

  afterEach(async () => {
    log.release();
    await desk.close();
  });

  const call = async (): Promise<void> => {
    await perRequest(desk.url).request('tools/call', { name: 'once', arguments: {} });
  };

  it('names the caller and the call once, and says nothing of calls that are let in (OPS-04)', async () => {
    await call();
    expect(log.warnings).toEqual([]);
    for (let index = 0; index < 3; index += 1) await call();
    expect(log.warnings).toEqual([
      'A call was rejected because it exceeded its rate limit: 1 in 60 s [caller=- session=- address=127.0.0.1 method="tools/call" target="once"]\nMcpThrottler',
    ]);
  });

  it('has a line for each handler (OPS-04)', async () => {
    const client = perRequest(desk.url);
    for (let index = 0; index < 3; index += 1) {
      await call();
      await client.request('resources/read', { uri: 'desk://once' });
    }
    expect(log.warnings).toHaveLength(2);
    expect(log.warnings[1]).toContain('target="desk://once"');
  });
});
