import { afterEach, describe, expect, it } from '@jest/globals';
import type { CanActivate } from '@nestjs/common';
import type { McpOptions } from 'nestjs-mcp';
import { ADAPTERS, type AppOptions, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize, perRequest, post } from '../../support/clients/json-rpc.js';
import { openHttp, sendHttp, type RawResponse } from '../../support/clients/raw-http.js';

const APP = 'https://app.example.com';

class ClosedGuard implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}

const listOf = (value: unknown) => String(value).toLowerCase().split(/, */);

describe.each(ADAPTERS)('CORS on %s', (adapter) => {
  let desk: RunningApp;

  afterEach(() => desk.close());

  async function boot(
    cors: McpOptions['cors'],
    configure?: AppOptions['configure'],
    rest: Partial<McpOptions> = {},
  ) {
    desk = await bootServer({
      adapter,
      options: { ...(cors !== undefined && { cors }), ...rest },
      ...(configure && { configure }),
    });
  }

  function preflight(origin = APP, asked = 'content-type'): Promise<RawResponse> {
    return sendHttp(desk.url, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': asked,
      },
    });
  }

  /** Gives how often a response has a header, as it went over the wire. */
  async function occurrences(method: string, name: string): Promise<number> {
    const headers = { origin: APP, accept: 'text/event-stream', 'access-control-request-method': 'POST' };
    const response = await openHttp(desk.url, { method, headers, ...(method === 'POST' && { json: {} }) });
    response.resume();
    return response.rawHeaders.filter((one, index) => index % 2 === 0 && one.toLowerCase() === name).length;
  }

  it('answers a preflight with what an MCP client sends (HTTP-11)', async () => {
    await boot(true);
    const { status, headers, text } = await preflight();
    expect([status, text]).toEqual([204, '']);
    expect(['*', APP]).toContain(headers['access-control-allow-origin']);
    expect(listOf(headers['access-control-allow-methods'])).toEqual(
      expect.arrayContaining(['post', 'get', 'delete']),
    );
    expect(listOf(headers['access-control-allow-headers'])).toEqual(
      expect.arrayContaining([
        'authorization',
        'content-type',
        'mcp-session-id',
        'mcp-protocol-version',
        'last-event-id',
        'mcp-method',
        'mcp-name',
      ]),
    );
  });

  it('allows the parameters that a tool has mirrored in headers (HTTP-11)', async () => {
    await boot(true);
    const { headers } = await preflight(APP, 'content-type,mcp-param-region,x-evil');
    const allowed = listOf(headers['access-control-allow-headers']);
    expect(allowed).toContain('mcp-param-region');
    expect(allowed).not.toContain('x-evil');
  });

  it('says how long a preflight may be kept (HTTP-11)', async () => {
    await boot({ origins: [APP], maxAgeSeconds: 42 });
    expect((await preflight()).headers['access-control-max-age']).toBe('42');
  });

  it('answers a preflight before any guard (HTTP-11)', async () => {
    await boot(true, (app) => void app.useGlobalGuards(new ClosedGuard()));
    expect((await preflight()).status).toBe(204);
    expect((await perRequest(desk.url).request('tools/list')).status).toBe(403);
  });

  it('lets a page read the headers that an MCP client needs, whatever the answer (HTTP-11)', async () => {
    await boot({ origins: [APP] });
    const session = await initialize(desk.url, { headers: { origin: APP } });
    const headers = { origin: APP };
    const answers = [
      session.handshake,
      await session.post({ jsonrpc: '2.0', id: 1, method: 'ping' }, headers),
      await post(desk.url, { jsonrpc: '2.0', id: 1, method: 'ping' }, headers),
      await post(desk.url, {}, { ...headers, 'content-type': 'text/plain' }),
      await sendHttp(desk.url, { method: 'PUT', headers }),
      await sendHttp(desk.url, { headers: { ...headers, accept: 'text/html' } }),
      await session.delete(headers),
    ];
    for (const { headers: given } of answers) {
      expect(given['access-control-allow-origin']).toBe(APP);
      expect(listOf(given['access-control-expose-headers'])).toEqual(
        expect.arrayContaining(['mcp-session-id', 'mcp-protocol-version', 'www-authenticate']),
      );
    }
  });

  it('lets a page read streams (HTTP-11)', async () => {
    await boot({ origins: [APP] });
    const session = await initialize(desk.url, { headers: { origin: APP } });
    const stream = await session.openStream();
    expect(stream.headers['access-control-allow-origin']).toBe(APP);
    await stream.close();
  });

  it('names the origin and varies by it where only some are allowed (HTTP-11)', async () => {
    await boot({ origins: [APP, 'https://second.example.com'] });
    const { headers } = await preflight('https://second.example.com');
    expect(headers['access-control-allow-origin']).toBe('https://second.example.com');
    expect(listOf(headers['vary'])).toContain('origin');
  });

  it('refuses the preflight of an origin that is not allowed (HTTP-11)', async () => {
    await boot({ origins: [APP] });
    const { status, headers } = await preflight('https://evil.example');
    expect(status).toBe(403);
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('is off unless switched on (HTTP-11)', async () => {
    await boot(undefined);
    const answer = await preflight('http://localhost:5173');
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    const answered = await perRequest(desk.url).request(
      'tools/list',
      {},
      { headers: { origin: 'http://localhost:5173' } },
    );
    expect([answered.status, 'access-control-allow-origin' in answered.headers]).toEqual([200, false]);
  });

  it.each(['OPTIONS', 'POST', 'GET', 'DELETE'])(
    'is not doubled by the CORS of the application on %s (HTTP-11)',
    async (method) => {
      await boot({ origins: [APP] }, (app) => app.enableCors({ origin: APP, exposedHeaders: ['X-Total'] }));
      for (const name of ['access-control-allow-origin', 'access-control-expose-headers']) {
        expect(await occurrences(method, name)).toBeLessThanOrEqual(1);
      }
      expect(await occurrences(method, 'access-control-allow-origin')).toBe(1);
    },
  );

  it('leaves the rest of the application alone (HTTP-11)', async () => {
    await boot(true);
    const answer = await sendHttp(`${desk.origin}/other`, { headers: { origin: APP } });
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('can be left to the application, whose pages then reach the server (HTTP-11, MOD-09)', async () => {
    await boot(undefined, (app) => app.enableCors({ origin: APP }), { allowedOrigins: [APP] });
    const asked = await preflight(APP, 'content-type,mcp-session-id');
    expect([asked.status, asked.headers['access-control-allow-origin']]).toEqual([204, APP]);

    const session = await initialize(desk.url, { headers: { origin: APP } });
    const { headers } = session.handshake;
    expect(headers['access-control-allow-origin']).toBe(APP);
    expect(listOf(headers['access-control-expose-headers'])).toContain('mcp-session-id');
  });
});
