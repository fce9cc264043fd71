import { afterEach, describe, expect, it } from '@jest/globals';
import { ThrottlerModule, type ThrottlerStorage } from '@nestjs/throttler';
import type { McpOptions } from 'nestjs-mcp';
import type { RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { RecordedLog } from '../../support/records/recorded-log.js';
import { LimitedHandlers, MINUTE_MS } from './limited-desk.js';

const broken: ThrottlerStorage = { increment: () => Promise.reject(new Error('READONLY')) };
const silent: ThrottlerStorage = { increment: () => new Promise(() => undefined) };

describe.each([
  ['fails', broken, 'READONLY'],
  ['never answers', silent, 'it did not respond within 1000 ms'],
])('A storage of limits that %s', (_what, storage, reason) => {
  let desk: RunningApp;
  let log: RecordedLog;

  const boot = async (throttle: McpOptions['throttle']) => {
    log = new RecordedLog();
    desk = await bootServer({
      nest: { logger: log },
      options: { throttle: throttle ?? false },
      imports: [ThrottlerModule.forRoot({ throttlers: [{ ttl: MINUTE_MS, limit: 1 }], storage })],
      providers: [LimitedHandlers],
    });
    return () => perRequest(desk.url).request('tools/call', { name: 'once', arguments: {} });
  };

  afterEach(() => desk.close());

  it('lets calls go on, and is told of once a minute (OPS-04)', async () => {
    const call = await boot(false);
    const answers = [await call(), await call(), await call()];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const [line, ...others] = log.find('error', 'The "ThrottlerModule" storage is failing');
    expect(line).toContain(`calls are not limited: ${reason}`);
    expect(others).toEqual([]);
  });

  it('has calls refused if the application wants that (OPS-04)', async () => {
    const call = await boot({ onStorageError: 'deny' });
    expect(await call()).toMatchObject({
      status: 503,
      headers: { 'retry-after': '5' },
      error: { code: -32603, message: 'The server cannot check its rate limits: try again later' },
    });
  });
});
