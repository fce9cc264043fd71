import type { OutgoingHttpHeaders } from 'node:http';
import { Controller, Get, Injectable, UseGuards } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { SkipThrottle, Throttle, ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { McpModule, Tool } from 'nestjs-mcp';
import { McpTestingModule } from 'nestjs-mcp/testing';
import { ADAPTERS, type RunningApp } from '../../../support/applications/boot.js';
import { bootServer } from '../../../support/applications/server.js';
import type { Answer } from '../../../support/clients/call.js';
import { initialize, perRequest } from '../../../support/clients/json-rpc.js';
import { McpThrottlerGuard } from './mcp-throttler.guard.js';

const limits = ThrottlerModule.forRoot([{ ttl: 60_000, limit: 2 }]);
const TOO_MANY = { code: -32023, message: 'ThrottlerException: Too Many Requests' };
const REFUSED = { status: 429, error: TOO_MANY };
const SERVED = { status: 200, result: { content: [{ type: 'text' }] } };

/** Calls a tool in a session of its own. */
async function callTool(url: string, name: string, headers: OutgoingHttpHeaders = {}): Promise<Answer> {
  const session = await initialize(url, { headers });
  return session.request('tools/call', { name, arguments: {} });
}

@Injectable()
@UseGuards(ThrottlerGuard)
class GuardedTools {
  @Tool()
  plain() {
    return 'plain';
  }

  @Tool()
  @Throttle({ default: { limit: 1, ttl: 60_000 } })
  once() {
    return 'once';
  }

  @Tool()
  @SkipThrottle()
  skipped() {
    return 'skipped';
  }
}

@Controller()
class GlobalTools {
  @Get('free')
  @Tool()
  free() {
    return 'free';
  }
}

@Injectable()
@UseGuards(McpThrottlerGuard)
class CountedTools {
  @Tool()
  counted() {
    return 'counted';
  }

  @Tool()
  another() {
    return 'another';
  }
}

describe.each(ADAPTERS)('@nestjs/throttler on handlers, on %s', (adapter) => {
  describe('as its page shows it, with "@UseGuards(ThrottlerGuard)"', () => {
    let desk: RunningApp;

    beforeAll(async () => {
      desk = await bootServer({ adapter, imports: [limits], providers: [GuardedTools] });
    });

    afterAll(() => desk.close());

    it('counts down in the headers of the answer, and refuses with "Retry-After" (NEST-04)', async () => {
      const first = await callTool(desk.url, 'plain');
      expect(first.headers).toMatchObject({ 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '1' });
      await callTool(desk.url, 'plain');
      const third = await callTool(desk.url, 'plain');
      expect(third).toMatchObject(REFUSED);
      expect(Number(third.headers['retry-after'])).toBeGreaterThan(0);
    });

    it('takes what its decorators say of a handler (NEST-04)', async () => {
      expect(await callTool(desk.url, 'once')).toMatchObject(SERVED);
      expect(await callTool(desk.url, 'once')).toMatchObject(REFUSED);
      for (const _ of [1, 2, 3]) {
        expect(await callTool(desk.url, 'skipped')).toMatchObject(SERVED);
      }
    });
  });

  it('guards routes and handlers alike as a global guard, and counts a method once for both (NEST-04)', async () => {
    const desk = await bootServer({
      adapter,
      options: { globalEnhancers: true },
      imports: [ThrottlerModule.forRoot([{ ttl: 60_000, limit: 6 }])],
      controllers: [GlobalTools],
      providers: [{ provide: APP_GUARD, useClass: ThrottlerGuard }],
    });
    const session = await initialize(desk.url);
    const answers = [];
    for (const _ of [1, 2, 3, 4]) {
      answers.push(await session.request('tools/call', { name: 'free' }));
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const routed = await fetch(`${desk.origin}/free`);
    expect([routed.status, routed.headers.get('x-ratelimit-remaining')]).toEqual([200, '1']);
    // The endpoint itself is a route: handshake, confirmation and four calls were all that it had.
    expect((await session.request('tools/call', { name: 'free' })).status).toBe(429);
    await desk.close();
  });

  describe('with a guard that counts by caller and tool', () => {
    let desk: RunningApp;

    beforeAll(async () => {
      desk = await bootServer({ adapter, trustProxy: true, imports: [limits], providers: [CountedTools] });
    });

    afterAll(() => desk.close());

    it('gives each address a count of its own for each tool, whatever its sessions (NEST-04)', async () => {
      const from = { 'x-forwarded-for': '203.0.113.7' };
      for (const _ of [1, 2]) {
        expect(await callTool(desk.url, 'counted', from)).toMatchObject(SERVED);
      }
      expect(await callTool(desk.url, 'counted', from)).toMatchObject(REFUSED);
      expect(await callTool(desk.url, 'another', from)).toMatchObject(SERVED);
      const other = { 'x-forwarded-for': '203.0.113.8' };
      expect(await callTool(desk.url, 'counted', other)).toMatchObject(SERVED);
    });

    it('counts by session where everybody may share the address (NEST-04)', async () => {
      const [one, two] = [await initialize(desk.url), await initialize(desk.url)];
      const call = async (session: typeof one) =>
        (await session.request('tools/call', { name: 'counted' })).status === 429;
      expect([await call(one), await call(one), await call(one)]).toEqual([false, false, true]);
      expect(await call(two)).toBe(false);
    });
  });

  it('counts by the subject of the token, by whichever session and address it comes (NEST-04)', async () => {
    const validate = (token: string) => ({ sub: token, iss: 'https://issuer.example.com' });
    const desk = await bootServer({
      adapter,
      options: { auth: { validator: { validate } } },
      imports: [limits],
      providers: [CountedTools],
    });
    const call = async (token: string) => {
      const client = perRequest(desk.url, { headers: { authorization: `Bearer ${token}` } });
      return (await client.request('tools/call', { name: 'counted', arguments: {} })).status === 429;
    };
    expect([await call('ada'), await call('ada'), await call('ada')]).toEqual([false, false, true]);
    expect(await call('bob')).toBe(false);
    await desk.close();
  });
});

it('A guard of @nestjs/throttler that counts by caller counts where no request came by HTTP (NEST-04)', async () => {
  const moduleRef = await Test.createTestingModule({
    imports: [McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' } }), limits],
    providers: [CountedTools],
  }).compile();
  moduleRef.useLogger(false);
  await moduleRef.init();
  const client = await McpTestingModule.createClient(moduleRef);
  const call = () => client.callTool({ name: 'counted' });
  await call();
  await call();
  await expect(call()).rejects.toMatchObject({ code: TOO_MANY.code });
  await client.close();
  await moduleRef.close();
});
