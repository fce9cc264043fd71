import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { Redis as Redis5 } from 'ioredis-5';
import { redisCluster, type IoredisClient, type NodeRedisClient, type RedisClient } from 'nestjs-mcp/redis';
import { clusterChecks } from 'nestjs-mcp/testing';
import { createClient, createSentinel } from 'redis';
import { createSentinel as createSentinel5 } from 'redis-5';
import { findFreePort } from '../../../conformance/find-free-port.js';
import { JoinedMember } from '../../../support/redis/joined-member.js';
import { CONNECTING_CLIENTS } from '../../../support/redis/redis-clients.js';
import { RedisServer } from '../../../support/redis/redis-server.js';
import { SELF_SIGNED } from '../../../support/self-signed.js';

const SLOW = 60_000;

interface Login {
  readonly password?: string;
}

const OF_REDIS: Login = { password: 'of-redis' };
const OF_SENTINEL: Login = { password: 'of-sentinel' };

const ends: (() => unknown)[] = [];

function keepIoredis(client: Redis | Redis5): IoredisClient {
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
  it('refuses the client of redis 5, which cannot be duplicated', () => {
    const sentinelRootNodes = [{ host: '127.0.0.1', port: 26_379 }];
    const client: object = createSentinel5({ name: 'shop', sentinelRootNodes });
    expect(() => redisCluster({ client: client as RedisClient })).toThrow('"redis" 6 or later');
  });

  describe.each([
    ['without passwords', {}, {}],
    ['with a password of Redis and one of Sentinel (RELAY-14)', OF_REDIS, OF_SENTINEL],
  ])('%s', (_title, ofRedis: Login, ofSentinel: Login) => {
    let server: RedisServer;
    let sentinel: RedisServer;

    beforeAll(async () => {
      const { password } = ofRedis;
      server = await RedisServer.start(ofRedis);
      const login = password === undefined ? [] : [`sentinel auth-pass shop ${password}`];
      const file = [`sentinel monitor shop 127.0.0.1 ${server.port} 1`, ...login];
      sentinel = await RedisServer.start({ ...ofSentinel, file, settings: ['--sentinel'] });
    });
    afterEach(endAll);
    afterAll(() => Promise.all([sentinel.stop(), server.stop()]));

    const listRoots = () => [{ host: '127.0.0.1', port: sentinel.port }];
    const forIoredis = () => {
      const sentinelPassword = ofSentinel.password;
      return {
        sentinels: listRoots(),
        name: 'shop',
        ...ofRedis,
        ...(sentinelPassword !== undefined && { sentinelPassword }),
      };
    };
    const forRedis = () => ({
      name: 'shop',
      sentinelRootNodes: listRoots(),
      nodeClientOptions: ofRedis,
      sentinelClientOptions: ofSentinel,
    });
    const clients = {
      'ioredis 6': () => keepIoredis(new Redis(forIoredis())),
      'ioredis 5': () => keepIoredis(new Redis5(forIoredis())),
      'redis 6': () => keepNodeRedis(createSentinel(forRedis())),
    };

    describe.each(Object.entries(clients))('by %s', (_name, connect) => {
      const patience = { startTimeoutMs: SLOW, commandTimeoutMs: SLOW };
      const checks = clusterChecks(async () =>
        redisCluster({ client: await connect(), required: true, ...patience }),
      );
      it.each(some(checks))('$name', ({ run }) => expect(run()).resolves.toBeUndefined(), SLOW);
    });
  });
});
