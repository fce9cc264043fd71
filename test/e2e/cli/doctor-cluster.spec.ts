import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Redis } from 'ioredis';
import { McpHealthIndicator, McpModule, type Cluster } from 'nestjs-mcp';
import { redisCluster } from 'nestjs-mcp/redis';
import { HEALTH_CHECKS } from '../../../cli/doctor/checks/health.checks.js';
import { createTarget } from '../../../cli/doctor/create-target.js';
import { findFreePort } from '../../conformance/find-free-port.js';
import { buildDoctorOptions } from '../../support/examine-endpoint.js';

/** Answers as Terminus does. */
@Controller()
class HealthController {
  constructor(private readonly mcp: McpHealthIndicator) {}

  @Get('ready')
  async ready() {
    return { status: 'ok', details: await this.mcp.readiness('mcp') };
  }
}

describe('"doctor --production" and a cluster', () => {
  let app: INestApplication | undefined;
  let client: Redis | undefined;

  afterEach(async () => {
    await app?.close();
    client?.disconnect();
    [app, client] = [undefined, undefined];
  });

  async function examine(cluster?: Cluster) {
    const root = {
      module: class AppModule {},
      imports: [
        McpModule.forRoot({
          serverInfo: { name: 'desk', version: '1.0.0' },
          secret: 'a secret of the desk that is long enough',
          ...(cluster && { cluster }),
        }),
      ],
      controllers: [HealthController],
    };
    app = await NestFactory.create(root, { logger: false, forceCloseConnections: true });
    await app.listen(0, '127.0.0.1');
    const options = buildDoctorOptions(`${await app.getUrl()}/mcp`, { probes: ['/ready'] });
    return HEALTH_CHECKS.find(({ id }) => id === 'cluster')?.run(createTarget(options));
  }

  it('finds that it is configured, and that Redis is away (KIT-03)', async () => {
    client = new Redis(await findFreePort(), '127.0.0.1');
    client.on('error', () => undefined);
    expect(await examine(redisCluster({ client, commandTimeoutMs: 500 }))).toMatchObject({
      status: 'error',
      found: expect.stringMatching(/^This process is not connected to its cluster: "[A-Z]+"$/),
    });
  });

  it('says nothing of one process (KIT-03)', async () => {
    expect(await examine()).toBeUndefined();
  });
});
