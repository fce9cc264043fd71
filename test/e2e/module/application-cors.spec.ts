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
const EVIL = 'https://evil.example.com';
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

    it('opens nothing for an origin that the server refuses, with "cors" and without it (HTTP-11) (HTTP-06)', async () => {
      await boot(way, {}, { allowedOrigins: [SHOP] }, { cors: { origins: [CONSOLE] } });
      for (const path of ['/mcp0', '/mcp1', '/mcp2']) {
        const get = { headers: { origin: EVIL, accept: 'text/event-stream' } };
        const refused = {
          preflight: await preflight(path, EVIL),
          post: await list(path, EVIL),
          get: await sendHttp(running.origin + path, get),
        };
        for (const [method, { status, headers }] of Object.entries(refused)) {
          const opened = Object.keys(headers).filter((name) => name.startsWith('access-control-'));
          expect({ path, method, status, opened }).toEqual({ path, method, status: 403, opened: [] });
        }
      }
      const { headers } = await preflight('/orders', EVIL);
      expect(headers['access-control-allow-origin']).toBe(SHOP);
    });

    it('opens nothing for an origin that is not in "cors", though its requests pass (HTTP-11)', async () => {
      await boot(way, { cors: { origins: [CONSOLE] }, allowedOrigins: [SHOP] });
      const { status } = await list('/mcp0', SHOP);
      expect(status).toBe(200);
      const get = { headers: { origin: SHOP, accept: 'text/event-stream' } };
      const answers = {
        preflight: await preflight('/mcp0', SHOP),
        post: await list('/mcp0', SHOP),
        get: await sendHttp(`${running.origin}/mcp0`, get),
      };
      for (const [method, { headers }] of Object.entries(answers)) {
        const allowed = headers['access-control-allow-origin'];
        const credentials = headers['access-control-allow-credentials'];
        expect({ method, allowed, credentials }).toEqual({ method });
      }
      const orders = await preflight('/orders', SHOP);
      expect(orders.headers['access-control-allow-origin']).toBe(SHOP);
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
