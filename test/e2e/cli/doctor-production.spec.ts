import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, HttpCode, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { McpModule, type McpOptions } from 'nestjs-mcp';
import type { DoctorOptions } from '../../../cli/doctor/doctor-options.js';
import type { Finding } from '../../../lib/core/doctor/finding.js';
import { findFreePort } from '../../conformance/find-free-port.js';
import { ADAPTERS, type AdapterName } from '../../support/applications/boot.js';
import { TestIssuer } from '../../support/authorization/issuer.js';
import { examineEndpoint } from '../../support/examine-endpoint.js';
import { FixtureEndpoint, type Traits } from '../../support/fixture-endpoint.js';

@Controller()
class HealthController {
  @Get('live')
  live() {
    return 'yes';
  }

  @Get('ready')
  ready() {
    return 'yes';
  }

  @Get('down')
  @HttpCode(503)
  down() {
    return 'no';
  }
}

function examineIt(url: string, options: Partial<DoctorOptions> = {}): Promise<readonly Finding[]> {
  return examineEndpoint(url, { timeoutMs: 10_000, isForProduction: true, ...options });
}

/** What the checks of production say, of which each server has faults elsewhere too. */
const statusesOf = (findings: readonly Finding[], ...ids: readonly string[]) =>
  Object.fromEntries(findings.filter(({ id }) => ids.includes(id)).map(({ id, status }) => [id, status]));

describe.each(ADAPTERS)('"doctor --production" and a server of this library on %s', (adapter) => {
  let app: INestApplication | undefined;
  let issuer: TestIssuer | undefined;

  afterEach(async () => {
    await app?.close();
    await issuer?.stop();
    app = undefined;
    issuer = undefined;
  });

  async function boot(
    buildOptions: (url: string) => Partial<McpOptions> = () => ({}),
    address = '127.0.0.1',
  ): Promise<string> {
    const port = await findFreePort();
    const url = `http://127.0.0.1:${port}/mcp`;
    const serverInfo = { name: 'desk', version: '1.0.0' };
    const root = {
      module: class AppModule {},
      imports: [McpModule.forRoot({ serverInfo, streams: { keepAliveMs: 200 }, ...buildOptions(url) })],
      controllers: [HealthController],
    };
    app = await NestFactory.create(root, createAdapter(adapter), {
      logger: false,
      forceCloseConnections: true,
    });
    await app.listen(port, address);
    return url;
  }

  it('finds an open server well that no other machine reaches (KIT-03)', async () => {
    const findings = await examineIt(await boot());
    expect(
      statusesOf(findings, 'open-server', 'error-details', 'health', 'origins', 'stream-silence'),
    ).toEqual({
      'open-server': 'ok',
      'error-details': 'ok',
      health: 'ok',
      origins: 'ok',
      'stream-silence': 'ok',
    });
  });

  it('finds that silent streams are kept alive without sessions, too (KIT-03)', async () => {
    const findings = await examineIt(await boot(() => ({ stateless: true })));
    expect(statusesOf(findings, 'stream-silence')).toEqual({ 'stream-silence': 'ok' });
  });

  it('finds an issuer that the server does not reach (KIT-03)', async () => {
    issuer = await TestIssuer.start();
    const { url: issuerUrl } = issuer;
    const url = await boot((resourceUri) => ({
      auth: { jwt: {}, resourceUri, authorizationServers: [issuerUrl] },
    }));
    const token = await issuer.token({ aud: url });
    await issuer.stop();
    issuer = undefined;
    const findings = await examineIt(url, { token });
    expect(findings.find(({ id }) => id === 'token')).toMatchObject({
      status: 'error',
      found: expect.stringContaining('503: "Tokens cannot be checked'),
    });
  });

  it('finds one that listens on all interfaces (KIT-03)', async () => {
    const findings = await examineIt(await boot(() => ({}), '0.0.0.0'));
    expect(statusesOf(findings, 'open-server')).toEqual({ 'open-server': 'error' });
  });

  it('finds pages of any site that may call without a token (KIT-03)', async () => {
    expect(statusesOf(await examineIt(await boot(() => ({ cors: true }))), 'origins')).toEqual({
      origins: 'warning',
    });
  });

  it('finds probes that are missing, and those that say no (KIT-03)', async () => {
    const url = await boot();
    expect(statusesOf(await examineIt(url, { probes: ['/health'] }), 'health')).toEqual({
      health: 'warning',
    });
    expect(statusesOf(await examineIt(url, { probes: ['/down'] }), 'health')).toEqual({ health: 'error' });
  });

  it('finds where issuer and resource are named by http (KIT-03)', async () => {
    issuer = await TestIssuer.start();
    const { url: issuerUrl } = issuer;
    const url = await boot((resourceUri) => ({
      auth: { jwt: {}, resourceUri, authorizationServers: [issuerUrl] },
    }));
    const findings = await examineIt(url);
    expect(statusesOf(findings, 'open-server', 'public-url', 'issuer', 'unsigned-token')).toEqual({
      'open-server': 'ok',
      'public-url': 'error',
      issuer: 'error',
      'unsigned-token': 'ok',
    });
  });

  it('finds a token that is taken though it is for somebody else (KIT-03)', async () => {
    issuer = await TestIssuer.start();
    const { url: issuerUrl } = issuer;
    const jwt = { audience: 'https://mail.example.com' };
    const url = await boot((resourceUri) => ({
      auth: { jwt, resourceUri, authorizationServers: [issuerUrl] },
    }));
    const foreign = await issuer.token({ aud: 'https://mail.example.com' });
    const findings = await examineIt(url, { token: foreign });
    expect(statusesOf(findings, 'audience')).toEqual({ audience: 'error' });
    expect(JSON.stringify(findings)).not.toContain(foreign);
  });
});

function createAdapter(adapter: AdapterName) {
  return adapter === 'express' ? new ExpressAdapter() : new FastifyAdapter({ forceCloseConnections: true });
}

describe('"doctor --production" and any other server', () => {
  let endpoint: FixtureEndpoint;

  afterEach(() => endpoint.stop());

  const stack = 'SyntaxError: Unexpected end of JSON input\n    at parse (/app/dist/server.js:12:7)';

  it.each<[string, string, Traits]>([
    [
      'error-details',
      'error',
      {
        takeOver: ({ path }, response) => {
          if (path === '/mcp') return false;
          response.writeHead(500).end(stack);
          return true;
        },
      },
    ],
    [
      'server-header',
      'warning',
      { takeOver: (_, response) => !response.setHeader('x-powered-by', 'Express') },
    ],
    [
      'unsigned-token',
      'error',
      {
        token: 'opaque-token-of-the-fixture',
        takeOver: ({ headers }, response) => {
          if (!headers.authorization?.startsWith('Bearer eyJ')) return false;
          response.writeHead(200, { 'content-type': 'application/json' });
          response.end('{"jsonrpc":"2.0","id":1,"result":{}}');
          return true;
        },
      },
    ],
  ])('finds what "%s" is a %s of (KIT-03)', async (id, status, traits) => {
    endpoint = await FixtureEndpoint.start(traits);
    expect(statusesOf(await examineIt(endpoint.url), id)).toEqual({ [id]: status });
  });

  it('asks none of this without "--production" (KIT-03)', async () => {
    endpoint = await FixtureEndpoint.start();
    const findings = await examineIt(endpoint.url, { isForProduction: false });
    expect(statusesOf(findings, 'open-server', 'health', 'error-details')).toEqual({});
  });
});
