import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { McpHealthIndicator, McpNotifier } from 'nestjs-mcp';
import { redisCluster } from 'nestjs-mcp/redis';
import type { RunningApp } from '../../../support/applications/boot.js';
import { bootServer } from '../../../support/applications/server.js';
import { REDIS_CLIENTS, type MadeClient } from '../../../support/redis/redis-clients.js';
import { RedisServer } from '../../../support/redis/redis-server.js';
import { until } from '../../../support/until.js';

const SECRET = 'a secret of the tests, which is long enough';

describe.each(Object.entries(REDIS_CLIENTS))('Processes with different secrets, by %s', (_name, connect) => {
  const desks: RunningApp[] = [];
  const clients: MadeClient[] = [];
  let server: RedisServer;

  async function boot(secret: string): Promise<RunningApp> {
    const made = await connect(server.url);
    clients.push(made);
    const desk = await bootServer({ options: { cluster: redisCluster({ client: made.client }), secret } });
    desks.push(desk);
    return desk;
  }

  const examine = async ({ app }: RunningApp) => (await app.get(McpHealthIndicator).readiness('mcp')).mcp;

  beforeEach(async () => {
    server = await RedisServer.start();
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  });
  afterEach(async () => {
    await Promise.all(desks.splice(0).map((desk) => desk.close()));
    for (const { close } of clients.splice(0)) close();
    await server.stop();
    jest.restoreAllMocks();
  });

  it('are degraded once one hears of the other, and stay ready', async () => {
    const [one, other] = [await boot(SECRET), await boot(`${SECRET}, and another`)];
    const before = { status: 'up', state: 'up', cluster: { state: 'up' }, messages: { state: 'up' } };
    expect(await examine(one)).toMatchObject(before);
    other.app.get(McpNotifier).toolsListChanged();
    const isDegraded = async () => (await examine(one)).state === 'degraded';
    await until(isDegraded, 'the message that one cannot read');
    expect(await examine(one)).toMatchObject({
      status: 'up',
      cluster: { state: 'up' },
      messages: { state: 'failing' },
    });
  });

  it('are well if each knows the secret of the other', async () => {
    const [one, other] = [await boot(SECRET), await boot(SECRET)];
    other.app.get(McpNotifier).toolsListChanged();
    const hasHeard = async () => (await examine(one)).cluster?.lagMs !== undefined;
    await until(hasHeard, 'the message of the other');
    expect(await examine(one)).toMatchObject({ state: 'up', messages: { state: 'up' } });
  });
});
