import { afterEach, describe, expect, it } from '@jest/globals';
import { McpModule, type McpOptions } from 'nestjs-mcp';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { ADAPTERS } from '../../support/applications/boot.js';
import { bootFailure } from '../../support/applications/boot-failure.js';
import { sendHttp } from '../../support/clients/raw-http.js';
import { SseClient } from '../../support/clients/sse-client.js';
import { bootSse, type SseDesk } from './sse-desk.js';

const serverInfo = { name: 'desk', version: '1.0.0' };
const STREAM = { accept: 'text/event-stream' };

/** A proxy that takes a prefix off, as one that maps a path to a service does. */
async function startProxy(port: number, prefix: string): Promise<Server> {
  const proxy = createServer((incoming, outgoing) => {
    const path = (incoming.url ?? '').replace(prefix, '');
    const { method, headers } = incoming;
    const forwarded = request({ port, host: '127.0.0.1', path, method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    outgoing.once('close', () => forwarded.destroy());
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return proxy;
}

describe.each(ADAPTERS)('HTTP+SSE and what stands around it, on %s', (adapter) => {
  const open: SseDesk[] = [];

  afterEach(async () => {
    await Promise.all(open.splice(0).map((desk) => desk.close()));
  });

  async function boot(given: Parameters<typeof bootSse>[1]): Promise<SseDesk> {
    const desk = await bootSse(adapter, given);
    open.push(desk);
    return desk;
  }

  it.each<[string, Partial<McpOptions>]>([
    ['/old/sse', { sse: { path: '/old/sse' } }],
    ['/mcp/sse', { sse: { path: '/mcp/sse' } }],
    ['/api/sse', { sse: true, useGlobalPrefix: true }],
    ['/sse', { sse: true, useGlobalPrefix: false }],
  ])('is at %s with %j, under a global prefix (SSE-01) (MOD-09)', async (path, options) => {
    const configure = (app: { setGlobalPrefix(prefix: string): unknown }) => void app.setGlobalPrefix('api');
    const desk = await boot({ path, options, configure });
    const client = await SseClient.connect(desk.sse);
    expect(new URL(client.endpoint).pathname).toBe(path);
    expect(await client.callTool('echo', { text: 'hi' })).toBe('hi');
    await client.close();
  });

  it('tells clients behind a proxy that cuts the path where to post (SSE-01)', async () => {
    const desk = await boot({ options: { publicUrl: 'https://desk.example.com/tools/mcp' } });
    const proxy = await startProxy(desk.port, '/tools');
    const origin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const client = await SseClient.connect(`${origin}/tools/sse`);
    expect(new URL(client.endpoint).pathname).toBe('/tools/sse');
    expect(await client.callTool('echo', { text: 'hi' })).toBe('hi');
    await client.close();
    proxy.closeAllConnections();
    proxy.close();
  });

  it('refuses foreign origins and hosts, on the stream and on what is posted (SSE-01) (HTTP-06)', async () => {
    const desk = await boot({});
    const client = await SseClient.connect(desk.sse);
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const answers = await Promise.all([
      sendHttp(desk.sse, { headers: { ...STREAM, origin: 'https://evil.example' } }),
      sendHttp(desk.sse, { headers: { ...STREAM, host: 'evil.example' } }),
      client.post(ping, { origin: 'https://evil.example' }),
      client.post(ping, { host: 'evil.example' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    await client.close();
  });

  it.each([false, true])(
    'answers preflights for pages of listed origins; the application has CORS of its own: %j (SSE-01) (HTTP-11)',
    async (hasOwn) => {
      const origin = 'https://app.example.com';
      const configure = (app: { enableCors(): void }) => {
        if (hasOwn) app.enableCors();
      };
      const desk = await boot({ options: { cors: { origins: [origin] } }, configure });
      const preflight = await sendHttp(desk.sse, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST' },
      });
      expect([preflight.status, preflight.headers]).toMatchObject([
        204,
        {
          'access-control-allow-origin': origin,
          'access-control-allow-methods': 'GET, POST',
          'access-control-allow-headers': expect.stringContaining('Authorization'),
        },
      ]);
      const client = await SseClient.connect(desk.sse, { headers: { origin } });
      expect(client.stream.headers['access-control-allow-origin']).toBe(origin);
      expect((await client.request('ping')).result).toEqual({});
      await client.close();
    },
  );

  it('has a path of its own in each of several servers (SSE-01) (MOD-04)', async () => {
    const admin = { serverInfo: { name: 'admin', version: '1.0.0' }, server: 'admin', mcpPath: '/admin' };
    const imports = [
      McpModule.forRoot({ serverInfo, sse: true, isDefault: true }),
      McpModule.forRoot({ ...admin, sse: true }),
    ];
    const { message } = await bootFailure({ adapter, imports });
    expect(message).toMatch(/"sse\.path" is "\/sse" for two servers/);
  });

  it('is told that the prefix does not reach it (SSE-01) (MOD-09)', async () => {
    const imports = [McpModule.forRoot({ serverInfo, sse: true, useGlobalPrefix: true })];
    const { message } = await bootFailure({
      adapter,
      imports,
      configure: (app) => void app.setGlobalPrefix('api', { exclude: ['sse'] }),
    });
    expect(message).toMatch(/"useGlobalPrefix" is true, but "setGlobalPrefix" excludes "\/sse"/);
  });
});
