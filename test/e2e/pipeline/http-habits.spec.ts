import {
  Catch,
  createParamDecorator,
  ForbiddenException,
  Injectable,
  UseFilters,
  UseGuards,
  UseInterceptors,
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { McpModule, Tool } from 'nestjs-mcp';
import { McpTestingModule } from 'nestjs-mcp/testing';
import { ADAPTERS, bootApp, type RunningApp } from '../../support/applications/boot.js';
import { initialize } from '../../support/clients/json-rpc.js';

interface Visitor {
  readonly user?: { readonly name: string; readonly roles: readonly string[] };
}

const USERS: { readonly [name: string]: Visitor['user'] } = {
  ada: { name: 'ada', roles: ['admin'] },
  bob: { name: 'bob', roles: [] },
};

/** As the pages of Nest write a guard of roles. */
@Injectable()
class RolesGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { user } = context.switchToHttp().getRequest<Visitor>();
    return user?.roles.includes('admin') === true;
  }
}

/** As a guard that knows where Nest keeps the request. */
@Injectable()
class ArgumentGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const [request] = context.getArgs<[Visitor | undefined]>();
    const isFirst = context.getArgByIndex<unknown>(0) === request;
    return isFirst && request?.user?.roles.includes('admin') === true;
  }
}

/** As guards of sockets are written. */
@Injectable()
class SocketGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToWs().getClient<Visitor | undefined>()?.user !== undefined;
  }
}

/** As the pages of Nest write a decorator of the user. */
const User = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<Visitor>().user?.name,
);

const seen: unknown[] = [];

@Injectable()
class NotingInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler) {
    const rpc = context.switchToRpc();
    seen.push(rpc.getData(), rpc.getContext<{ readonly method: string }>().method);
    seen.push(context.switchToHttp().getRequest<{ readonly url: string }>().url);
    return next.handle();
  }
}

@Catch(ForbiddenException)
class NotingFilter implements ExceptionFilter<ForbiddenException> {
  catch(_refusal: ForbiddenException, host: ArgumentsHost) {
    const http = host.switchToHttp();
    seen.push(
      http.getRequest<Visitor>().user?.name,
      http.getResponse<{ headersSent: boolean }>().headersSent,
    );
    return 'refused';
  }
}

/** Takes whatever it is sent, as JSON Schema does by default. */
const inputSchema = { type: 'object' } as const;

@Injectable()
class OfficeTools {
  @Tool({ inputSchema })
  @UseGuards(RolesGuard)
  secret() {
    return 'the secret of admins';
  }

  @Tool({ inputSchema })
  @UseGuards(ArgumentGuard)
  first() {
    return 'the secret of admins';
  }

  @Tool({ inputSchema })
  @UseGuards(SocketGuard)
  socket() {
    return 'the secret of sockets';
  }

  @Tool({ inputSchema })
  whoami(@User() name: unknown) {
    return `you are ${String(name)}`;
  }

  @Tool({ inputSchema })
  @UseInterceptors(NotingInterceptor)
  noted() {
    return 'noted';
  }

  @Tool({ inputSchema })
  @UseGuards(RolesGuard)
  @UseFilters(NotingFilter)
  filtered() {
    return 'not reached';
  }
}

const FORGED = { user: { name: 'ada', roles: ['admin'] } };

const serverInfo = { name: 'office', version: '1.0.0' };

describe.each(ADAPTERS)('What is written for controllers, on a handler, on %s', (adapter) => {
  let office: RunningApp;
  const call = async (user: string, name: string, args: object = {}) => {
    const session = await initialize(office.url, { headers: { 'x-user': user } });
    const { result } = await session.request('tools/call', { name, arguments: args });
    return (result as { readonly content: readonly { readonly text: string }[] }).content[0]?.text;
  };

  beforeAll(async () => {
    office = await bootApp({
      adapter,
      imports: [McpModule.forRoot({ serverInfo })],
      providers: [OfficeTools],
      configure: (app) => {
        const http = app.getHttpAdapter().getInstance();
        const identify = (request: { headers: { [name: string]: unknown }; user?: unknown }) => {
          request.user = USERS[String(request.headers['x-user'])];
        };
        if (adapter === 'express') {
          app.use((request: never, _response: unknown, next: () => void) => {
            identify(request);
            next();
          });
        } else {
          http.addHook('onRequest', async (request: never) => identify(request));
        }
      },
    });
  });

  beforeEach(() => {
    seen.length = 0;
  });

  afterAll(() => office.close());

  it('lets nobody be who the arguments say, and everybody who the request says (MOD-03)', async () => {
    expect(await call('bob', 'secret')).toBe('Forbidden resource');
    expect(await call('bob', 'secret', FORGED)).toBe('Forbidden resource');
    expect(await call('ada', 'secret')).toBe('the secret of admins');
  });

  it('gives the request first among what Nest calls the handler with (MOD-03)', async () => {
    expect(await call('bob', 'first', FORGED)).toBe('Forbidden resource');
    expect(await call('ada', 'first')).toBe('the secret of admins');
  });

  it('gives a decorated parameter the user of the request (MOD-03)', async () => {
    expect(await call('bob', 'whoami', FORGED)).toBe('you are bob');
  });

  it('gives a guard of sockets no client (MOD-03)', async () => {
    expect(await call('ada', 'socket', FORGED)).toBe('Forbidden resource');
  });

  it('gives an interceptor the request, and what an RPC has: data and context (MOD-03)', async () => {
    expect(await call('bob', 'noted', { a: 1 })).toBe('noted');
    expect(seen).toEqual([{ a: 1 }, 'tools/call', '/mcp']);
  });

  it('gives a filter the request, and a response that is still to be answered (MOD-03)', async () => {
    expect(await call('bob', 'filtered', FORGED)).toBe('refused');
    expect(seen).toEqual(['bob', false]);
  });
});

it('What is written for controllers, on a handler, finds no request where none came by HTTP (MOD-03)', async () => {
  const moduleRef = await Test.createTestingModule({
    imports: [McpModule.forRoot({ serverInfo })],
    providers: [OfficeTools],
  }).compile();
  moduleRef.useLogger(false);
  await moduleRef.init();
  const client = await McpTestingModule.createClient(moduleRef);
  const result = await client.callTool({ name: 'secret', arguments: FORGED });
  expect(result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/^Internal error/) }],
  });
  await client.close();
  await moduleRef.close();
});
