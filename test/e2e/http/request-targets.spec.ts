import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { McpModule } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { buildInitialize } from '../../support/clients/json-rpc.js';
import { sendBytes, sendHttp } from '../../support/clients/raw-http.js';

const SERVER_INFO = { name: 'desk', version: '1.0.0' };
const INITIALIZE = buildInitialize();
const BODY = JSON.stringify(INITIALIZE);

/** Every form in which all routers take the path of the endpoint (RFC 9112 §3.2). */
const FORMS = ['/mcp', '/mcp/', '/mcp?x', '/mcp/?x', '/mcp#x', 'http://localhost/mcp'];

/** A form that Fastify's router takes with Nest 12, and not with Nest 11. */
const CAPITALS = 'HTTP://localhost/mcp?x';

describe.each(ADAPTERS)('a request target on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter, options: { cors: true } });
  });

  afterAll(() => desk.close());

  function send(method: string, target: string, body: string, headers: object = {}): Promise<string> {
    const all = {
      host: 'localhost',
      connection: 'close',
      'content-length': Buffer.byteLength(body),
      ...headers,
    };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
    return sendBytes(desk.port, `${[`${method} ${target} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n${body}`);
  }

  const post = (target: string, body: string) =>
    send('POST', target, body, { 'content-type': 'application/json' });

  it.each(FORMS)('reaches the endpoint as %s (HTTP-01)', async (target) => {
    expect(await post(target, BODY)).toMatch(/^HTTP\/1.1 200 [^]*"protocolVersion":"2025-11-25"/);
  });

  it.each(FORMS)('does not bring malformed JSON past the endpoint as %s (CORE-01)', async (target) => {
    expect(await post(target, '{')).toMatch(/^HTTP\/1.1 400 [^]*"code":-32700/);
  });

  it('reaches the endpoint, if anything, with its scheme in capitals (HTTP-01, CORE-01)', async () => {
    expect(await post(CAPITALS, BODY)).toMatch(
      /^HTTP\/1.1 (?:200 [^]*"protocolVersion":"2025-11-25"|404 [^]*"Cannot POST )/,
    );
    expect(await post(CAPITALS, '{')).toMatch(/^HTTP\/1.1 (?:400 [^]*"code":-32700|404 [^]*"Cannot POST )/);
  });

  it.each([...FORMS, CAPITALS])(
    'does not bring a preflight past the endpoint as %s (HTTP-11)',
    async (target) => {
      const headers = { origin: 'https://app.example.com', 'access-control-request-method': 'POST' };
      expect(await send('OPTIONS', target, '', headers)).toMatch(
        /^HTTP\/1.1 204 [^]*access-control-allow-origin/i,
      );
    },
  );

  it.each(['/%6dcp', '/MCP'])(
    'is answered as %s, whatever the router makes of it (SAFE-01)',
    async (target) => {
      expect(await post(target, BODY)).toMatch(/^HTTP\/1.1 (?:200|404) /);
    },
  );

  it.each(['//mcp', '/mcp//', '/./mcp', '/mcp/../mcp', '/mcp%2f', '/mcp;x', '/mcp\\'])(
    'does not reach the endpoint as %s (SAFE-01)',
    async (target) => {
      expect(await post(target, BODY)).toMatch(/^HTTP\/1.1 404 /);
    },
  );
});

@Module({ imports: [McpModule.forRoot({ serverInfo: SERVER_INFO })] })
class DeskModule {}

describe('a router that takes still other targets for the endpoint', () => {
  it('brings a body that the adapter has parsed (SAFE-01)', async () => {
    const adapter = new FastifyAdapter({
      // Fastify's types leave this option of its router out.
      routerOptions: { useSemicolonDelimiter: true } as object,
      forceCloseConnections: true,
    });
    const app = await NestFactory.create(DeskModule, adapter, { logger: false });
    await app.listen(0, '127.0.0.1');
    const answer = await sendHttp(`${await app.getUrl()}/mcp;x`, { json: INITIALIZE });
    expect([answer.status, answer.json]).toMatchObject([200, { result: { serverInfo: SERVER_INFO } }]);
    await app.close();
  });
});
