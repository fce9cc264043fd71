import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable, VersioningType, type INestApplication } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { McpModule, Tool } from 'nestjs-mcp';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ADAPTERS, bootApp, type RunningApp } from '../../support/applications/boot.js';
import {
  authorize,
  bootDesk,
  CALLERS,
  METADATA,
  PUBLISHED,
  RESOURCE,
} from '../../support/applications/protected-desk.js';
import { bootServer } from '../../support/applications/server.js';
import { GreetingTool } from '../../support/applications/greeting-tool.js';
import { initialize } from '../../support/clients/json-rpc.js';
import { sendHttp } from '../../support/clients/raw-http.js';
import { SseClient } from '../../support/clients/sse-client.js';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

async function expectCallsAt(url: string): Promise<void> {
  const session = await initialize(url);
  const { result } = await session.request('tools/call', { name: 'greet' });
  expect(result).toMatchObject({ content: [{ text: 'hello' }] });
  expect((await session.delete()).status).toBe(204);
}

describe.each(ADAPTERS)('an address with a slash at its end, on %s', (adapter) => {
  let desk: RunningApp;

  afterEach(() => desk.close());

  it.each(['/mcp/', '/mcp/?tenant=1', '/mcp'])(
    'is that of the endpoint, for every method, as %s (HTTP-01, MOD-09)',
    async (path) => {
      desk = await bootServer({
        adapter,
        options: { cors: { origins: ['https://app.example.com'] } },
        providers: [GreetingTool],
      });
      const url = `${desk.origin}${path}`;
      await expectCallsAt(url);
      const session = await initialize(url);
      const standing = await session.openStream();
      await standing.close();
      const preflight = await sendHttp(url, {
        method: 'OPTIONS',
        headers: { origin: 'https://app.example.com', 'access-control-request-method': 'POST' },
      });
      expect([preflight.status, preflight.headers['access-control-allow-methods']]).toEqual([
        204,
        'POST, GET, DELETE',
      ]);
      const put = await sendHttp(url, { method: 'PUT' });
      expect([put.status, put.headers.allow]).toEqual([405, 'POST, GET, DELETE']);
    },
  );

  it('is that of HTTP+SSE, and of what is posted beside it (SSE-01)', async () => {
    desk = await bootServer({ adapter, options: { sse: true }, providers: [GreetingTool] });
    const client = await SseClient.connect(`${desk.origin}/sse/`);
    expect(new URL(client.endpoint).pathname).toBe('/sse');
    expect(await client.callTool('greet')).toBe('hello');
    const { search } = new URL(client.endpoint);
    const answer = await sendHttp(`${desk.origin}/sse/${search}`, {
      json: { jsonrpc: '2.0', id: 1, method: 'ping' },
    });
    expect(answer.status).toBe(202);
    await client.close();
  });

  it('is that of the official client too (MOD-01)', async () => {
    desk = await bootServer({ adapter, options: { sse: true }, providers: [GreetingTool] });
    const transports = [
      new StreamableHTTPClientTransport(new URL(`${desk.origin}/mcp/`)),
      new SSEClientTransport(new URL(`${desk.origin}/sse/`)),
    ];
    for (const transport of transports) {
      const client = new Client({ name: 'slashed', version: '1.0.0' });
      await client.connect(transport);
      expect(await client.callTool({ name: 'greet' })).toMatchObject({ content: [{ text: 'hello' }] });
      await client.close();
    }
  });

  it('is protected, and leaves the identifier of the resource as it is (AUTH-01, PRM-01, PRM-02)', async () => {
    desk = await bootDesk(adapter, {
      auth: { ...PUBLISHED, bearer: Object.values(CALLERS) },
      providers: [GreetingTool],
    });
    const refused = await sendHttp(`${desk.url}/`, { json: { jsonrpc: '2.0', id: 1, method: 'tools/list' } });
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([
      401,
      expect.stringContaining(`resource_metadata="${METADATA}"`),
    ]);
    const session = await initialize(`${desk.url}/`, { headers: authorize(CALLERS.ada.token) });
    expect((await session.request('tools/call', { name: 'greet' })).status).toBe(200);
    for (const path of [`${WELL_KNOWN}/mcp/`, `${WELL_KNOWN}/`, `${WELL_KNOWN}/mcp/?x`]) {
      const { status, json } = await sendHttp(`${desk.origin}${path}`);
      expect([status, json]).toMatchObject([200, { resource: RESOURCE }]);
    }
    const head = await sendHttp(`${desk.origin}${WELL_KNOWN}/mcp/`, { method: 'HEAD' });
    expect(head.status).toBe(200);
    const preflight = await sendHttp(`${desk.origin}${WELL_KNOWN}/mcp/`, { method: 'OPTIONS' });
    expect(preflight.status).toBe(204);
  });

  it.each<[string, boolean, string]>([
    ['a prefix that is not used', false, '/mcp/'],
    ['a prefix', true, '/api/mcp/'],
  ])('stays under %s and versioning (MOD-09)', async (_, useGlobalPrefix, path) => {
    desk = await bootServer({
      adapter,
      options: { useGlobalPrefix },
      providers: [GreetingTool],
      configure: (app: INestApplication) => {
        app.setGlobalPrefix('api');
        app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
      },
    });
    await expectCallsAt(`${desk.origin}${path}`);
    const other = useGlobalPrefix ? '/mcp/' : '/api/mcp/';
    expect((await sendHttp(`${desk.origin}${other}`, { json: {} })).status).toBe(404);
  });

  it('is that of each of several servers (MOD-05)', async () => {
    @Injectable()
    class NamingTools {
      @Tool({ description: 'Greets', name: 'greet' })
      greet(): string {
        return 'hello';
      }
    }
    const info = { serverInfo: { name: 'desk', version: '1.0.0' } };
    desk = await bootApp({
      adapter,
      imports: [
        McpModule.forRoot({ ...info, server: 'a', mcpPath: '/a', isDefault: true }),
        McpModule.forRoot({ ...info, server: 'b', mcpPath: '/a/b' }),
      ],
      providers: [NamingTools],
    });
    await expectCallsAt(`${desk.origin}/a/`);
    expect((await initialize(`${desk.origin}/a/b/`)).version).toBe('2025-11-25');
  });
});

describe.each([
  { ignoreTrailingSlash: true },
  { routerOptions: { ignoreTrailingSlash: true } },
  { exposeHeadRoutes: false },
])('an address with a slash at its end on Fastify with %j', (options) => {
  it('is that of the endpoint (HTTP-01)', async () => {
    const adapter = new FastifyAdapter({ ...(options as object), forceCloseConnections: true });
    const desk = await bootServer({ adapter, options: { sse: true }, providers: [GreetingTool] });
    for (const path of ['/mcp', '/mcp/']) await expectCallsAt(`${desk.origin}${path}`);
    const client = await SseClient.connect(`${desk.origin}/sse/`);
    await client.close();
    await desk.close();
  });
});

describe('a path with a slash at its end on Fastify', () => {
  it('is reached behind what stands before the path without it alone (AUTH-01, MOD-09)', async () => {
    const desk = await bootServer({
      adapter: 'fastify',
      options: { sse: true },
      providers: [GreetingTool],
      configure: (app: INestApplication) => {
        const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
        fastify.addHook('onRequest', async ({ originalUrl, headers }, reply) => {
          const [path = ''] = originalUrl.split('?');
          if (['/mcp', '/sse'].includes(path) && headers['x-key'] !== 'right') return reply.code(403).send();
        });
      },
    });
    const json = { jsonrpc: '2.0', id: 1, method: 'ping' };
    for (const path of ['/mcp', '/mcp/', '/mcp/?a=/', '/sse/', '/sse/?sessionId=1']) {
      const refused = await sendHttp(`${desk.origin}${path}`, { json });
      expect([path, refused.status]).toEqual([path, 403]);
    }
    const session = await initialize(`${desk.origin}/mcp/`, { headers: { 'x-key': 'right' } });
    expect((await session.request('tools/call', { name: 'greet' })).status).toBe(200);
    await desk.close();
  });
});
