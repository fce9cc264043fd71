import {
  Injectable,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Tool } from 'nestjs-mcp';
import { tap } from 'rxjs';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { RecordedLog } from '../../support/records/recorded-log.js';
import { callTool } from './tool-text.js';

/** Knows routes and resolvers, and nothing else. */
@Injectable()
class LastActiveInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): never {
    const type = context.getType<string>();
    if (type === 'http' || type === 'graphql') return next.handle().pipe(tap()) as never;
    return undefined as never;
  }
}

@Injectable()
class NullInterceptor implements NestInterceptor {
  intercept(): never {
    return Promise.resolve(null) as never;
  }
}

@Injectable()
class LostTools {
  @Tool()
  @UseInterceptors(NullInterceptor)
  lost() {
    return 'found';
  }
}

@Injectable()
class GreetingTools {
  @Tool()
  greet() {
    return 'Hello';
  }
}

const running: RunningApp[] = [];

afterEach(() => Promise.all(running.splice(0).map((app) => app.close())));

async function boot(parts: Parameters<typeof bootServer>[0]): Promise<RunningApp> {
  const app = await bootServer(parts);
  running.push(app);
  return app;
}

describe.each(ADAPTERS)('An interceptor that returns nothing, on %s', (adapter) => {
  it('is named with the option in the incident if it is global (APP-02)', async () => {
    const log = new RecordedLog();
    const desk = await boot({
      adapter,
      options: { globalEnhancers: true },
      providers: [GreetingTools, { provide: APP_INTERCEPTOR, useClass: LastActiveInterceptor }],
      nest: { logger: log },
    });
    const { isError, text } = await callTool(desk.url, 'greet');
    expect([isError, text]).toEqual([true, expect.stringMatching(/^Internal error \(incident /)]);
    expect(log.find('error').join('\n')).toContain(
      'The interceptor "LastActiveInterceptor" returned undefined instead of an Observable: return "next.handle()" if "context.getType()" is "mcp", or exclude it with "globalEnhancers"',
    );
  });

  it('is named if it is on the handler (APP-02)', async () => {
    const log = new RecordedLog();
    const desk = await boot({ adapter, providers: [LostTools], nest: { logger: log } });
    expect((await callTool(desk.url, 'lost')).isError).toBe(true);
    expect(log.find('error').join('\n')).toContain(
      'The interceptor "NullInterceptor" returned null instead of an Observable: return "next.handle()" if "context.getType()" is "mcp", or remove it from the handler',
    );
  });
});
