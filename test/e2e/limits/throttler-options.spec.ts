import { Injectable, type ExecutionContext } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { SkipThrottle, Throttle, ThrottlerModule, type ThrottlerModuleOptions } from '@nestjs/throttler';
import { McpExecutionContext, Tool } from 'nestjs-mcp';
import type { RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';
import { until } from '../../support/until.js';
import { MINUTE_MS } from './limited-desk.js';

const readArguments = (context: ExecutionContext) => McpExecutionContext.create(context).getArguments();

@Injectable()
class Tools {
  @Tool()
  plain() {
    return 'plain';
  }

  @Tool()
  @Throttle({
    default: { limit: (context) => (context.getHandler().name === 'chosen' ? 1 : 100), ttl: () => MINUTE_MS },
  })
  chosen() {
    return 'chosen';
  }

  @Tool()
  @Throttle({ default: { limit: 1, ttl: MINUTE_MS, getTracker: () => 'all' } })
  tracked() {
    return 'tracked';
  }

  @Tool()
  @Throttle({ default: { limit: 1, ttl: MINUTE_MS, generateKey: (_context, tracker) => tracker } })
  keyed() {
    return 'keyed';
  }

  @Tool()
  @Throttle({ default: { limit: 1, ttl: MINUTE_MS, generateKey: (_context, tracker) => tracker } })
  keyedAlike() {
    return 'keyed';
  }

  @Tool({ inputSchema: { type: 'object', properties: { cheap: { type: 'boolean' } } } })
  @Throttle({
    default: { limit: (context) => (readArguments(context)['cheap'] === true ? 100 : 1), ttl: MINUTE_MS },
  })
  byArguments() {
    return 'done';
  }
}

@Injectable()
class NamedTools {
  @Tool()
  @Throttle({ short: { limit: 1, ttl: MINUTE_MS } })
  limited() {
    return 'limited';
  }

  @Tool()
  @SkipThrottle({ short: true })
  patient() {
    return 'patient';
  }
}

describe('Options of "ThrottlerModule" on handlers', () => {
  let desk: RunningApp;

  afterEach(() => desk.close());

  const boot = async (
    options: ThrottlerModuleOptions,
    providers = [Tools] as readonly (new () => unknown)[],
  ) => {
    const imports = [ThrottlerModule.forRoot(options)];
    desk = await bootServer({ options: { throttle: true }, imports, providers: [...providers] });
    return (name: string, args: JsonObject = {}, headers = {}) =>
      perRequest(desk.url, { headers }).request('tools/call', { name, arguments: args });
  };

  const statusesOf = async (calls: readonly (() => Promise<{ readonly status: number }>)[]) => {
    const statuses: number[] = [];
    for (const call of calls) statuses.push((await call()).status);
    return statuses;
  };

  it('take named throttlers, of which decorators name some (OPS-04)', async () => {
    const throttlers = [
      { name: 'short', ttl: MINUTE_MS, limit: 1 },
      { name: 'long', ttl: 10 * MINUTE_MS, limit: 2 },
    ];
    const call = await boot(throttlers, [NamedTools]);
    expect(await statusesOf(Array(2).fill(() => call('limited')))).toEqual([200, 429]);
    expect(await statusesOf(Array(3).fill(() => call('patient')))).toEqual([200, 200, 429]);
    const refused = await call('patient');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(500);
    expect(refused.headers['retry-after-long']).toBe(refused.headers['retry-after']);
  });

  it('take functions for limit and time, of the call and its arguments (OPS-04)', async () => {
    const call = await boot([{ ttl: MINUTE_MS, limit: 100 }]);
    expect(await statusesOf(Array(2).fill(() => call('chosen')))).toEqual([200, 429]);
    expect(await statusesOf(Array(3).fill(() => call('byArguments', { cheap: true })))).toEqual([
      200, 200, 200,
    ]);
    expect((await call('byArguments')).status).toBe(429);
  });

  it('take a tracker and a key of the application (OPS-04)', async () => {
    const call = await boot([{ ttl: MINUTE_MS, limit: 100 }]);
    expect(await statusesOf(Array(2).fill(() => call('tracked')))).toEqual([200, 429]);
    expect(await statusesOf([() => call('keyed'), () => call('keyedAlike')])).toEqual([200, 429]);
  });

  it('take a tracker for all handlers, which gets the HTTP request and the call (OPS-04)', async () => {
    const seen: unknown[] = [];
    const getTracker = (request: JsonObject, context: ExecutionContext) => {
      seen.push(context.getType());
      return String((request['headers'] as JsonObject)['x-tenant']);
    };
    const call = await boot({ throttlers: [{ ttl: MINUTE_MS, limit: 1 }], getTracker });
    const by = (tenant: string) => () => call('plain', {}, { 'x-tenant': tenant });
    expect(await statusesOf([by('a'), by('a'), by('b')])).toEqual([200, 429, 200]);
    expect(new Set(seen)).toEqual(new Set(['mcp']));
  });

  it('leave out what "skipIf" and "ignoreUserAgents" name (OPS-04)', async () => {
    const call = await boot({
      throttlers: [{ ttl: MINUTE_MS, limit: 1 }],
      skipIf: (context) => readArguments(context)['admin'] === true,
      ignoreUserAgents: [/^probe/],
    });
    const probe = () => call('plain', {}, { 'user-agent': 'probe/1' });
    expect(await statusesOf(Array(3).fill(() => call('plain', { admin: true })))).toEqual([200, 200, 200]);
    expect(await statusesOf([probe, probe, probe])).toEqual([200, 200, 200]);
    expect(await statusesOf(Array(2).fill(() => call('plain')))).toEqual([200, 429]);
  });

  it('block for as long as they say, and no longer (OPS-04)', async () => {
    const call = await boot([{ ttl: 300, limit: 1, blockDuration: 600 }]);
    await call('plain');
    const refused = await call('plain');
    expect(refused).toMatchObject({ status: 429, error: { data: { retryAfterMs: 1000 } } });
    await until(async () => (await call('plain')).status === 200, 'the end of the block');
  });

  it('give the words of a refusal (OPS-04)', async () => {
    const call = await boot({
      throttlers: [{ ttl: MINUTE_MS, limit: 1 }],
      errorMessage: (_context, { limit }) => `Only ${limit} a minute`,
    });
    await call('plain');
    expect(await call('plain')).toMatchObject({ status: 429, error: { message: 'Only 1 a minute' } });
  });

  it('count down in headers, or tell no more than when to come again (OPS-04)', async () => {
    const call = await boot([{ ttl: MINUTE_MS, limit: 2 }]);
    expect((await call('plain')).headers).toMatchObject({
      'x-ratelimit-limit': '2',
      'x-ratelimit-remaining': '1',
    });
    await desk.close();
    const silent = await boot({ throttlers: [{ ttl: MINUTE_MS, limit: 1 }], setHeaders: false });
    expect((await silent('plain')).headers['x-ratelimit-limit']).toBeUndefined();
    const { headers, error } = await silent('plain');
    expect(error?.data).toEqual({ retryAfterMs: MINUTE_MS });
    expect(headers['retry-after']).toBe('60');
    expect(headers['ratelimit-limit']).toBeUndefined();
  });

  it('come from a factory as well (OPS-04)', async () => {
    const imports = [
      ThrottlerModule.forRootAsync({ useFactory: async () => [{ ttl: MINUTE_MS, limit: 1 }] }),
    ];
    desk = await bootServer({ options: { throttle: true }, imports, providers: [Tools] });
    const call = () => perRequest(desk.url).request('tools/call', { name: 'plain' });
    expect(await statusesOf([call, call])).toEqual([200, 429]);
  });
});
