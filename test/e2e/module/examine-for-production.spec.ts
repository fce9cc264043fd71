import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Controller,
  Get,
  Injectable,
  UseGuards,
  type INestApplication,
  type OnModuleInit,
  type Provider,
} from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { SkipThrottle, Throttle, ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import {
  examineForProduction,
  InjectAudit,
  McpAudit,
  McpModule,
  Tool,
  type McpModuleExtras,
  type McpOptions,
  type ProductionFinding,
} from 'nestjs-mcp';
import { memoryCluster } from 'nestjs-mcp/testing';
import { ADAPTERS, type AdapterName } from '../../support/applications/boot.js';

const SECRET = 'q7Yb2mVx9LkTzR4cWnE8sUaH1dJfGp0o';

/** Everything as the checklist wants it. */
const READY: Partial<McpOptions> = {
  publicUrl: 'https://shop.example.com/mcp',
  auth: { authorizationServers: ['https://login.example.com'], jwt: {} },
  secret: SECRET,
  callTimeoutMs: 60_000,
  shutdown: { drainMs: 10_000 },
  telemetry: { tracerProvider: { getTracer: () => undefined } },
  throttle: true,
};

@Injectable()
class AuditLog implements OnModuleInit {
  constructor(private readonly audit: McpAudit) {}

  onModuleInit() {
    this.audit.writeTo(() => undefined);
  }
}

@Injectable()
class AdminLog {
  constructor(@InjectAudit('admin') readonly audit: McpAudit) {}
}

@Injectable()
class Shop {
  @Tool()
  buy() {
    return 'bought';
  }

  @Tool()
  @Throttle({ default: { limit: 1, ttl: 1000 } })
  pay() {
    return 'paid';
  }
}

@Injectable()
@UseGuards(ThrottlerGuard)
class GuardedShop {
  @Tool()
  buy() {
    return 'bought';
  }
}

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
  providers: readonly Provider[] = [AuditLog],
): Promise<INestApplication> {
  const serverInfo = { name: 'shop', version: '1.0.0' };
  const root = {
    module: class AppModule {},
    imports: [
      ThrottlerModule.forRoot([{ limit: 100, ttl: 1000 }]),
      ...servers.map((options) => McpModule.forRoot({ serverInfo, ...options })),
    ],
    controllers: [HealthController],
    providers: [...providers],
  };
  const express = new ExpressAdapter();
  express.set('trust proxy', trustProxy);
  const platform = adapter === 'express' ? express : new FastifyAdapter({ trustProxy });
  app = await NestFactory.create(root, platform, { logger: false });
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
    ['error open-server', { auth: undefined as never }],
    ['warning public-url', { publicUrl: undefined as never, auth: { bearer: SECRET } }],
    ['error public-url', { publicUrl: 'http://localhost:3000/mcp' }],
    ['error public-url', { publicUrl: 'http://shop.example.com/mcp' }],
    ['error issuer', { auth: { authorizationServers: ['http://localhost:8080'], jwt } }],
    ['warning audience', { auth: { authorizationServers, jwt: { clientsWithoutAudience: ['*'] } } }],
    ['warning audience', { auth: { authorizationServers, jwt: { audienceClaim: 'resource' } } }],
    ['warning origins', { auth: false, cors: true }],
    ['warning secret', { secret: undefined as never }],
    ['error secret', { secret: 'a development secret of 32 characters or more' }],
    ['error secret', { secret: [SECRET, '01234567012345670123456701234567'] }],
    ['warning cluster-tls', { cluster: Object.assign(memoryCluster(), { isEncrypted: false }) }],
    ['error error-details', { exposeErrors: true }],
    ['warning call-timeout', { callTimeoutMs: undefined as never }],
    ['warning lifetimes', { sessions: { idleTimeoutMs: 86_400_000 } }],
    ['warning lifetimes', { auth: { authorizationServers, jwt: { cacheTtlMs: 86_400_000 } } }],
    ['warning telemetry', { telemetry: undefined as never }],
    ['warning telemetry', { telemetry: { ...READY.telemetry, captureArguments: true } }],
    ['warning draining', { shutdown: undefined as never }],
    ['error memory', { memory: { maxBytes: 2 ** 40 } }],
  ])('has a %s for %j (KIT-03)', async (complaint, options) => {
    expect(complaintsOf(examineForProduction(await create([{ ...READY, ...options }])))).toEqual([complaint]);
  });

  it('takes an open server for meant if "auth" is false (KIT-03)', async () => {
    expect(complaintsOf(examineForProduction(await create([{ ...READY, auth: false }])))).toEqual([]);
  });

  it('finds what the process and the application lack (KIT-03)', async () => {
    const root = {
      module: class AppModule {},
      imports: [
        McpModule.forRoot({
          serverInfo: { name: 'shop', version: '1' },
          ...READY,
          throttle: undefined as never,
        }),
      ],
    };
    app = await NestFactory.create(root, { logger: false });
    environment = process.env['NODE_ENV'];
    process.env['NODE_ENV'] = 'development';
    const heard = process.listeners('SIGTERM');
    process.removeAllListeners('SIGTERM');
    expect(complaintsOf(examineForProduction(app))).toEqual([
      'warning rate-limits',
      'warning audit',
      'warning health',
      'error signals',
      'warning trust-proxy',
      'warning keep-alive',
      'warning node-env',
    ]);
    for (const listener of heard) process.on('SIGTERM', listener);
  });

  describe('on limits', () => {
    const unlimited: ServerOptions = { ...READY, throttle: undefined as never };
    const guard = { provide: APP_GUARD, useClass: ThrottlerGuard };
    const judge = async (options: ServerOptions, ...providers: readonly Provider[]) => {
      const made = await create([options], 'express', undefined, [AuditLog, ...providers]);
      return examineForProduction(made).find(({ id }) => id === 'rate-limits');
    };

    it.each<[string, ServerOptions, readonly Provider[], string]>([
      ['a module that limits nothing', unlimited, [], 'limits no handlers'],
      ['one handler of two', unlimited, [Shop], 'limits 1 of 2 handlers'],
      [
        'a guard that the endpoint skips',
        { ...unlimited, decorators: [SkipThrottle()] },
        [guard],
        'limits no handlers',
      ],
    ])('warns of %s (KIT-03)', async (_case, options, providers, found) => {
      const finding = await judge(options, ...providers);
      expect(finding).toMatchObject({ status: 'warning', found: expect.stringContaining(found) });
    });

    it.each<[string, ServerOptions, readonly Provider[]]>([
      ['"throttle"', READY, [Shop]],
      ['a guard for all routes', unlimited, [Shop, guard]],
      ['a guard on all handlers', unlimited, [GuardedShop]],
    ])('is content with %s (KIT-03)', async (_case, options, providers) => {
      expect(await judge(options, ...providers)).toMatchObject({ status: 'ok' });
    });
  });

  describe('on the audit', () => {
    const judge = async (servers: readonly ServerOptions[], ...providers: readonly Provider[]) => {
      await app?.close();
      await create(servers, 'express', undefined, providers);
      return find();
    };
    const find = () => examineForProduction(app!).find(({ id }) => id === 'audit');
    const required: ServerOptions = { ...READY, audit: { mode: 'required' } };
    const second: ServerOptions = { ...required, server: 'admin', mcpPath: '/admin' };

    it('warns if nobody hears of it, and fails if that is required (KIT-03) (OPS-03)', async () => {
      expect(await judge([READY])).toMatchObject({ status: 'warning' });
      expect(await judge([required])).toMatchObject({ status: 'error' });
      expect(await judge([READY, second], AuditLog)).toMatchObject({
        status: 'error',
        found: expect.stringContaining('of the server "admin"'),
      });
    });

    it('is content with whoever injects it, by class or factory, or has subscribed (KIT-03) (OPS-03)', async () => {
      const factory = { provide: 'log', useFactory: (audit: McpAudit) => audit, inject: [McpAudit] };
      expect(await judge([required], AuditLog)).toMatchObject({ status: 'ok' });
      expect(await judge([required], factory)).toMatchObject({ status: 'ok' });
      expect(await judge([READY, second], AuditLog, AdminLog)).toMatchObject({ status: 'ok' });
      await judge([required]);
      app!.get(McpAudit).writeTo(() => undefined);
      expect(find()).toMatchObject({ status: 'ok' });
    });
  });

  it('names the server if there are several (KIT-03)', async () => {
    const second = { ...READY, server: 'admin', mcpPath: '/admin', exposeErrors: true };
    const made = await create([READY, second], 'express', undefined, [AuditLog, AdminLog]);
    const findings = examineForProduction(made);
    expect(findings.filter(({ status }) => status !== 'ok')).toMatchObject([
      { id: 'error-details', found: expect.stringMatching(/^Server "admin": /) },
    ]);
  });

  it('says if there is no server (KIT-03)', async () => {
    await expect(async () =>
      examineForProduction(await create([], 'express', undefined, [])),
    ).rejects.toThrow(/does not import "McpModule"/);
  });
});
