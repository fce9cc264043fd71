import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Cluster } from 'ioredis';
import { Cluster as Cluster5 } from 'ioredis-5';
import { redisCluster, type NodeRedisClient, type RedisClient } from 'nestjs-mcp/redis';
import { clusterChecks } from 'nestjs-mcp/testing';
import { createCluster } from 'redis';
import { createCluster as createCluster5 } from 'redis-5';
import { SHOP_USER } from '../../../support/redis/shop-user.js';
import { RedisNodes } from '../../../support/redis/redis-nodes.js';
import { SELF_SIGNED } from '../../../support/self-signed.js';

const SLOW = 60_000;

const LOGIN = { username: 'shop', password: 'geheim' };

/** The certificate names a host, and nodes tell their addresses. */
const TLS = { ca: SELF_SIGNED.cert, servername: 'localhost' };

/** What the user of a prefix needs on Redis Cluster, too. */
const OF_CLUSTER = ['slots', 'shards', 'info', 'nodes'].map((name) => `+cluster|${name}`);

const some = <One>(checks: readonly One[]) => checks.filter((_, index) => index % 4 === 0);

describe('redisCluster() on a Redis Cluster with TLS, by a user with a password (RELAY-14)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nestjs-mcp-tls-'));
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

  const listNodes = () => nodes.addresses.map((address) => ({ ...address, ...LOGIN, tls: TLS }));
  const listRoots = () => nodes.ports.map((port) => ({ url: `rediss://127.0.0.1:${port}` }));
  const redisOptions = { ...LOGIN, tls: TLS };
  const defaults = { ...LOGIN, socket: { tls: true as const, ...TLS } };

  const clients: Readonly<Record<string, () => RedisClient | Promise<RedisClient>>> = {
    'ioredis 6': () => keepIoredis(new Cluster([...nodes.addresses], { redisOptions })),
    'ioredis 5': () => keepIoredis(new Cluster5([...nodes.addresses], { redisOptions })),
    'ioredis 5 with the options at its nodes too': () =>
      keepIoredis(new Cluster5(listNodes(), { redisOptions, enableAutoPipelining: true })),
    'redis 6': () => keepNodeRedis(createCluster({ rootNodes: listRoots(), defaults })),
    'redis 5': () => keepNodeRedis(createCluster5({ rootNodes: listRoots(), defaults })),
  };

  beforeAll(async () => {
    const [cert, key] = [join(folder, 'cert'), join(folder, 'key')];
    writeFileSync(cert, SELF_SIGNED.cert);
    writeFileSync(key, SELF_SIGNED.key);
    const files = ['--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', cert];
    nodes = await RedisNodes.start({
      password: 'of the administrator',
      certificate: ['--tls-auth-clients', 'no', ...files],
    });
    for (const server of nodes.servers) {
      await server.send(
        'ACL',
        'SETUSER',
        LOGIN.username,
        'on',
        `>${LOGIN.password}`,
        ...SHOP_USER,
        ...OF_CLUSTER,
      );
    }
  }, SLOW);
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });
  afterAll(async () => {
    await nodes.stop();
    rmSync(folder, { recursive: true });
  });

  describe.each(Object.entries(clients))('by %s', (_name, connect) => {
    const checks = clusterChecks(async () =>
      redisCluster({ client: await connect(), prefix: 'shop', required: true }),
    );
    it.each(some(checks))('$name', ({ run }) => expect(run()).resolves.toBeUndefined(), SLOW);
  });
});
