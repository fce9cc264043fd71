import {
  BadRequestException,
  Catch,
  ClassSerializerInterceptor,
  Injectable,
  Scope,
  SerializeOptions,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type INestApplication,
  type NestInterceptor,
  type PipeTransform,
  type Provider,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Expose } from 'class-transformer';
import { Tool, type McpOptions } from 'nestjs-mcp';
import { map } from 'rxjs';
import type { RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { RecordedLog } from '../../support/records/recorded-log.js';
import { callTool } from './tool-text.js';

/** What ran on a handler. */
const ran: string[] = [];

const note = (name: string, context?: ExecutionContext): void => {
  if (context?.getType<string>() !== 'http') ran.push(name);
};

@Injectable()
class TokenGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    note('TokenGuard', context);
    return true;
  }
}

@Injectable()
class RolesGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    note('RolesGuard', context);
    return true;
  }
}

@Injectable()
class AuditInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler) {
    note('AuditInterceptor', context);
    return next.handle();
  }
}

@Injectable()
class ActorInterceptor extends AuditInterceptor {}

@Injectable()
class TransformInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler) {
    note('TransformInterceptor', context);
    return next.handle().pipe(map((data: unknown) => ({ data, success: true })));
  }
}

@Injectable()
class TrimPipe implements PipeTransform {
  transform(value: unknown) {
    note('TrimPipe');
    return value;
  }
}

@Catch(BadRequestException)
class RequestFilter implements ExceptionFilter {
  catch(): never {
    note('RequestFilter');
    throw new BadRequestException('filtered');
  }
}

const PROVIDERS: Provider[] = [
  { provide: APP_GUARD, useClass: TokenGuard },
  { provide: APP_GUARD, useClass: RolesGuard, scope: Scope.REQUEST },
  { provide: APP_INTERCEPTOR, useClass: ActorInterceptor },
  { provide: APP_INTERCEPTOR, useFactory: () => new TransformInterceptor() },
  { provide: APP_PIPE, useValue: new TrimPipe() },
  { provide: APP_FILTER, useClass: RequestFilter },
];

const useGlobals = (app: INestApplication): void => {
  app.useGlobalGuards(new TokenGuard(), new RolesGuard());
  app.useGlobalInterceptors(new ActorInterceptor(), new TransformInterceptor());
  app.useGlobalPipes(new TrimPipe());
  app.useGlobalFilters(new RequestFilter());
};

@Injectable()
class GreetingTools {
  @Tool({ inputSchema: { type: 'object' } })
  greet(_args: object) {
    return 'Hello';
  }

  @Tool({ inputSchema: { type: 'object' } })
  fail(_args: object): never {
    throw new BadRequestException('thrown');
  }
}

const running: RunningApp[] = [];

async function boot(parts: Parameters<typeof bootServer>[0]): Promise<RunningApp> {
  const app = await bootServer({ ...parts, providers: [GreetingTools, ...(parts?.providers ?? [])] });
  running.push(app);
  return app;
}

beforeEach(() => {
  ran.length = 0;
});

afterEach(() => Promise.all(running.splice(0).map((app) => app.close())));

type Choice = McpOptions['globalEnhancers'];

const EVERYTHING = ['TokenGuard', 'RolesGuard', 'AuditInterceptor', 'TransformInterceptor', 'TrimPipe'];

const CHOICES: readonly (readonly [Choice, ran: readonly string[]])[] = [
  [undefined, []],
  [false, []],
  [true, EVERYTHING],
  [{}, []],
  [{ guards: true }, ['TokenGuard', 'RolesGuard']],
  [{ guards: { only: [RolesGuard] } }, ['RolesGuard']],
  [{ guards: { except: [RolesGuard] }, pipes: true }, ['TokenGuard', 'TrimPipe']],
  [{ interceptors: { only: [ActorInterceptor] } }, ['AuditInterceptor']],
  [{ interceptors: { only: [AuditInterceptor] } }, ['AuditInterceptor']],
  [{ interceptors: { except: [TransformInterceptor] } }, ['AuditInterceptor']],
  [{ interceptors: { except: [] }, guards: { only: [] } }, ['AuditInterceptor', 'TransformInterceptor']],
  [{ pipes: { only: [TrimPipe] }, filters: false }, ['TrimPipe']],
];

const APPLICATIONS: readonly (readonly [string, Parameters<typeof bootServer>[0]])[] = [
  ['APP_* providers', { providers: PROVIDERS }],
  ['useGlobal*()', { configure: useGlobals }],
];

const describeChoice = (choice: Choice): string =>
  JSON.stringify(choice, (_name, value: unknown) => (typeof value === 'function' ? value.name : value)) ??
  'absent';

describe.each(APPLICATIONS)('Global enhancers by %s', (_name, parts) => {
  it.each(CHOICES.map(([choice, expected]) => [describeChoice(choice), choice, expected] as const))(
    'run on handlers as "globalEnhancers" chooses: %s (APP-02)',
    async (_description, choice, expected) => {
      const options = choice === undefined ? {} : { globalEnhancers: choice };
      const desk = await boot({ ...parts, options });
      const { text } = await callTool(desk.url, 'greet');
      expect(ran).toEqual(expected);
      const isWrapped = expected.includes('TransformInterceptor');
      expect(text).toBe(isWrapped ? '{"data":"Hello","success":true}' : 'Hello');
    },
  );

  it.each([
    [{ filters: true }, 'filtered'],
    [{ filters: { only: [RequestFilter] } }, 'filtered'],
    [{ filters: { except: [RequestFilter] } }, 'thrown'],
    [{ guards: true }, 'thrown'],
  ])('filter exceptions as it chooses: %j (APP-02)', async (globalEnhancers, text) => {
    const desk = await boot({ ...parts, options: { globalEnhancers } });
    expect(await callTool(desk.url, 'fail')).toMatchObject({ isError: true, text });
  });
});

class NeverRegistered {}

describe('A class in "globalEnhancers"', () => {
  it.each([
    [
      { interceptors: { only: [NeverRegistered] } },
      'The MCP option "globalEnhancers.interceptors.only[0]" is "NeverRegistered", which is not one of the global interceptors: the application has "ActorInterceptor", "TransformInterceptor"',
    ],
    [
      { guards: { except: [TokenGuard, ActorInterceptor] } },
      'The MCP option "globalEnhancers.guards.except[1]" is "ActorInterceptor", which is not one of the global guards: the application has "TokenGuard", "RolesGuard"',
    ],
  ])(
    'is refused at start-up if the application has no such one: %j (APP-02)',
    async (globalEnhancers, text) => {
      const starting = boot({ providers: PROVIDERS, options: { globalEnhancers } });
      await expect(starting).rejects.toThrow(text);
      await expect(boot({ options: { globalEnhancers: { pipes: { only: [TrimPipe] } } } })).rejects.toThrow(
        'is not one of the global pipes: the application has none',
      );
    },
  );
});

describe('What is off', () => {
  const LINE = 'Server "default" does not run these global enhancers on handlers: ';

  it.each<[Choice, string | undefined]>([
    [
      undefined,
      'guards "TokenGuard", "RolesGuard"; interceptors "ActorInterceptor", "TransformInterceptor"; pipes "TrimPipe"; filters "RequestFilter"',
    ],
    [
      { guards: true, pipes: true, filters: true, interceptors: { only: [ActorInterceptor] } },
      'interceptors "TransformInterceptor"',
    ],
    [true, undefined],
  ])('is said at start-up, in one line: %j (APP-02)', async (choice, names) => {
    const log = new RecordedLog();
    const options = choice === undefined ? {} : { globalEnhancers: choice };
    await boot({ providers: PROVIDERS, options, nest: { logger: log } });
    const said = log.find('log', LINE);
    expect(said).toHaveLength(names === undefined ? 0 : 1);
    expect(said.join('')).toContain(names ?? '');
  });

  it('is not a serializer, unless "except" names it (APP-01) (APP-02)', async () => {
    class View {
      @Expose()
      id!: number;
    }
    @Injectable()
    class ViewTools {
      @Tool()
      @SerializeOptions({ type: View, strategy: 'excludeAll' })
      view() {
        return { id: 7, secret: 'hidden' };
      }
    }
    const providers = [ViewTools, { provide: APP_INTERCEPTOR, useClass: ClassSerializerInterceptor }];
    const log = new RecordedLog();
    const safe = await boot({
      providers,
      options: { globalEnhancers: { interceptors: false } },
      nest: { logger: log },
    });
    expect((await callTool(safe.url, 'view')).text).toBe('{"id":7}');
    expect(log.find('log', LINE)).toEqual([]);
    const except = [ClassSerializerInterceptor];
    const open = await boot({
      providers,
      options: { globalEnhancers: { interceptors: { except } } },
      nest: { logger: log },
    });
    expect((await callTool(open.url, 'view')).text).toBe('{"id":7,"secret":"hidden"}');
    expect(log.find('log', LINE)).toHaveLength(1);
    expect(log.findWarnings('@SerializeOptions()')).toHaveLength(1);
  });
});
