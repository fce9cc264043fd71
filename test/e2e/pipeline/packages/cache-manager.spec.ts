import { Controller, Get, Injectable, UseInterceptors, type ExecutionContext } from '@nestjs/common';
import { CacheInterceptor, CacheKey, CacheModule, CacheTTL } from '@nestjs/cache-manager';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { McpExecutionContext, Tool } from 'nestjs-mcp';
import { z } from 'zod';
import { ADAPTERS, type RunningApp } from '../../../support/applications/boot.js';
import { bootServer } from '../../../support/applications/server.js';
import { callTool } from '../tool-text.js';

let made = 0;

/** Keeps an answer for each tool and its arguments. */
@Injectable()
class CallCacheInterceptor extends CacheInterceptor {
  protected override trackBy(context: ExecutionContext): string | undefined {
    if (context.getType<string>() !== 'mcp') return super.trackBy(context) as string | undefined;
    return `${context.getHandler().name} ${JSON.stringify(McpExecutionContext.create(context).getArguments())}`;
  }
}

const inputSchema = z.object({ city: z.string().optional() });

@Controller('prices')
@UseInterceptors(CacheInterceptor)
class PriceController {
  @Get()
  @Tool()
  plain() {
    return { made: (made += 1) };
  }

  @Tool()
  @CacheKey('keyed')
  @CacheTTL(60_000)
  keyed() {
    return { made: (made += 1) };
  }
}

@Injectable()
@UseInterceptors(CallCacheInterceptor)
class CityTools {
  @Tool({ inputSchema })
  city({ city }: z.infer<typeof inputSchema>) {
    return { city, made: (made += 1) };
  }
}

describe.each(ADAPTERS)('@nestjs/cache-manager on handlers, on %s', (adapter) => {
  let desk: RunningApp;
  const call = async (name: string, args: object = {}) => {
    const { text, headers } = await callTool(desk.url, name, args);
    return [JSON.parse(text) as unknown, headers['x-cache']];
  };

  beforeAll(async () => {
    desk = await bootServer({
      adapter,
      imports: [CacheModule.register()],
      controllers: [PriceController],
      providers: [CityTools],
    });
  });

  beforeEach(() => {
    made = 0;
  });

  afterAll(() => desk.close());

  it('keeps what has a key, and says so in a header of the answer (NEST-04)', async () => {
    expect(await call('keyed')).toEqual([{ made: 1 }, 'MISS']);
    expect(await call('keyed')).toEqual([{ made: 1 }, 'HIT']);
  });

  it('keeps the answers of the route, and never those of a call without a key (NEST-04)', async () => {
    const read = async () => (await fetch(`${desk.origin}/prices`)).json();
    expect([await read(), await read()]).toEqual([{ made: 1 }, { made: 1 }]);
    expect([await call('plain'), await call('plain')]).toEqual([
      [{ made: 2 }, undefined],
      [{ made: 3 }, undefined],
    ]);
  });

  it('keeps an answer for each of the arguments if its key has them (NEST-04)', async () => {
    expect(await call('city', { city: 'Bern' })).toEqual([{ city: 'Bern', made: 1 }, 'MISS']);
    expect(await call('city', { city: 'Genf' })).toEqual([{ city: 'Genf', made: 2 }, 'MISS']);
    expect(await call('city', { city: 'Bern' })).toEqual([{ city: 'Bern', made: 1 }, 'HIT']);
  });
});
