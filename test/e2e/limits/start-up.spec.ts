import { Controller, Get, Injectable } from '@nestjs/common';
import { SkipThrottle, Throttle, ThrottlerModule } from '@nestjs/throttler';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Concurrency,
  McpCatalog,
  McpModule,
  Resource,
  Tool,
  type McpModuleExtras,
  type McpOptions,
} from 'nestjs-mcp';
import { bootFailure } from '../../support/applications/boot-failure.js';
import type { RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { perRequest } from '../../support/clients/json-rpc.js';

@Injectable()
class Throttled {
  @Tool()
  @Throttle({ default: { limit: 1, ttl: 60_000 } })
  once() {
    return 'once';
  }
}

@Injectable()
@Throttle({ long: { limit: 1, ttl: 60_000 } })
class ThrottledClass {
  @Resource({ uri: 'desk://once' })
  read() {
    return 'once';
  }
}

@Injectable()
class Skipping {
  @Tool()
  @SkipThrottle()
  free() {
    return 'free';
  }
}

@Injectable()
class Unbounded {
  @Tool()
  @Concurrency({ queue: 3 })
  dear() {
    return 'dear';
  }
}

@Injectable()
class Misspelt {
  @Tool()
  @Concurrency({ max: 2, maxPerClient: 1 } as never)
  dear() {
    return 'dear';
  }
}

@Injectable()
class WrongQueue {
  @Tool()
  @Concurrency({ max: 2, queue: { length: 0 } })
  dear() {
    return 'dear';
  }
}

@Injectable()
class OptionOfTool {
  @Tool({ concurrency: { max: 1 } } as never)
  dear() {
    return 'dear';
  }
}

@Injectable()
class TinyResult {
  @Tool({ resultBytes: 10 })
  dear() {
    return 'dear';
  }
}

@Injectable()
class NoHandler {
  @Tool()
  free() {
    return this.dear();
  }

  @Concurrency({ max: 1 })
  dear() {
    return 'dear';
  }
}

/** An extension whose methods another provider registers. */
@Injectable()
class OfExtension {
  @Concurrency({ max: 1 })
  handle() {
    return {};
  }
}

@Injectable()
@Concurrency({ max: 1 })
class NoHandlers {
  work() {
    return 'work';
  }
}

@Controller('reports')
class Routes {
  @Get()
  @Concurrency({ max: 1 })
  list() {
    return [];
  }
}

@Injectable()
class InheritedHandlers extends NoHandlers {
  @Tool()
  dear() {
    return 'dear';
  }
}

const throttlers = (...names: readonly string[]) =>
  ThrottlerModule.forRoot(names.map((name) => ({ name, ttl: 60_000, limit: 2 })));

describe('A limit that cannot work stops the application', () => {
  const fail = (
    parts: { imports?: never[] | unknown[]; providers?: unknown[]; controllers?: unknown[] },
    options: Partial<McpOptions & McpModuleExtras> = {},
  ) => {
    const server = McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' }, ...options });
    const { imports = [], providers = [], controllers = [] } = parts;
    return bootFailure({
      imports: [server, ...(imports as never[])],
      providers: providers as never[],
      controllers: controllers as never[],
    });
  };

  it('@Throttle() without "ThrottlerModule" (OPS-04) (MOD-11)', async () => {
    expect((await fail({ providers: [Throttled] })).message).toBe(
      '@Tool() on "Throttled.once": "@Throttle()" requires "ThrottlerModule.forRoot()" from "@nestjs/throttler": add it to the imports of the application',
    );
  });

  it.each([
    [Throttled, '@Tool() on "Throttled.once"', 'default'],
    [ThrottledClass, '@Resource() on "ThrottledClass.read"', 'long'],
    [Skipping, '@Tool() on "Skipping.free"', 'default'],
  ])('a throttler that there is not, on %p (OPS-04) (MOD-11)', async (handlers, place, name) => {
    const { message } = await fail({ imports: [throttlers('short', 'medium')], providers: [handlers] });
    expect(message).toBe(
      `${place}: There is no throttler "${name}" for "@Throttle()" or "@SkipThrottle()": use one of "short", "medium"`,
    );
  });

  it.each([[[]], [[ThrottlerModule.forRoot([])]]])(
    '"throttle" without throttlers (OPS-04) (MOD-11)',
    async (imports) => {
      const { message } = await fail({ imports, providers: [Skipping] }, { throttle: true });
      expect(message).toContain('"throttle"');
      expect(message).toContain('import "ThrottlerModule.forRoot([{ ttl: 60_000, limit: 30 }])"');
    },
  );

  it('a method that there is not (OPS-04) (MOD-11)', async () => {
    const options = { throttle: { methods: ['tools/list', 'tools/lst'] } };
    const { message } = await fail({ imports: [throttlers('default')] }, options);
    expect(message).toContain('"throttle.methods[1]"');
  });

  it.each([
    [Unbounded, /^@Tool\(\) on "Unbounded.dear": .*"concurrency" must have "max", "maxPerCaller" or both/],
    [Misspelt, /"concurrency.maxPerClient" \(did you mean "concurrency.maxPerCaller"/],
    [WrongQueue, /"concurrency.queue.length" must be a whole number greater than 0/],
    [OptionOfTool, /"concurrency" is only for handlers without decorators: use @Concurrency\(\)/],
    [NoHandler, /^@Concurrency\(\) on "NoHandler.dear" has no effect, because the method is not a handler/],
    [
      OfExtension,
      /^@Concurrency\(\) on "OfExtension.handle" has no effect, because the method is not a handler/,
    ],
    [NoHandlers, /^@Concurrency\(\) on "NoHandlers" has no effect, because the class has no handlers/],
    [TinyResult, /"resultBytes" must be a whole number of bytes, 1024 or more/],
  ])('what decorators say of %p (OPS-04) (MOD-11)', async (handlers, says) => {
    expect((await fail({ providers: [handlers] })).message).toMatch(says);
  });

  it('@Concurrency() on a route (OPS-04) (MOD-11)', async () => {
    expect((await fail({ controllers: [Routes] })).message).toMatch(
      /^@Concurrency\(\) on "Routes.list" has no effect/,
    );
  });
});

describe('A limit that nothing asks for', () => {
  let desk: RunningApp;

  afterEach(() => desk.close());

  it('is none: @SkipThrottle() without "ThrottlerModule", and that module without "throttle" (OPS-04)', async () => {
    desk = await bootServer({ providers: [Skipping] });
    expect((await perRequest(desk.url).request('tools/call', { name: 'free' })).status).toBe(200);
    await desk.close();
    desk = await bootServer({ imports: [throttlers('default')], providers: [Skipping] });
    for (const _ of [1, 2, 3, 4]) {
      expect((await perRequest(desk.url).request('tools/call', { name: 'free' })).status).toBe(200);
    }
  });

  it('is one that handlers inherit: @Concurrency() on a class without any (OPS-04)', async () => {
    desk = await bootServer({ providers: [InheritedHandlers] });
    expect((await perRequest(desk.url).request('tools/call', { name: 'dear' })).status).toBe(200);
  });

  it('counts handlers added later as well, with "throttle" (OPS-04)', async () => {
    desk = await bootServer({ options: { throttle: true }, imports: [throttlers('default')] });
    const catalog = desk.app.get(McpCatalog);
    catalog.tools.add({ name: 'added' }, () => 'added');
    catalog.tools.add({ name: 'further' }, () => 'further');
    const call = async (name: string) => (await perRequest(desk.url).request('tools/call', { name })).status;
    expect([await call('added'), await call('added'), await call('added')]).toEqual([200, 200, 429]);
    expect(await call('further')).toBe(200);
  });
});
