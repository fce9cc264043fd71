import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Controller,
  Get,
  Injectable,
  SetMetadata,
  type CanActivate,
  type ExecutionContext,
  type INestApplication,
} from '@nestjs/common';
import { APP_GUARD, HttpAdapterHost, Reflector } from '@nestjs/core';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { McpAuthGuard } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import {
  RefusingPipe,
  TeapotFilter,
  WrappingInterceptor,
} from '../../support/applications/hostile-enhancers.js';
import {
  bootDesk,
  CALLERS,
  PUBLISHED,
  RESOURCE,
  type DeskParts,
} from '../../support/applications/protected-desk.js';
import { openHttp, sendHttp, type RawRequest } from '../../support/clients/raw-http.js';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';
const PAGE = 'https://inspector.example.com';
const SHOP = 'https://shop.example.com';
const AUTH = { ...PUBLISHED, bearer: CALLERS.ada };

const Open = () => SetMetadata('open', true);

/** Lets nothing pass that is not marked, as guards of whole applications do. */
@Injectable()
class MarkerGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const places = [context.getHandler(), context.getClass()];
    return this.reflector.getAllAndOverride<boolean | undefined>('open', places) === true;
  }
}

@Controller('orders')
class OrdersController {
  @Get()
  list(): string[] {
    return [];
  }
}

describe.each(ADAPTERS)('The metadata of a protected resource in its application on %s', (adapter) => {
  let desk: RunningApp;

  afterEach(() => desk.close());

  const boot = async (parts: DeskParts = {}): Promise<void> => {
    desk = await bootDesk(adapter, { auth: AUTH, controllers: [OrdersController], ...parts });
  };
  const ask = (path: string, request?: RawRequest) => sendHttp(desk.origin + path, request);
  const preflight = (path: string, origin = PAGE) =>
    ask(path, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'mcp-protocol-version',
      },
    });

  it('is left as it is by what meddles with every answer (PRM-01) (MOD-09)', async () => {
    await boot({
      configure: (app) => {
        app.useGlobalFilters(new TeapotFilter(app.get(HttpAdapterHost)));
        app.useGlobalInterceptors(new WrappingInterceptor());
        app.useGlobalPipes(new RefusingPipe());
      },
    });
    for (const path of [WELL_KNOWN, `${WELL_KNOWN}/mcp`]) {
      const { status, json } = await ask(path);
      expect([status, json]).toMatchObject([200, { resource: RESOURCE }]);
      expect(json).not.toHaveProperty('wrapped');
    }
    expect((await ask('/orders')).json).toEqual({ wrapped: [] });
  });

  it('can be read before any login where the application marks it (PRM-01) (MOD-09)', async () => {
    const providers = [{ provide: APP_GUARD, useClass: MarkerGuard }];
    await boot({ providers, options: { decorators: [Open()] } });
    expect((await ask(WELL_KNOWN)).status).toBe(200);
    expect((await ask('/orders')).status).toBe(403);
  });

  it('is kept back by a guard of the application that knows no exception (PRM-01)', async () => {
    await boot({ providers: [{ provide: APP_GUARD, useClass: MarkerGuard }] });
    expect((await ask(WELL_KNOWN)).status).toBe(403);
  });

  it("can be read where the server's guard stands before all that the application has (PRM-01) (AUTH-16)", async () => {
    await boot({ providers: [{ provide: APP_GUARD, useClass: McpAuthGuard }] });
    expect((await ask(WELL_KNOWN)).status).toBe(200);
    expect((await ask('/orders')).status).toBe(401);
  });

  describe.each([
    ['alone', undefined],
    [
      "beside the application's own CORS",
      (app: INestApplication) =>
        app.enableCors({ origin: SHOP, credentials: true, exposedHeaders: ['X-Total'] }),
    ],
    [
      'beside CORS that allows every origin its credentials',
      (app: INestApplication) => app.enableCors({ origin: true, credentials: true }),
    ],
  ])('%s', (_, configure) => {
    const start = () => boot(configure === undefined ? {} : { configure });

    it.each([PAGE, SHOP, 'null'])('can be read by pages of %s (PRM-01)', async (origin) => {
      await start();
      for (const path of [WELL_KNOWN, `${WELL_KNOWN}/mcp`]) {
        const { status, headers } = await ask(path, { headers: { origin } });
        expect([status, headers['access-control-allow-origin']]).toEqual([200, '*']);
        expect(headers).not.toHaveProperty('access-control-allow-credentials');
      }
    });

    it('may be asked for with the header in which clients say their revision (PRM-01)', async () => {
      await start();
      for (const path of [WELL_KNOWN, `${WELL_KNOWN}/mcp`, `${WELL_KNOWN}/mcp?x`]) {
        const { status, headers, text } = await preflight(path);
        expect([status, text, headers['access-control-allow-origin']]).toEqual([204, '', '*']);
        expect(headers['access-control-allow-methods']).toBe('GET, HEAD');
        expect(headers['access-control-allow-headers']).toContain('MCP-Protocol-Version');
        expect(Number(headers['access-control-max-age'])).toBeGreaterThan(0);
        expect(headers).not.toHaveProperty('access-control-allow-credentials');
      }
    });

    it('says once who may read it (PRM-01)', async () => {
      await start();
      for (const method of ['GET', 'OPTIONS']) {
        const headers = { origin: PAGE, 'access-control-request-method': 'GET' };
        const response = await openHttp(desk.origin + WELL_KNOWN, { method, headers });
        response.resume();
        const names = response.rawHeaders.filter((_name, index) => index % 2 === 0);
        const count = names.filter((name) => name.toLowerCase() === 'access-control-allow-origin').length;
        expect(count).toBe(1);
      }
    });
  });

  it('leaves other preflights to the application (PRM-01) (MOD-09)', async () => {
    await boot({ configure: (app) => app.enableCors({ origin: SHOP, credentials: true }) });
    for (const path of ['/orders', `${WELL_KNOWN}/orders`]) {
      const { headers } = await preflight(path, SHOP);
      expect(headers['access-control-allow-origin']).toBe(SHOP);
      expect(headers['access-control-allow-credentials']).toBe('true');
    }
  });

  it('says which methods it has to who asks without an origin (PRM-01)', async () => {
    await boot();
    const { status, headers } = await ask(WELL_KNOWN, { method: 'OPTIONS' });
    expect([status, headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS']);
  });

  it("keeps what the application's middleware has set (PRM-01) (MOD-09)", async () => {
    await boot({
      configure: (app) =>
        void app.use((_: IncomingMessage, response: ServerResponse, next: () => void) => {
          response.setHeader('X-Content-Type-Options', 'nosniff');
          next();
        }),
    });
    expect((await ask(WELL_KNOWN)).headers['x-content-type-options']).toBe('nosniff');
  });
});
