import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Cluster } from 'ioredis';
import { Cluster as Cluster5 } from 'ioredis-5';
import { redisCluster, type NodeRedisClient, type RedisClient } from 'nestjs-mcp/redis';
import { clusterChecks } from 'nestjs-mcp/testing';
import { createCluster } from 'redis';
import { createCluster as createCluster5 } from 'redis-5';
import { JoinedMember } from '../../../support/redis/joined-member.js';
import { RedisNodes } from '../../../support/redis/redis-nodes.js';

const SLOW = 60_000;

/** Long enough for a Redis that works, and short enough to wait for one that hangs. */
const WATCHFUL = { commandTimeoutMs: 3_000 };

describe('redisCluster() on Redis Cluster', () => {
  const ends: (() => unknown)[] = [];
  let nodes: RedisNodes;

  function keepIoredis(client: Cluster | Cluster5): RedisClient {
    client.on('error', () => undefined);
    ends.push(() => client.disconnect());
    return client;
  }

  async function keepNodeRedis(client: NodeRedisClient): Promise<RedisClient> {
    client.on('error', () => undefined);
    await client.connect();
    ends.push(() => client.destroy());
    return client;
  }

  const listRoots = () => nodes.addresses.map(({ port }) => ({ url: `redis://127.0.0.1:${port}` }));

  const clients: Readonly<Record<string, () => RedisClient | Promise<RedisClient>>> = {
    'ioredis 6': () => keepIoredis(new Cluster([...nodes.addresses])),
    'ioredis 5': () => keepIoredis(new Cluster5([...nodes.addresses])),
    'ioredis 6 that reads from replicas': () =>
      keepIoredis(new Cluster([...nodes.addresses], { scaleReads: 'slave', enableAutoPipelining: true })),
    'redis 6': () => keepNodeRedis(createCluster({ rootNodes: listRoots() })),
    'redis 6 with RESP2': () => keepNodeRedis(createCluster({ rootNodes: listRoots(), RESP: 2 })),
    'redis 5': () => keepNodeRedis(createCluster5({ rootNodes: listRoots() })),
  };

  beforeAll(async () => {
    nodes = await RedisNodes.start();
  }, SLOW);
  afterAll(() => nodes.stop());
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });

  describe.each(Object.entries(clients))('by %s (RELAY-10)', (_name, connect) => {
    const checks = clusterChecks(async () => redisCluster({ client: await connect() }));
    it.each(checks)('$name', ({ run }) => expect(run()).resolves.toBeUndefined(), SLOW);

    it(
      'notices that the node hangs which has its keys, and gives what was missed',
      async () => {
        const join = async () => {
          const member = await JoinedMember.join(
            redisCluster({ client: await connect(), prefix: 'hangs', ...WATCHFUL }),
          );
          ends.push(() => member.connection.close());
          return member;
        };
        const [one, other] = [await join(), await join()];
        await one.connection.append('before');
        await other.hears('before');
        const node = await nodes.findNode('hangs:*');
        node?.pause();
        await Promise.all([one.isDown(), other.isDown()]);
        node?.resume();
        await Promise.all([one.isUp(), other.isUp()]);
        await one.connection.append('after');
        await other.hears('after');
        // A busy machine may cost it its connection more often than the test does.
        expect(other.entries.map(({ text }) => text)).toEqual(['before', 'after']);
        const { told } = other;
        expect(told.slice(told.indexOf('before'), told.indexOf('after'))).toContain('down');
        expect(told).not.toContain('gap');
      },
      SLOW,
    );
  });
});
