import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Catch,
  UseFilters,
  UseGuards,
  UseInterceptors,
  type CanActivate,
  type ExceptionFilter,
  type NestInterceptor,
} from '@nestjs/common';
import { McpAuthGuard, type McpModuleExtras, type McpOptions } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootDesk, CALLERS, PUBLISHED } from '../../support/applications/protected-desk.js';
import { bootServer } from '../../support/applications/server.js';
import { sendHttp } from '../../support/clients/raw-http.js';
import { recordEachTest } from '../../support/records/recorded-log.js';

/** Knows nobody, as a guard does that looks for a user in each request. */
class OfficeGuard implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}

class HoursGuard extends OfficeGuard {}

class OwnAuthGuard extends McpAuthGuard {}

class IdleInterceptor implements NestInterceptor {
  intercept(...[, next]: Parameters<NestInterceptor['intercept']>) {
    return next.handle();
  }
}

@Catch(RangeError)
class RangeFilter implements ExceptionFilter {
  catch(): void {}
}

const AUTH = { ...PUBLISHED, bearer: CALLERS.ada };

describe.each(ADAPTERS)('Guards in "decorators" on %s', (adapter) => {
  const log = recordEachTest();
  let desk: RunningApp;

  afterEach(() => desk.close());

  async function boot(options: Partial<McpOptions> & McpModuleExtras): Promise<void> {
    desk = await bootDesk(adapter, { auth: AUTH, options, nest: { logger: log } });
    // What looks wrong is said behind this line.
    expect(log.find('log', 'Server "default" requires tokens')).toHaveLength(1);
  }

  const findWarnings = () => log.findWarnings('"decorators"');

  it('are named once in a warning at the start that says what to do (AUTH-16) (AUTH-19)', async () => {
    await boot({ decorators: [UseGuards(OfficeGuard), UseGuards(new HoursGuard())] });
    await sendHttp(desk.url);
    expect(findWarnings()).toEqual([
      'Server "default": "decorators" applies "OfficeGuard", "HoursGuard" to the endpoint and all public documents, which clients request before they have a token: let requests without a token pass, or put guards on handler classes McpAuth',
    ]);
  });

  it.each([
    ['the endpoint', '/mcp'],
    ['that of HTTP+SSE', '/sse'],
    ['the metadata', '/.well-known/oauth-protected-resource/mcp'],
    ["the metadata at the origin's root", '/.well-known/oauth-protected-resource'],
    ['the server card', '/mcp/server-card'],
    ['the catalog of cards', '/.well-known/ai-catalog.json'],
  ])('stand before %s (AUTH-16)', async (_, path) => {
    await boot({ decorators: [UseGuards(OfficeGuard)], sse: true });
    const { status, headers } = await sendHttp(desk.origin + path);
    expect([status, headers['www-authenticate']]).toEqual([403, undefined]);
  });

  it('are not warned of where they are the guard of the server, which lets the public pass (AUTH-16)', async () => {
    await boot({ decorators: [UseGuards(McpAuthGuard, OwnAuthGuard)] });
    expect(findWarnings()).toEqual([]);
    expect((await sendHttp(`${desk.origin}/mcp/server-card`)).status).toBe(200);
  });

  it('are not interceptors and filters (AUTH-19)', async () => {
    await boot({ decorators: [UseInterceptors(IdleInterceptor), UseFilters(RangeFilter)] });
    expect(findWarnings()).toEqual([]);
  });

  it('are not warned of where nobody is asked for a token (AUTH-19)', async () => {
    const options = { decorators: [UseGuards(OfficeGuard)] };
    desk = await bootServer({ adapter, options, nest: { logger: log } });
    expect(findWarnings()).toEqual([]);
  });
});
