import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis, type RedisOptions } from 'ioredis';
import { McpConfigurationError } from 'nestjs-mcp';
import { redisCluster, type RedisClient, type RedisClusterOptions } from 'nestjs-mcp/redis';
import { clusterChecks } from 'nestjs-mcp/testing';
import { createClient, createClientPool } from 'redis';
import { JoinedMember } from '../../../support/redis/joined-member.js';
import { findFreePort } from '../../../conformance/find-free-port.js';
import { RedisServer } from '../../../support/redis/redis-server.js';
import { SHOP_USER } from '../../../support/redis/shop-user.js';
import { until } from '../../../support/until.js';

const SLOW = 60_000;

describe('redisCluster(), at the start', () => {
  const ends: (() => unknown)[] = [];
  let server: RedisServer;

  const keep = (client: Redis): Redis => {
    client.on('error', () => undefined);
    // Once it is closed, ioredis would keep the process for two seconds more.
    ends.push(() => client.status === 'end' || client.disconnect());
    return client;
  };

  async function join(options: RedisClusterOptions): Promise<JoinedMember> {
    const member = await JoinedMember.join(redisCluster(options));
    ends.push(() => member.connection.close());
    return member;
  }

  beforeEach(async () => {
    server = await RedisServer.start();
  });
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
    await server.stop();
  });

  it.each([
    ['nothing', undefined],
    ['a URL', 'redis://:secret@127.0.0.1'],
    ['an object that is no client', {}],
    ['a pool', createClientPool()],
  ])('refuses %s as a client, and tells no secret', (_name, client) => {
    const create = () => redisCluster({ client: client as unknown as RedisClient });
    expect(create).toThrow(McpConfigurationError);
    expect(create).toThrow('"redisCluster.client"');
    expect(create).not.toThrow('secret');
  });

  it.each([
    [{ prefix: 'a b' }, 'prefix'],
    [{ prefix: '{a}' }, 'prefix'],
    [{ prefix: '' }, 'prefix'],
    [{ maxEntries: 1 }, 'maxEntries'],
    [{ commandTimeoutMs: 0 }, 'commandTimeoutMs'],
    [{ maxEntrys: 100 }, 'did you mean "redisCluster.maxEntries"'],
  ])('refuses %j', (options, text) => {
    const client = keep(new Redis(server.url));
    expect(() => redisCluster({ client, ...options })).toThrow(text);
  });

  it('refuses a client that is not connected, or closed', async () => {
    const client = createClient({ url: server.url });
    await expect(join({ client })).rejects.toThrow('await "client.connect()"');
    await client.connect();
    client.destroy();
    await expect(join({ client })).rejects.toThrow(McpConfigurationError);
    const other = keep(new Redis(server.url));
    await other.ping();
    other.disconnect();
    await until(() => other.status === 'end', 'the end');
    await expect(join({ client: other })).rejects.toThrow('not closed');
  });

  it('refuses a client that has subscribed', async () => {
    const client = keep(new Redis(server.url, { protocol: 2 }));
    await client.subscribe('channel');
    await expect(async () => join({ client })).rejects.toThrow('in subscriber ');
    const other = createClient({ url: server.url, RESP: 2 });
    await other.connect();
    ends.push(() => other.destroy());
    await other.subscribe('channel', () => undefined);
    await expect(join({ client: other })).rejects.toThrow('in subscriber ');
  });

  it(
    'starts alone if Redis is out of reach, and joins when it is there',
    async () => {
      const port = await findFreePort();
      const client = keep(new Redis(port, '127.0.0.1', { retryStrategy: () => 50 }));
      const member = await join({ client, startTimeoutMs: 200 });
      expect(member.connection.isConnected).toBe(false);
      expect(member.connection.position).toBeUndefined();
      await expect(member.connection.append('text')).rejects.toThrow('cannot be reached');
      const late = await RedisServer.start({ port });
      ends.unshift(() => late.stop());
      await member.isUp();
      await member.connection.append('text');
      await member.hears('text');
      expect(member.told).toEqual(['up', 'text']);
    },
    SLOW,
  );

  it(
    'starts alone if Redis hangs',
    async () => {
      const client = keep(new Redis(server.url));
      await client.ping();
      server.pause();
      const member = await join({ client, startTimeoutMs: 200 });
      expect(member.connection.isConnected).toBe(false);
      server.resume();
      await member.isUp();
    },
    SLOW,
  );

  it('does not start without a Redis that is required', async () => {
    const client = keep(new Redis(await findFreePort(), '127.0.0.1'));
    await expect(join({ client, startTimeoutMs: 200, required: true })).rejects.toThrow(
      'redisCluster.required',
    );
  });

  it('says at once that a user may not do what is needed', async () => {
    await server.send('ACL', 'SETUSER', 'guest', 'on', '>geheim', '~other:*', '+@all');
    const client = keep(new Redis(server.port, '127.0.0.1', { username: 'guest', password: 'geheim' }));
    const failed = join({ client, prefix: 'shop' });
    await expect(failed).rejects.toThrow(/"shop:\*".*NOPERM/);
    await expect(failed).rejects.toBeInstanceOf(McpConfigurationError);
    await expect(failed).rejects.not.toThrow('geheim');
  });

  it('says at once that a user may not run a command of a script, and where Redis names it', async () => {
    await server.send('ACL', 'SETUSER', 'half', 'on', '>geheim', '~*', '+@all', '-zadd');
    const client = keep(new Redis(server.port, '127.0.0.1', { username: 'half', password: 'geheim' }));
    const failed = join({ client, prefix: 'shop' });
    await expect(failed).rejects.toThrow(/"shop:\*", and "ACL LOG" in Redis shows the missing one: /);
    await expect(failed).rejects.toBeInstanceOf(McpConfigurationError);
  });

  describe('by a user who may touch the prefix alone', () => {
    const checks = clusterChecks(() => {
      const client = keep(new Redis(server.port, '127.0.0.1', { username: 'shop', password: 'geheim' }));
      return redisCluster({ client, prefix: 'shop' });
    });

    beforeEach(() => server.send('ACL', 'SETUSER', 'shop', 'on', '>geheim', ...SHOP_USER));
    it.each(checks)('$name', ({ run }) => expect(run()).resolves.toBeUndefined());
  });

  describe.each<[string, RedisOptions]>([
    ['a prefix of its own', { keyPrefix: 'own:' }],
    ['pipelining by itself', { enableAutoPipelining: true }],
    [
      // Shorter than the log is waited for.
      'no queue, no retries and short times',
      { enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: 900 },
    ],
    ['a connection that waits for its first command', { lazyConnect: true }],
    ['RESP2, another database and no end of retries', { protocol: 2, db: 3, maxRetriesPerRequest: null }],
    ['answers as of RESP3', { replyMapping: 'resp3' }],
  ])('by a client of ioredis with %s', (_name, options) => {
    const checks = clusterChecks(() =>
      redisCluster({ client: keep(new Redis(server.port, '127.0.0.1', options as object)) }),
    );
    it.each(checks.filter((_, index) => index % 3 === 0))('$name', ({ run }) =>
      expect(run()).resolves.toBeUndefined(),
    );
  });

  describe.each<[string, object]>([
    ['RESP2', { RESP: 2 }],
    ['RESP3', { RESP: 3 }],
    ['a prefix, no queue and pings', { keyPrefix: 'own:', disableOfflineQueue: true, pingInterval: 100 }],
    // Shorter than the log is waited for; pings keep the client itself from being silent so long.
    ['another database and short times', { database: 2, pingInterval: 100, socket: { socketTimeout: 900 } }],
  ])('by a client of redis with %s', (_name, options) => {
    const checks = clusterChecks(async () => {
      const client = createClient({ url: server.url, ...options });
      client.on('error', () => undefined);
      ends.push(() => client.destroy());
      await client.connect();
      return redisCluster({ client });
    });
    it.each(checks.filter((_, index) => index % 3 === 0))('$name', ({ run }) =>
      expect(run()).resolves.toBeUndefined(),
    );
  });
});
