import { afterEach, describe, expect, it } from '@jest/globals';
import {
  All,
  Catch,
  Controller,
  Injectable,
  Next,
  UseGuards,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type INestApplication,
} from '@nestjs/common';
import { json } from 'express';
import { McpModule, Tool, type McpOptions } from 'nestjs-mcp';
import { bootApp, type AppOptions, type RunningApp } from '../../support/applications/boot.js';
import { WAY_TO_THE_EDGE, watchLayers } from '../../support/applications/express-layers.js';
import { bootServer } from '../../support/applications/server.js';
import { perRequest } from '../../support/clients/json-rpc.js';

const TOKEN = 'a-token-of-the-desk-that-nobody-guesses';

@Injectable()
class EchoTool {
  @Tool({ description: 'Echoes' })
  echo(): string {
    return 'echoed';
  }
}

describe('the way from the edge to the controller on Express (MOD-09)', () => {
  let desk: RunningApp;
  let seen: string[];

  afterEach(() => desk.close());

  async function boot(
    configure: (app: INestApplication) => void,
    { options = {}, ...more }: Partial<AppOptions> & { options?: Partial<McpOptions> } = {},
  ): Promise<void> {
    seen = [];
    desk = await bootServer({ options, providers: [EchoTool], configure, ...more });
  }

  const call = async () => (await perRequest(desk.url).request('tools/call', { name: 'echo' })).status;

  /** Makes a middleware that notes what comes by, under the name that Express will know it by. */
  function note(name: string) {
    const middleware = (_request: unknown, _response: unknown, next: () => void) => {
      seen.push(name);
      next();
    };
    return Object.defineProperty(middleware, 'name', { value: name });
  }

  it('passes what the application has put there', async () => {
    await boot((app) => void app.use(note('audit')));
    expect([await call(), seen]).toEqual([200, ['audit']]);
  });

  it('passes what the application has put on its path alone', async () => {
    await boot((app) => void app.use('/mcp', note('audit')).use('/other', note('other')));
    expect([await call(), seen]).toEqual([200, ['audit']]);
  });

  it('leads as far as Express does where something is added while the application runs', async () => {
    await boot(() => undefined);
    expect([await call(), seen]).toEqual([200, []]);
    desk.app.use(note('late'));
    // What stands behind the routes is asked only of what no route has answered.
    expect([await call(), seen]).toEqual([200, []]);
  });

  it('passes a route of the application that is there first', async () => {
    @Controller()
    class CatchAllController {
      @All('*path')
      passOn(@Next() next: () => void): void {
        seen.push('route');
        next();
      }
    }
    await boot(() => undefined, { controllers: [CatchAllController] });
    expect([await call(), seen]).toEqual([200, ['route']]);
  });

  it('calls a handler that stands at the same path once, and then the controller', async () => {
    await boot((app) => app.getHttpAdapter().getInstance().post('/mcp', note('audit')));
    expect([await call(), seen]).toEqual([200, ['audit']]);
  });

  it('hands what fails on it to Express', async () => {
    @Catch()
    class FailingFilter implements ExceptionFilter {
      catch(): void {
        throw new Error('The filter fails too');
      }
    }
    @Injectable()
    class FailingGuard implements CanActivate {
      canActivate(): boolean {
        throw new Error('The guard fails');
      }
    }
    const decorators = [UseGuards(FailingGuard)];
    await boot((app) => void app.useGlobalFilters(new FailingFilter()), {
      options: { decorators } as object,
    });
    expect([await call(), await call()]).toEqual([500, 500]);
  });

  it('shows guards of the endpoint the route that they are on', async () => {
    @Injectable()
    class RouteGuard implements CanActivate {
      canActivate(context: ExecutionContext): boolean {
        const request = context.switchToHttp().getRequest<{ route: { path: string }; params: object }>();
        seen.push(request.route.path, JSON.stringify(request.params));
        return true;
      }
    }
    await boot(() => undefined, { options: { decorators: [UseGuards(RouteGuard)] } as object });
    expect([await call(), seen]).toEqual([200, ['/mcp', '{}']]);
  });

  it('is as long as it was for spellings that the router takes for the path', async () => {
    await boot((app) => void app.use(note('audit')));
    for (const path of ['/mcp/', '/MCP', '/mcp?x=1']) {
      const { status } = await perRequest(`${desk.origin}${path}`).request('tools/call', { name: 'echo' });
      expect([path, status]).toEqual([path, 200]);
    }
    expect(seen).toHaveLength(3);
  });

  it('is as short where tokens are asked for', async () => {
    await boot(() => undefined, { options: { auth: { bearer: TOKEN } } });
    const client = perRequest(desk.url, { headers: { authorization: `Bearer ${TOKEN}` } });
    expect((await client.request('tools/list')).status).toBe(200);
    const asked = watchLayers(desk.app);
    expect([(await client.request('tools/list')).status, asked.splice(0)]).toEqual([200, WAY_TO_THE_EDGE]);
    expect([await call(), asked]).toEqual([401, WAY_TO_THE_EDGE]);
  });

  it('leads past the edges of other servers', async () => {
    const serverInfo = { name: 'desk', version: '1.0.0' };
    desk = await bootApp({
      imports: [
        McpModule.forRoot({ serverInfo, server: 'one', mcpPath: '/one' }),
        McpModule.forRoot({ serverInfo, server: 'two', mcpPath: '/two' }),
      ],
    });
    const list = async (path: string) =>
      (await perRequest(`${desk.origin}${path}`).request('tools/list')).status;
    expect([await list('/one'), await list('/two')]).toEqual([200, 200]);
    const asked = watchLayers(desk.app);
    expect([await list('/one'), asked.splice(0)]).toEqual([200, WAY_TO_THE_EDGE]);
    expect([await list('/two'), asked]).toEqual([200, [...WAY_TO_THE_EDGE, 'edge']]);
  });

  it('serves an application whose own parser was there before', async () => {
    await boot((app) => void app.use(json()), { nest: { bodyParser: false } });
    expect(await call()).toBe(200);
  });
});
