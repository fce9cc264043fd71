import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { ExpressAdapter } from '@nestjs/platform-express';
import { McpModule } from 'nestjs-mcp';
import { ADAPTERS, type AdapterName } from '../../support/applications/boot.js';
import { perRequest } from '../../support/clients/json-rpc.js';

/** A server that listens, and the way by which a request reaches it. */
interface Way {
  readonly adapter: AdapterName;
  /** What `app.listen()` is given besides the port; nothing is the default. */
  readonly host?: string;
  readonly reachedBy: string;
  /** What the server's end of the connection is called then. */
  readonly address: RegExp;
}

const IPV4 = /^127\.0\.0\.1$/;
const IPV6 = /^::1$/;
/** What a socket that takes both calls an address of IPv4. */
const IPV4_ON_IPV6 = /^::ffff:127\.0\.0\.1$/;

const hasIpv6 = Object.values(networkInterfaces()).some((found) =>
  found?.some(({ address }) => address === '::1'),
);

/** Without IPv6 there is no address of it to listen at; of IPv4, Linux alone has more for loopback than one. */
const WAYS: readonly Way[] = [
  // Nest leaves the default to its adapters: Express takes all addresses, Fastify the name of this machine.
  { adapter: 'express', reachedBy: '127.0.0.1', address: hasIpv6 ? IPV4_ON_IPV6 : IPV4 },
  { adapter: 'fastify', reachedBy: '127.0.0.1', address: IPV4 },
  ...ADAPTERS.flatMap((adapter) => [
    { adapter, host: '127.0.0.1', reachedBy: '127.0.0.1', address: IPV4 },
    { adapter, host: 'localhost', reachedBy: 'localhost', address: /^(?:127\.0\.0\.1|::1)$/ },
    ...(hasIpv6
      ? [
          { adapter, host: '::', reachedBy: '127.0.0.1', address: IPV4_ON_IPV6 },
          { adapter, host: '::', reachedBy: '[::1]', address: IPV6 },
          { adapter, host: '::1', reachedBy: '[::1]', address: IPV6 },
        ]
      : []),
    ...(process.platform === 'linux'
      ? [{ adapter, host: '127.1.2.3', reachedBy: '127.1.2.3', address: /^127\.1\.2\.3$/ }]
      : []),
  ]),
];

const CASES = WAYS.map((way) => ({
  listening: way.host === undefined ? 'listen(0)' : `listen(0, '${way.host}')`,
  ...way,
}));

describe.each(CASES)(
  'A server on $adapter by $listening, reached by $reachedBy,',
  ({ adapter, host, reachedBy, address }) => {
    let app: INestApplication | undefined;

    afterEach(() => app?.close());

    /** Starts the server, and gives its URL and the addresses of the connections to it. */
    async function start(): Promise<{ url: string; addresses: readonly (string | undefined)[] }> {
      app = await createApp(adapter);
      const addresses: (string | undefined)[] = [];
      const server = app.getHttpServer() as Server;
      server.on('connection', ({ localAddress }: Socket) => void addresses.push(localAddress));
      await (host === undefined ? app.listen(0) : app.listen(0, host));
      const bound = server.address();
      if (bound === null || typeof bound === 'string') throw new Error('The server listens at no port');
      return { url: `http://${reachedBy}:${bound.port}/mcp`, addresses };
    }

    it('refuses the name of a page that was rebound to it, and serves loopback names (HTTP-06)', async () => {
      const { url, addresses } = await start();
      const ask = async (headers: { host?: string; origin?: string }) =>
        (await perRequest(url).request('tools/list', {}, { headers })).status;
      expect(await ask({ host: 'evil.example' })).toBe(403);
      expect(await ask({ host: 'evil.example:3000' })).toBe(403);
      expect(await ask({ origin: 'http://evil.example' })).toBe(403);
      expect(await ask({ origin: 'http://evil.example', host: 'evil.example' })).toBe(403);
      for (const name of ['localhost', '127.0.0.1:3000', '[::1]']) {
        expect(await ask({ host: name, origin: `http://${name}` })).toBe(200);
      }
      expect(addresses).toEqual(addresses.map(() => expect.stringMatching(address)));
    });
  },
);

function createApp(adapter: AdapterName): Promise<INestApplication> {
  const imports = [McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' } })];
  return NestFactory.create(
    { module: class AppModule {}, imports },
    adapter === 'express' ? new ExpressAdapter() : new FastifyAdapter({ forceCloseConnections: true }),
    { logger: false, forceCloseConnections: true },
  );
}
