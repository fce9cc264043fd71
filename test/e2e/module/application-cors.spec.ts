import { afterEach, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { Controller, Get } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { McpModule, type McpOptions } from 'nestjs-mcp';
import { ADAPTERS, bootApp, type RunningApp } from '../../support/applications/boot.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { sendHttp } from '../../support/clients/raw-http.js';

const CONSOLE = 'http://localhost:6274';
const SHOP = 'https://shop.example.com';
const serverInfo = { name: 'desk', version: '1.0.0' };

@Controller('orders')
class OrdersController {
  @Get()
  list(): string[] {
    return [];
  }
}

/** Adds `Vary` as a middleware that chooses a language does. */
function chooseLanguage(_: IncomingMessage, response: ServerResponse, next: () => void): void {
  response.setHeader('Vary', 'Accept-Language');
  next();
}

const WAYS: Record<string, Pick<Parameters<typeof bootApp>[0], 'configure' | 'nest'>> = {
  'app.enableCors()': {
    configure: (app: INestApplication) => app.enableCors({ origin: SHOP, credentials: true }),
  },
  'the option of NestFactory': { nest: { cors: { origin: SHOP, credentials: true } } },
};

describe.each(ADAPTERS)("The application's own CORS beside the server's, on %s", (adapter) => {
  let running: RunningApp;

  afterEach(() => running.close());

  const boot = async (way: string, ...servers: Partial<McpOptions>[]) => {
    const imports = servers.map((options, n) =>
      McpModule.forRoot({ server: `server${n}`, serverInfo, mcpPath: `/mcp${n}`, ...options }),
    );
    running = await bootApp({ adapter, imports, controllers: [OrdersController], ...WAYS[way] });
  };
  const preflight = (path: string, origin: string) =>
    sendHttp(running.origin + path, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,mcp-session-id',
      },
    });
  const list = (path: string, origin: string) =>
    perRequest(running.origin + path).request('tools/list', {}, { headers: { origin } });

  describe.each(Object.keys(WAYS))('by %s', (way) => {
    it("leaves the server's path to the server (MOD-09)", async () => {
      await boot(way, { cors: { origins: [CONSOLE] } });
      const asked = await preflight('/mcp0', CONSOLE);
      const { status, headers } = await list('/mcp0', CONSOLE);

      expect([asked.status, status]).toEqual([204, 200]);
      expect(asked.headers['access-control-allow-methods']).toBe('POST, GET, DELETE');
      for (const answered of [asked.headers, headers]) {
        expect(answered['access-control-allow-origin']).toBe(CONSOLE);
        expect(answered['access-control-allow-credentials']).toBeUndefined();
      }
      expect(headers['access-control-expose-headers']).toContain('Mcp-Session-Id');
    });

    it('leaves each of several servers its own (MOD-05) (MOD-09)', async () => {
      await boot(way, { cors: { origins: [CONSOLE] } }, { cors: true });
      const answers = await Promise.all([preflight('/mcp0', CONSOLE), preflight('/mcp1', CONSOLE)]);
      expect(answers.map(({ headers }) => headers['access-control-allow-origin'])).toEqual([CONSOLE, '*']);
    });

    it("goes on serving the application's own routes (MOD-09)", async () => {
      await boot(way, { cors: { origins: [CONSOLE] } });
      const asked = await preflight('/orders', SHOP);
      expect(asked.headers['access-control-allow-origin']).toBe(SHOP);
      expect(asked.headers['access-control-allow-credentials']).toBe('true');
    });

    it("serves the server's path where the server says nothing of origins (MOD-09)", async () => {
      await boot(way, { allowedOrigins: [SHOP] });
      const { headers } = await list('/mcp0', SHOP);
      expect(headers['access-control-allow-origin']).toBe(SHOP);
      expect(headers['access-control-expose-headers']).toContain('Mcp-Session-Id');
    });
  });

  it("keeps what else the application's answers vary by (MOD-09)", async () => {
    const imports = [McpModule.forRoot({ serverInfo, cors: { origins: [CONSOLE] } })];
    running = await bootApp({ adapter, imports, configure: (app) => void app.use(chooseLanguage) });
    const { headers } = await list('/mcp', CONSOLE);
    expect(headers.vary).toBe('Accept-Language, Origin');
  });
});
