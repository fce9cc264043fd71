import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Catch,
  Controller,
  Get,
  HttpException,
  Injectable,
  UseFilters,
  UseGuards,
  type ArgumentsHost,
  type CanActivate,
  type ExceptionFilter,
} from '@nestjs/common';
import { APP_GUARD, BaseExceptionFilter } from '@nestjs/core';
import {
  SkipThrottle,
  Throttle,
  ThrottlerException,
  ThrottlerGuard,
  ThrottlerModule,
} from '@nestjs/throttler';
import { McpExecutionContext, Prompt, RateLimitedError, Tool, ToolError } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer, type ServerParts } from '../../support/applications/server.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import { MINUTE_MS, retryAfterOf } from './limited-desk.js';

class SlowDownGuard implements CanActivate {
  canActivate(): never {
    throw new HttpException('Slow down', 429);
  }
}

class ToldGuard implements CanActivate {
  canActivate(): never {
    throw new RateLimitedError('Ten an hour', { retryAfterMs: 2500, limit: 10, remaining: 0 });
  }
}

@Catch(ThrottlerException)
class OwnWordsFilter implements ExceptionFilter {
  catch(_exception: ThrottlerException, host: ArgumentsHost): string {
    return `no more for ${McpExecutionContext.create(host).getContext().method}`;
  }
}

@Injectable()
@UseGuards(ThrottlerGuard)
class GuardedHandlers {
  @Tool()
  @Throttle({ default: { limit: 1, ttl: MINUTE_MS } })
  once() {
    return 'once';
  }

  @Prompt()
  @Throttle({ default: { limit: 1, ttl: MINUTE_MS } })
  prompt() {
    return 'asked';
  }

  @Tool()
  @UseFilters(OwnWordsFilter)
  @Throttle({ default: { limit: 1, ttl: MINUTE_MS } })
  filtered() {
    return 'filtered';
  }

  @Tool()
  @UseFilters(BaseExceptionFilter)
  @Throttle({ default: { limit: 1, ttl: MINUTE_MS } })
  answered() {
    return 'answered';
  }
}

@Injectable()
class Tools {
  @Tool()
  @UseGuards(SlowDownGuard)
  slow() {
    return 'slow';
  }

  @Tool()
  @UseGuards(ToldGuard)
  told() {
    return 'told';
  }

  @Tool()
  upstream() {
    throw new HttpException('The weather service wants a rest', 429);
  }

  @Tool()
  upstreamInWords() {
    throw new ToolError('The weather service wants a rest');
  }
}

@Controller()
class Routes {
  @Get('free')
  @Tool()
  free() {
    return 'free';
  }
}

describe.each(ADAPTERS)('Guards of the application that limit calls, on %s', (adapter) => {
  let desk: RunningApp;

  const boot = async (parts: ServerParts) => {
    const imports = [ThrottlerModule.forRoot([{ ttl: MINUTE_MS, limit: 4 }])];
    desk = await bootServer({ adapter, imports, ...parts });
    return perRequest(desk.url);
  };

  afterEach(() => desk.close());

  it.each([
    ['tools/call', 'once'],
    ['prompts/get', 'prompt'],
  ])('answer a further %s with 429 and when to come again (OPS-04) (NEST-04)', async (method, name) => {
    const client = await boot({ providers: [GuardedHandlers] });
    expect(await client.request(method, { name })).toMatchObject({ status: 200, result: {} });
    const refused = await client.request(method, { name });
    expect(refused).toMatchObject({
      status: 429,
      error: { code: -32023, message: 'ThrottlerException: Too Many Requests' },
    });
    expect([retryAfterOf(refused), refused.headers['retry-after']]).toEqual([60_000, '60']);
  });

  it('count alone where one stands on the handler, whatever "throttle" says (OPS-04)', async () => {
    const client = await boot({ options: { throttle: true }, providers: [GuardedHandlers] });
    await client.request('tools/call', { name: 'once' });
    const refused = await client.request('tools/call', { name: 'once' });
    expect(refused.error?.message).toBe('ThrottlerException: Too Many Requests');
  });

  it('have their filter say something else (OPS-04)', async () => {
    const client = await boot({ providers: [GuardedHandlers] });
    await client.request('tools/call', { name: 'filtered' });
    const { result } = await client.request('tools/call', { name: 'filtered' });
    expect(result).toMatchObject({ content: [{ text: 'no more for tools/call' }] });
  });

  it('have their filter answer over HTTP, to the same end (OPS-04)', async () => {
    const client = await boot({ providers: [GuardedHandlers] });
    await client.request('tools/call', { name: 'answered' });
    expect(await client.request('tools/call', { name: 'answered' })).toMatchObject({
      status: 429,
      error: { code: -32023, data: { retryAfterMs: 60_000 } },
    });
  });

  it('may be of any kind (OPS-04)', async () => {
    const client = await boot({ providers: [Tools] });
    expect(await client.request('tools/call', { name: 'slow' })).toMatchObject({
      status: 429,
      headers: { 'retry-after': '1' },
      error: { code: -32023, message: 'Slow down', data: { retryAfterMs: 1000 } },
    });
    expect(await client.request('tools/call', { name: 'told' })).toMatchObject({
      status: 429,
      headers: { 'retry-after': '3', 'ratelimit-limit': '10', 'ratelimit-remaining': '0' },
      error: { code: -32023, message: 'Ten an hour', data: { retryAfterMs: 2500, limit: 10, remaining: 0 } },
    });
  });

  it.each(['upstream', 'upstreamInWords'])(
    'are not taken for the limit of a service that a tool uses: %s (SEP-3304, RL-6) (OPS-04)',
    async (name) => {
      const client = await boot({ providers: [Tools] });
      expect(await client.request('tools/call', { name })).toMatchObject({
        status: 200,
        result: { isError: true, content: [{ text: 'The weather service wants a rest' }] },
      });
    },
  );

  it('count every request at the endpoint if they are global, and answer as for any route (OPS-04)', async () => {
    const providers = [{ provide: APP_GUARD, useClass: ThrottlerGuard }];
    await boot({ controllers: [Routes], providers });
    const session = await initialize(desk.url);
    expect((await session.request('tools/list')).status).toBe(200);
    expect((await session.request('ping')).status).toBe(200);
    const { status, headers } = await session.request('ping');
    expect([status, headers['retry-after']]).toEqual([429, '60']);
    expect((await fetch(`${desk.origin}/free`)).status).toBe(200);
  });

  it('leave the endpoint to the limits of handlers if it is decorated so (OPS-04)', async () => {
    const providers = [{ provide: APP_GUARD, useClass: ThrottlerGuard }];
    const options = { throttle: true, decorators: [SkipThrottle()] };
    await boot({ controllers: [Routes], providers, options });
    const session = await initialize(desk.url);
    for (const _ of [1, 2, 3, 4, 5]) expect((await session.request('ping')).status).toBe(200);
    for (const _ of [1, 2, 3, 4])
      expect((await session.request('tools/call', { name: 'free' })).status).toBe(200);
    expect((await session.request('tools/call', { name: 'free' })).error?.code).toBe(-32023);
  });
});
