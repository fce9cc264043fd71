import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { NestFactory } from '@nestjs/core';
import { McpModule, type McpOptions } from 'nestjs-mcp';
import { ADAPTERS, type AdapterName, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import { sendHttp } from '../../support/clients/raw-http.js';

describe.each(ADAPTERS)('the check of Host on %s', (adapter) => {
  let plain: RunningApp;
  let published: RunningApp;
  let listed: RunningApp;

  beforeAll(async () => {
    plain = await bootServer({ adapter });
    published = await bootServer({ adapter, options: { publicUrl: 'https://desk.example.com/mcp' } });
    listed = await bootServer({
      adapter,
      options: { allowedHosts: ['desk.internal', 'api.internal:8080'] },
    });
  });

  afterAll(async () => {
    for (const app of [plain, published, listed]) await app.close();
  });

  async function status({ url }: RunningApp, host: string): Promise<number> {
    return (await perRequest(url).request('tools/list', {}, { headers: { host } })).status;
  }

  it.each([
    'localhost',
    'localhost:9999',
    'LocalHost:1',
    '127.0.0.1',
    '127.0.0.1:65535',
    '[::1]',
    '[::1]:80',
  ])('lets %s pass, a loopback name on any port (HTTP-06)', async (host) => {
    expect(await status(plain, host)).toBe(200);
  });

  it.each([
    'evil.example',
    'evil.example:80',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'desk.example.com',
    'localhost:80@evil.example',
    '[::2]',
    '::1',
    'evil.example/localhost',
    '',
  ])('refuses %j on a loopback connection with 403 (HTTP-06)', async (host) => {
    expect(await status(plain, host)).toBe(403);
  });

  it.each<[string, number]>([
    ['desk.example.com', 200],
    ['desk.example.com:443', 200],
    ['localhost:3000', 200],
    ['example.com', 403],
  ])('answers %s by the host of "publicUrl" with %i (HTTP-06)', async (host, expected) => {
    expect(await status(published, host)).toBe(expected);
  });

  it.each<[string, number]>([
    ['desk.internal', 200],
    ['DESK.internal', 200],
    ['desk.internal:1234', 200],
    ['api.internal:8080', 200],
    ['localhost', 200],
    ['other.internal', 403],
    ['api.internal:9090', 403],
  ])('answers %s by the list of hosts with %i (HTTP-06)', async (host, expected) => {
    expect(await status(listed, host)).toBe(expected);
  });

  it('is made on every method (HTTP-06)', async () => {
    const session = await initialize(plain.url);
    const headers = { ...session.headers, host: 'evil.example', accept: 'text/event-stream' };
    const answers = [
      await sendHttp(plain.url, { headers }),
      await sendHttp(plain.url, { method: 'DELETE', headers }),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([403, 403]);
    expect((await session.request('ping')).result).toEqual({});
  });

  it('goes by X-Forwarded-Host only where the application trusts its proxy (HTTP-06, MOD-09)', async () => {
    const headers = { host: 'localhost', 'x-forwarded-host': 'evil.example' };
    const untrusted = await perRequest(plain.url).request('tools/list', {}, { headers });
    expect(untrusted.status).toBe(200);
  });

  it.each<[string, Partial<McpOptions>, number]>([
    ['does not mind', {}, 200],
    ['minds, where hosts are listed,', { allowedHosts: ['desk.internal'] }, 403],
  ])('%s the name on a connection that is not loopback (HTTP-06)', async (_, options, expected) => {
    const path = join(tmpdir(), `${randomUUID()}.sock`);
    const app = await createApp(adapter, options);
    await listenOn(path, app);
    expect(await postOver(path, 'desk.example.com')).toBe(expected);
    await app.close();
  });
});

function createApp(adapter: AdapterName, options: Partial<McpOptions>) {
  const serverInfo = { name: 'desk', version: '1.0.0' };
  const root = { module: class AppModule {}, imports: [McpModule.forRoot({ serverInfo, ...options })] };
  const nest = { logger: false as const };
  return adapter === 'express'
    ? NestFactory.create<NestExpressApplication>(root, nest)
    : NestFactory.create(root, new FastifyAdapter(), nest);
}

/** Listens on a socket of the file system. Fastify's adapter of Nest 11 takes its path in no other form. */
function listenOn(path: string, app: INestApplication) {
  return (app as NestFastifyApplication).listen({ path });
}

/** Posts over a socket of the file system, which has no address, and gives the status. */
function postOver(socketPath: string, host: string): Promise<number> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'server/discover' });
  const headers = { host, 'content-type': 'application/json', 'content-length': body.length };
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath, path: '/mcp', method: 'POST', headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
