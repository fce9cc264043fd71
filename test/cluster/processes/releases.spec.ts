import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { redisCluster } from 'nestjs-mcp/redis';
import type { RunningApp } from '../../support/applications/boot.js';
import { bootRelease, type Release } from '../../support/applications/released-desk.js';
import { REDIS_CLIENTS } from '../../support/redis/redis-clients.js';
import { RedisServer } from '../../support/redis/redis-server.js';
import { startRoundRobin } from '../../support/round-robin.js';
import { until } from '../../support/until.js';
import { KINDS, type OfficialClient } from './official-clients.js';

const SLOW = 90_000;

/** Rounds in which a client asks both releases. */
const ROUNDS = 6;

describe('A rolling update to a release with other tools, on a real Redis', () => {
  const ends: (() => unknown)[] = [];
  const urls: string[] = [];
  let redis: RedisServer;

  async function boot(release: Release): Promise<RunningApp> {
    const connect = REDIS_CLIENTS['ioredis 6'] as NonNullable<(typeof REDIS_CLIENTS)[string]>;
    const { client, close } = await connect(redis.url);
    ends.push(close);
    const app = await bootRelease(release, { cluster: redisCluster({ client, commandTimeoutMs: 10_000 }) });
    ends.push(() => app.close());
    urls.push(app.url);
    return app;
  }

  async function connectThroughBalancer(connect: (origin: string) => Promise<OfficialClient>) {
    const balancer = await startRoundRobin(urls);
    ends.push(() => balancer.stop());
    const client = await connect(new URL(balancer.url).origin);
    ends.push(() => client.close());
    await until(() => client.isListening, 'the standing stream');
    return client;
  }

  beforeEach(async () => {
    redis = await RedisServer.start();
  });

  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
    urls.length = 0;
    await redis.stop();
  });

  it.each(KINDS.filter(({ wire }) => wire === 'session'))(
    'is told once to $kind while both run, and the client has the tools of the new one in the end (RELAY-16)',
    async ({ connect }) => {
      const former = await boot('former');
      const client = await connectThroughBalancer(connect);
      expect(await client.listTools()).toEqual(['old']);
      await boot('next');
      let tools: readonly string[] = [];
      let listed = 0;
      const listWhenTold = async (): Promise<void> => {
        if (listed === client.toolChanges) return;
        listed = client.toolChanges;
        tools = await client.listTools();
      };
      for (let round = 0; round < 2 * ROUNDS; round += 1) {
        await client.setLevel('info');
        await listWhenTold();
      }
      await until(async () => {
        await listWhenTold();
        return listed > 0;
      }, 'the change');
      for (let round = 0; round < 2 * ROUNDS; round += 1) await client.listTools();
      do tools = await client.listTools();
      while (!tools.includes('old'));
      expect(client.toolChanges).toBe(1);
      urls.splice(0, 1);
      await former.close();
      await until(
        async () => {
          await listWhenTold();
          return tools.includes('fresh');
        },
        () => `the tools of the new release after ${tools.join()}`,
      );
      expect(client.toolChanges).toBeLessThanOrEqual(2);
    },
    SLOW,
  );
});
