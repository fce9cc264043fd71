import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { redisCluster, type IoredisClient, type NodeRedisClient, type RedisClient } from 'nestjs-mcp/redis';
import { clusterChecks } from 'nestjs-mcp/testing';
import { createClient, createSentinel } from 'redis';
import { createSentinel as createSentinel5 } from 'redis-5';
import { findFreePort } from '../../conformance/find-free-port.js';
import { JoinedMember } from '../../support/redis/joined-member.js';
import { CONNECTING_CLIENTS } from '../../support/redis/redis-clients.js';
import { RedisServer } from '../../support/redis/redis-server.js';
import { SELF_SIGNED } from '../../support/self-signed.js';

const SLOW = 60_000;

const ends: (() => unknown)[] = [];

function keepIoredis(client: Redis): IoredisClient {
  client.on('error', () => undefined);
  ends.push(() => client.disconnect());
  return client;
}

async function keepNodeRedis(client: NodeRedisClient): Promise<NodeRedisClient> {
  client.on('error', () => undefined);
  await client.connect();
  ends.push(() => client.destroy());
  return client;
}

async function endAll(): Promise<void> {
  for (const end of ends.splice(0).toReversed()) await end();
}

const some = <One>(checks: readonly One[]) => checks.filter((_, index) => index % 4 === 0);

describe('redisCluster() over TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nestjs-mcp-tls-'));
  let server: RedisServer;
  let port: number;

  beforeAll(async () => {
    const [cert, key] = [join(folder, 'cert'), join(folder, 'key')];
    writeFileSync(cert, SELF_SIGNED.cert);
    writeFileSync(key, SELF_SIGNED.key);
    port = await findFreePort();
    const files = ['--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', cert];
    server = await RedisServer.start({
      settings: ['--tls-port', `${port}`, '--tls-auth-clients', 'no', ...files],
    });
  });
  afterEach(endAll);
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  const ca = SELF_SIGNED.cert;
  const clients = {
    ioredis: () => keepIoredis(new Redis(port, 'localhost', { tls: { ca } })),
    redis: () =>
      keepNodeRedis(createClient({ url: `rediss://localhost:${port}`, socket: { tls: true, ca } })),
  };

  describe.each(Object.entries(clients))('by %s', (_name, connect) => {
    const checks = clusterChecks(async () => redisCluster({ client: await connect() }));
    it.each(some(checks))('$name', ({ run }) => expect(run()).resolves.toBeUndefined());
  });

  it.each(Object.entries(CONNECTING_CLIENTS))(
    'names what is wrong with a certificate that is not trusted, by %s',
    async (_name, begin) => {
      const { client, close } = begin(`rediss://localhost:${port}`);
      ends.push(close);
      const cluster = redisCluster({ client, required: true, startTimeoutMs: 6_000 });
      await expect(JoinedMember.join(cluster)).rejects.toThrow('self-signed certificate');
    },
  );
});

describe('redisCluster() by Sentinel', () => {
  let server: RedisServer;
  let sentinel: RedisServer;

  beforeAll(async () => {
    server = await RedisServer.start();
    const file = [`sentinel monitor shop 127.0.0.1 ${server.port} 1`];
    sentinel = await RedisServer.start({ file, settings: ['--sentinel'] });
  });
  afterEach(endAll);
  afterAll(() => Promise.all([sentinel.stop(), server.stop()]));

  const listRoots = () => [{ host: '127.0.0.1', port: sentinel.port }];
  const clients = {
    ioredis: () => keepIoredis(new Redis({ sentinels: listRoots(), name: 'shop' })),
    'redis 6': () => keepNodeRedis(createSentinel({ name: 'shop', sentinelRootNodes: listRoots() })),
  };

  it('refuses the client of redis 5, which cannot be duplicated', () => {
    const client: object = createSentinel5({ name: 'shop', sentinelRootNodes: listRoots() });
    expect(() => redisCluster({ client: client as RedisClient })).toThrow('"redis" 6 or later');
  });

  describe.each(Object.entries(clients))('by %s', (_name, connect) => {
    const checks = clusterChecks(async () => redisCluster({ client: await connect() }));
    it.each(some(checks))('$name', ({ run }) => expect(run()).resolves.toBeUndefined(), SLOW);
  });
});
