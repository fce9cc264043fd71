import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { ThrottlerModule } from '@nestjs/throttler';
import {
  examineForProduction,
  McpModule,
  type McpModuleExtras,
  type McpOptions,
  type ProductionFinding,
} from 'nestjs-mcp';
import { ADAPTERS, type AdapterName } from '../../support/applications/boot.js';
import { SimpleCluster } from '../../support/cluster/simple-cluster.js';

const SECRET = 'q7Yb2mVx9LkTzR4cWnE8sUaH1dJfGp0o';

/** Everything as the checklist wants it. */
const READY: Partial<McpOptions> = {
  publicUrl: 'https://shop.example.com/mcp',
  auth: { authorizationServers: ['https://login.example.com'], jwt: {} },
  secret: SECRET,
  callTimeoutMs: 60_000,
  shutdown: { drainMs: 10_000 },
  telemetry: { tracerProvider: { getTracer: () => undefined } },
};

@Controller()
class HealthController {
  @Get('ready')
  ready() {
    return 'yes';
  }
}

type ServerOptions = Partial<McpOptions & McpModuleExtras>;

let app: INestApplication | undefined;
let environment: string | undefined;

async function create(
  servers: readonly ServerOptions[],
  adapter: AdapterName = 'express',
  trustProxy: boolean | string = '10.0.0.0/8',
): Promise<INestApplication> {
  const serverInfo = { name: 'shop', version: '1.0.0' };
  const root = {
    module: class AppModule {},
    imports: [
      ThrottlerModule.forRoot([{ limit: 100, ttl: 1000 }]),
      ...servers.map((options) => McpModule.forRoot({ serverInfo, ...options })),
    ],
    controllers: [HealthController],
  };
  const express = new ExpressAdapter();
  express.set('trust proxy', trustProxy);
  const platform = adapter === 'express' ? express : new FastifyAdapter({ trustProxy });
  app = await NestFactory.create(root, platform, { logger: false, abortOnError: false });
  app.enableShutdownHooks();
  app.getHttpServer().keepAliveTimeout = 75_000;
  environment = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  return app;
}

const complaintsOf = (findings: readonly ProductionFinding[]) =>
  findings.filter(({ status }) => status !== 'ok').map(({ id, status }) => `${status} ${id}`);

afterEach(async () => {
  process.env['NODE_ENV'] = environment;
  await app?.close();
  app = undefined;
});

describe.each(ADAPTERS)('examineForProduction() on %s', (adapter) => {
  it('finds nothing in an application that is ready (KIT-03)', async () => {
    const findings = examineForProduction(await create([READY], adapter));
    expect(complaintsOf(findings)).toEqual([]);
    expect(findings.map(({ id }) => id)).toEqual(expect.arrayContaining(['trust-proxy', 'keep-alive']));
  });

  it.each([
    ['none', false],
    ['every one', true],
  ])('warns if %s of the proxies is trusted (KIT-03)', async (_, trustProxy) => {
    expect(complaintsOf(examineForProduction(await create([READY], adapter, trustProxy)))).toEqual([
      'warning trust-proxy',
    ]);
  });

  it('says nothing of what main.ts does if that is not known (KIT-03)', async () => {
    const findings = examineForProduction(await create([READY], adapter, false), { isWhole: false });
    expect(complaintsOf(findings)).toEqual([]);
    expect(findings.map(({ id }) => id)).not.toEqual(expect.arrayContaining(['trust-proxy', 'signals']));
  });
});

describe('examineForProduction()', () => {
  const jwt = {};
  const authorizationServers = ['https://login.example.com'];

  it.each<[string, ServerOptions]>([
    ['fault open-server', { auth: undefined as never }],
    ['warning public-url', { publicUrl: undefined as never, auth: { bearer: SECRET } }],
    ['fault public-url', { publicUrl: 'http://localhost:3000/mcp' }],
    ['fault public-url', { publicUrl: 'http://shop.example.com/mcp' }],
    ['fault issuer', { auth: { authorizationServers: ['http://localhost:8080'], jwt } }],
    ['warning audience', { auth: { authorizationServers, jwt: { clientsWithoutAudience: ['*'] } } }],
    ['warning audience', { auth: { authorizationServers, jwt: { audienceClaim: 'resource' } } }],
    ['warning origins', { auth: false, cors: true }],
    ['warning secret', { secret: undefined as never }],
    ['fault secret', { secret: 'a development secret of 32 characters or more' }],
    ['fault secret', { secret: [SECRET, '01234567012345670123456701234567'] }],
    ['warning relay-tls', { cluster: Object.assign(new SimpleCluster(), { isEncrypted: false }) }],
    ['fault error-details', { exposeErrors: true }],
    ['warning call-timeout', { callTimeoutMs: undefined as never }],
    ['warning lifetimes', { sessions: { idleTimeoutMs: 86_400_000 } }],
    ['warning lifetimes', { auth: { authorizationServers, jwt: { cacheTtlMs: 86_400_000 } } }],
    ['warning telemetry', { telemetry: undefined as never }],
    ['warning telemetry', { telemetry: { ...READY.telemetry, captureArguments: true } }],
    ['warning draining', { shutdown: undefined as never }],
    ['fault memory', { memory: { maximumBytes: 2 ** 40 } }],
  ])('has a %s for %j (KIT-03)', async (complaint, options) => {
    expect(complaintsOf(examineForProduction(await create([{ ...READY, ...options }])))).toEqual([complaint]);
  });

  it('takes an open server for meant if "auth" is false (KIT-03)', async () => {
    expect(complaintsOf(examineForProduction(await create([{ ...READY, auth: false }])))).toEqual([]);
  });

  it('finds what the process and the application lack (KIT-03)', async () => {
    const root = {
      module: class AppModule {},
      imports: [McpModule.forRoot({ serverInfo: { name: 'shop', version: '1' }, ...READY })],
    };
    app = await NestFactory.create(root, { logger: false, abortOnError: false });
    environment = process.env['NODE_ENV'];
    process.env['NODE_ENV'] = 'development';
    const heard = process.listeners('SIGTERM');
    process.removeAllListeners('SIGTERM');
    expect(complaintsOf(examineForProduction(app))).toEqual([
      'warning rate-limits',
      'warning health',
      'fault signals',
      'warning trust-proxy',
      'warning keep-alive',
      'warning node-env',
    ]);
    for (const listener of heard) process.on('SIGTERM', listener);
  });

  it('names the server if there are several (KIT-03)', async () => {
    const second = { ...READY, server: 'admin', mcpPath: '/admin', exposeErrors: true };
    const findings = examineForProduction(await create([READY, second]));
    expect(findings.filter(({ status }) => status !== 'ok')).toMatchObject([
      { id: 'error-details', found: expect.stringMatching(/^Server "admin": /) },
    ]);
  });

  it('says if there is no server (KIT-03)', async () => {
    await expect(async () => examineForProduction(await create([]))).rejects.toThrow(
      /imports no "McpModule"/,
    );
  });
});
