import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { McpAuthGuard } from 'nestjs-mcp';
import type { RunningApp } from '../../support/applications/boot.js';
import { GreetingTool } from '../../support/applications/greeting-tool.js';
import { RESOURCE } from '../../support/applications/protected-desk.js';
import { bootServer, type ServerParts } from '../../support/applications/server.js';
import { DocumentEndpoint } from '../../support/authorization/document-endpoint.js';
import { Http2Client } from '../../support/clients/http2-client.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { until } from '../../support/until.js';

const MOST_OF_ADDRESS = 128;
const CROWD = '203.0.113.7';
const OTHER = '203.0.113.8';

/** Calls with a token of this name, and gives the status of the answer. */
type Call = (token: string, address: string) => Promise<number | undefined>;

interface Way {
  readonly way: string;
  readonly parts: () => ServerParts;
  readonly connect: (desk: RunningApp) => { readonly call: Call; readonly close: () => void };
}

/** Looks for tokens elsewhere than others do. */
@Injectable()
class KeyGuard extends McpAuthGuard {
  protected override findToken({
    headers,
  }: {
    readonly headers: Record<string, unknown>;
  }): string | undefined {
    return String(headers['x-api-key']);
  }
}

const overHttp = (name: string, format: (token: string) => string) => (desk: RunningApp) => ({
  close: () => undefined,
  call: async (token: string, address: string) => {
    const headers = { [name]: format(token), 'x-forwarded-for': address };
    return (await perRequest(desk.url, { headers }).request('tools/call', { name: 'greet' })).status;
  },
});

const WAYS: readonly Way[] = [
  {
    way: 'over HTTP/2',
    parts: () => ({ adapter: new FastifyAdapter({ http2: true, trustProxy: true }) }),
    connect: ({ origin }) => {
      const client = new Http2Client(origin);
      return {
        close: () => client.close(),
        call: async (token, address) => {
          const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': address };
          return (await client.callTool('greet', { accept: 'application/json', ...headers })).status;
        },
      };
    },
  },
  ...(['express', 'fastify'] as const).flatMap((adapter): readonly Way[] => [
    {
      way: `in "Authorization" on ${adapter}`,
      parts: () => ({ adapter, trustProxy: true }),
      connect: overHttp('authorization', (token) => `Bearer ${token}`),
    },
    {
      way: `in a header of the application on ${adapter}`,
      parts: () => ({ adapter, trustProxy: true, options: { authGuard: KeyGuard } }),
      connect: overHttp('x-api-key', (token) => token),
    },
  ]),
];

describe.each(WAYS)('Made-up tokens of one address that come $way', ({ parts, connect }) => {
  let desk: RunningApp;
  const endpoint = new DocumentEndpoint(() => ({ active: false }));
  const issuer = createServer((request: IncomingMessage, response: ServerResponse) =>
    endpoint.handle(request, response),
  );

  beforeEach(async () => {
    issuer.listen(0, '127.0.0.1');
    await once(issuer, 'listening');
    const url = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}`;
    const client = { clientId: 'desk', clientSecret: 'secret' };
    const introspection = { endpoint: `${url}/introspect`, ...client, timeoutMs: 60_000 };
    const auth = { resourceUri: RESOURCE, authorizationServers: [url], introspection };
    const { options, ...rest } = parts();
    desk = await bootServer({ ...rest, options: { auth, ...options }, providers: [GreetingTool] });
  });

  afterEach(async () => {
    const closed = once(issuer, 'close');
    issuer.close();
    issuer.closeAllConnections();
    await closed;
    await desk.close();
  });

  it('leave questions to those of other addresses (FAIR-03)', async () => {
    endpoint.hang();
    const { call, close } = connect(desk);
    const before = endpoint.fetches;
    const crowd = Array.from({ length: MOST_OF_ADDRESS }, (_, index) => call(`made-up-${index}`, CROWD));
    await until(() => endpoint.fetches === before + MOST_OF_ADDRESS, 'the questions of the crowd', 10_000);
    const waiting = call('made-up-more', CROWD);
    const other = call('made-up-by-another', OTHER);
    await until(() => endpoint.fetches === before + MOST_OF_ADDRESS + 1, 'the question of the other', 10_000);
    // One of the crowd waits, and is refused since the server fails at the questions of the others.
    expect(endpoint.fetches).toBe(before + MOST_OF_ADDRESS + 1);
    issuer.closeAllConnections();
    expect(await waiting).toBe(429);
    await Promise.all([...crowd, other]);
    close();
  }, 30_000);
});
