import { afterEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { redisCluster, redisTaskStore } from 'nestjs-mcp/redis';
import { RecordedLog } from '../../../support/records/recorded-log.js';
import { JoinedMember } from '../../../support/redis/joined-member.js';
import { REDIS_CLIENTS, type MadeClient } from '../../../support/redis/redis-clients.js';
import { RedisServer } from '../../../support/redis/redis-server.js';
import { SHOP_USER } from '../../../support/redis/shop-user.js';
import { until } from '../../../support/until.js';

describe('An eviction policy of Redis', () => {
  const ends: (() => unknown)[] = [];
  const log = new RecordedLog();
  let server: RedisServer;

  async function start(policy: string): Promise<void> {
    log.clear();
    Logger.overrideLogger(log);
    server = await RedisServer.start({ settings: ['--maxmemory-policy', policy] });
  }

  async function join(client: MadeClient['client']): Promise<JoinedMember> {
    const member = await JoinedMember.join(redisCluster({ client, prefix: 'shop' }));
    ends.push(() => member.connection.close());
    await member.connection.append('text');
    await member.hears('text');
    return member;
  }

  const warnings = () => log.findWarnings('"noeviction"');

  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
    await server.stop();
    Logger.overrideLogger(true);
  });

  it.each(Object.entries(REDIS_CLIENTS))(
    'is warned of once at the start, by %s (RELAY-15)',
    async (_name, connect) => {
      await start('allkeys-lru');
      const { client, close } = await connect(server.url);
      ends.push(close);
      const member = await join(client);
      await until(() => warnings().length > 0, 'the warning');
      await server.send('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
      await member.isDown();
      await member.isUp();
      expect(warnings()).toEqual([expect.stringContaining('"allkeys-lru"')]);
    },
  );

  it('is warned of by a store of tasks, too (RELAY-15)', async () => {
    await start('volatile-ttl');
    const client = new Redis(server.url);
    ends.push(() => client.disconnect());
    const store = redisTaskStore({ client, prefix: 'shop' });
    for (let count = 0; count < 3; count += 1) await store.find('a task');
    await until(() => warnings().length > 0, 'the warning');
    expect(warnings()).toHaveLength(1);
  });

  it('is fine if nothing is evicted, and nobody minds a user who may not ask (RELAY-15)', async () => {
    await start('noeviction');
    const client = new Redis(server.url);
    ends.push(() => client.disconnect());
    await join(client);
    await server.send('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
    await server.send('ACL', 'SETUSER', 'shop', 'on', '>geheim', ...SHOP_USER, '-info');
    const login = { username: 'shop', password: 'geheim', enableReadyCheck: false };
    const other = new Redis(server.port, '127.0.0.1', login);
    ends.push(() => other.disconnect());
    await join(other);
    expect(log.find('warn')).toEqual([]);
  });
});
