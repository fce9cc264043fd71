import { describe, expect, it } from '@jest/globals';
import {
  Controller,
  Get,
  Module,
  RequestMethod,
  VersioningType,
  type INestApplication,
  type MiddlewareConsumer,
  type NestModule,
} from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { McpModule, type McpOptions } from 'nestjs-mcp';
import { ADAPTERS, bootApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { bootFailure } from '../../support/applications/boot-failure.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { sendHttp } from '../../support/clients/raw-http.js';

const serverInfo = { name: 'desk', version: '1.0.0' };

@Controller('health')
class HealthController {
  @Get()
  check(): string {
    return 'well';
  }
}

/** Makes a module whose middleware for some routes tells the application's header. */
function buildGuardedModule(options: McpOptions, ...routes: string[]) {
  const guard = (_: IncomingMessage, response: ServerResponse, next: () => void): void => {
    response.setHeader('X-Seen', 'yes');
    next();
  };
  @Module({ imports: [McpModule.forRoot(options)], controllers: [HealthController] })
  class GuardedModule implements NestModule {
    configure(consumer: MiddlewareConsumer): void {
      consumer.apply(guard).forRoutes(...routes);
    }
  }
  return GuardedModule;
}

describe.each(ADAPTERS)("The application's middleware and the global prefix, on %s", (adapter) => {
  const wasSeen = async (url: string): Promise<boolean> => {
    const { status, headers } = await perRequest(url).request('tools/list');
    expect(status).toBe(200);
    return headers['x-seen'] === 'yes';
  };

  it.each([
    ['without a prefix', () => undefined],
    ['with one', (app: INestApplication) => void app.setGlobalPrefix('api')],
    [
      'with one that excludes another route',
      (app: INestApplication) => void app.setGlobalPrefix('api', { exclude: ['health'] }),
    ],
    [
      'with one and versions in the path',
      (app: INestApplication) =>
        void app.setGlobalPrefix('api').enableVersioning({ type: VersioningType.URI }),
    ],
  ])('meet at the endpoint that a middleware is for, %s (MOD-09)', async (_, configure) => {
    for (const route of ['mcp', '*path']) {
      const module = buildGuardedModule({ serverInfo }, route);
      const { url, close } = await bootApp({ adapter, module, configure });
      expect(await wasSeen(url)).toBe(true);
      await close();
    }
  });

  it('meet at the endpoint under the prefix where that is wanted (MOD-09)', async () => {
    const module = buildGuardedModule({ serverInfo, useGlobalPrefix: true }, 'mcp');
    const configure = (app: INestApplication) => void app.setGlobalPrefix('api');
    const { url, close } = await bootApp({ adapter, module, configure, path: '/api/mcp' });
    expect(await wasSeen(url)).toBe(true);
    await close();
  });

  it('keep what the application excludes itself (MOD-09)', async () => {
    const exclude = [{ path: 'health', method: RequestMethod.GET }];
    const { url, origin, close } = await bootApp({
      adapter,
      module: buildGuardedModule({ serverInfo }, 'mcp'),
      configure: (app) => void app.setGlobalPrefix('api', { exclude }),
    });
    expect((await sendHttp(`${origin}/health`)).text).toBe('well');
    expect((await perRequest(url).request('tools/list')).status).toBe(200);
    await close();
  });
});

describe.each(ADAPTERS)('Two servers of one path, on %s', (adapter) => {
  const serve = (server: string, options: Partial<McpOptions>) =>
    McpModule.forRoot({ server, serverInfo, ...options });
  const configure = (app: INestApplication) => void app.setGlobalPrefix('api');

  it.each([
    ['in other letters', serve('a', { mcpPath: '/MCP' }), '/mcp'],
    ['by the prefix', serve('a', { mcpPath: '/mcp', useGlobalPrefix: true }), '/api/mcp'],
    ['before the prefix', serve('a', { mcpPath: '/mcp', useGlobalPrefix: true }), '/mcp'],
  ])('do not start where it is the same %s (MOD-05) (MOD-11)', async (_, first, mcpPath) => {
    const { message } = await bootFailure({ adapter, imports: [first, serve('b', { mcpPath })], configure });
    expect(message).toContain('The MCP option "mcpPath" is');
    expect(message).toContain('give each server its own path');
  });
});

describe.each(ADAPTERS)('A path that the application moves elsewhere, on %s', (adapter) => {
  it('does not start under a path of RouterModule (MOD-09) (MOD-11)', async () => {
    const imports = [
      McpModule.forRoot({ serverInfo }),
      RouterModule.register([{ path: 'api', module: McpModule }]),
    ];
    const { message } = await bootFailure({ adapter, imports });
    expect(message).toContain('"mcpPath" is absolute, but "RouterModule" adds the prefix "/api"');
  });

  it('starts where RouterModule moves the module that imports it (MOD-09)', async () => {
    @Module({ imports: [McpModule.forRoot({ serverInfo })], controllers: [HealthController] })
    class DeskModule {}
    const { url, origin, close } = await bootApp({
      adapter,
      imports: [DeskModule, RouterModule.register([{ path: 'desk', module: DeskModule }])],
    });
    expect((await perRequest(url).request('tools/list')).status).toBe(200);
    expect((await sendHttp(`${origin}/desk/health`)).text).toBe('well');
    await close();
  });

  it('does not start where the prefix is wanted and excluded (MOD-09) (MOD-11)', async () => {
    const { message } = await bootFailure({
      adapter,
      imports: [McpModule.forRoot({ serverInfo, useGlobalPrefix: true })],
      configure: (app) => void app.setGlobalPrefix('api', { exclude: ['mcp'] }),
    });
    expect(message).toContain('"useGlobalPrefix" is true, but "setGlobalPrefix" excludes "/mcp"');
  });

  it.each([':tenant', 'v1{/:tenant}'])(
    'does not start under the prefix %p, which is not one path (MOD-09) (MOD-11)',
    async (prefix) => {
      const { message } = await bootFailure({
        adapter,
        imports: [McpModule.forRoot({ serverInfo, useGlobalPrefix: true })],
        configure: (app) => void app.setGlobalPrefix(prefix),
      });
      expect(message).toContain(
        `"useGlobalPrefix" is true, but the prefix turns the path into "/${prefix}/mcp"`,
      );
    },
  );

  it('starts beside a prefix with parameters that it stays out of (MOD-09)', async () => {
    const { url, close } = await bootServer({
      adapter,
      configure: (app) => void app.setGlobalPrefix(':tenant'),
    });
    expect((await perRequest(url).request('tools/list')).status).toBe(200);
    await close();
  });
});
