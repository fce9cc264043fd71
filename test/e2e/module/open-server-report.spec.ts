import { mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { McpModule, type McpModuleExtras, type McpOptions } from 'nestjs-mcp';
import { ADAPTERS } from '../../support/applications/boot.js';
import { recordEachTest } from '../../support/records/recorded-log.js';

const serverInfo = { name: 'dice', version: '1.0.0' };
const bearer = 'a-fixed-token-of-the-tests';

describe.each(ADAPTERS)('An open server that begins to listen, on %s', (adapter) => {
  const log = recordEachTest();
  let app: INestApplication;

  afterEach(() => app.close());

  async function create(...servers: readonly (Partial<McpOptions> & McpModuleExtras)[]) {
    const root = {
      module: class AppModule {},
      imports: servers.map((options) => McpModule.forRoot({ serverInfo, ...options })),
    };
    const platform = adapter === 'express' ? new ExpressAdapter() : new FastifyAdapter();
    app = await NestFactory.create(root, platform, { logger: log, abortOnError: false });
  }

  /** What a server that serves nothing says shows that all has been said. */
  const readWarnings = () => {
    expect(log.findWarnings('serves nothing')).not.toEqual([]);
    return log.findWarnings('has no authentication');
  };

  it.each(['0.0.0.0', '::'])('warns on all interfaces: %s', async (address) => {
    await create({});
    await app.listen(0, address);
    const { port } = app.getHttpServer().address();
    expect(readWarnings()).toEqual([
      `Server "default" has no authentication and is listening on all interfaces, port ${port}: set "auth", listen on 127.0.0.1, or set "auth: false" if it is meant to be public Mcp`,
    ]);
  });

  it.each(['127.0.0.1', '127.0.0.2', '::1', 'localhost'])(
    'says nothing if this machine alone reaches it: %s',
    async (address) => {
      await create({});
      await app.listen(0, address);
      expect(readWarnings()).toEqual([]);
    },
  );

  it('says nothing in a socket of the file system', async () => {
    // The Fastify adapter of Nest 11 takes a path for a port.
    const isListenable = adapter === 'express' || process.env.NEST !== '11';
    const folder = mkdtempSync(join(tmpdir(), 'nestjs-mcp-'));
    await create({});
    await (isListenable ? app.listen(join(folder, 'mcp.sock')) : app.listen(0, '127.0.0.1'));
    expect(readWarnings()).toEqual([]);
    rmSync(folder, { recursive: true });
  });

  it('says nothing if it is meant to be open, or asks for tokens', async () => {
    await create({ auth: false }, { server: 'admin', mcpPath: '/admin', auth: { bearer } });
    await app.listen(0, '0.0.0.0');
    expect(readWarnings()).toEqual([]);
  });

  it('warns once, and names the server of several', async () => {
    await create({ server: 'admin', mcpPath: '/admin' }, { auth: { bearer } });
    await app.listen(0, '0.0.0.0');
    expect(readWarnings()).toEqual([expect.stringMatching(/^Server "admin" has no authentication/)]);
  });

  it('says nothing if it never listens, as on a platform that calls it', async () => {
    await create({});
    await app.init();
    expect(log.findWarnings('has no authentication')).toEqual([]);
    await app.listen(0, '0.0.0.0');
    expect(readWarnings()).toHaveLength(1);
  });
});

describe('An open server that listens before it is initialized', () => {
  const log = recordEachTest();

  it('warns all the same', async () => {
    const root = { module: class AppModule {}, imports: [McpModule.forRoot({ serverInfo })] };
    const app = await NestFactory.create(root, { logger: log });
    const server = app.getHttpServer();
    await once(server.listen(0, '0.0.0.0'), 'listening');
    await app.init();
    expect(log.find('warn', 'Server "default" has no authentication')).toHaveLength(1);
    await app.close();
    server.close();
  });
});
