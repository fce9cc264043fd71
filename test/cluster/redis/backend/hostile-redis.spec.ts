import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { McpSessions, type Cluster, type McpOptions } from 'nestjs-mcp';
import { redisCluster } from 'nestjs-mcp/redis';
import { listQuotaKeys } from '../../../../lib/redis/member/redis-keys.js';
import type { RunningApp } from '../../../support/applications/boot.js';
import { bootServer } from '../../../support/applications/server.js';
import { initialize } from '../../../support/clients/json-rpc.js';
import { JoinedMember } from '../../../support/redis/joined-member.js';
import { REDIS_CLIENTS, type MadeClient } from '../../../support/redis/redis-clients.js';
import { RedisServer } from '../../../support/redis/redis-server.js';
import { HIGHEST_ID, REDIS_TYPES, spoilKey, type RedisType } from '../../../support/redis/spoil-key.js';
import { until } from '../../../support/until.js';

const SECRET = 'a secret that two environments share by mistake';
const BASE = 'nestjs-mcp:v1:{nestjs-mcp/mcp}';

let redis: RedisServer;
const clients: MadeClient[] = [];

beforeEach(async () => {
  redis = await RedisServer.start();
  jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
});
afterEach(async () => {
  for (const { close } of clients.splice(0)) close();
  await redis.stop();
  jest.restoreAllMocks();
});

async function createCluster(prefix?: string): Promise<Cluster> {
  const made = await (REDIS_CLIENTS['ioredis 6'] as (url: string) => Promise<MadeClient>)(redis.url);
  clients.push(made);
  return redisCluster({ client: made.client, heartbeatMs: 50, ...(prefix !== undefined && { prefix }) });
}

const spoil = (key: string, type: RedisType): Promise<void> => spoilKey(redis, key, type);

describe('What processes share in a Redis that somebody else writes to', () => {
  let one: JoinedMember;
  let other: JoinedMember;
  let count = 0;

  beforeEach(async () => {
    [one, other] = [
      await JoinedMember.join(await createCluster()),
      await JoinedMember.join(await createCluster()),
    ];
    await prove();
  });
  afterEach(() => Promise.all([one.connection.close(), other.connection.close()]));

  /** Tries something that may fail until what was spoilt is healed. */
  const tryTo = async (what: string, act: () => Promise<boolean>): Promise<void> => {
    await until(() => act().catch(() => false), what);
  };

  /** Uses all that processes share. */
  async function prove(): Promise<void> {
    await tryTo('an entry of each at the other', async () => {
      count += 1;
      const texts = [`entry ${count} of one`, `entry ${count} of other`] as const;
      const change = { key: 'session:of-one', set: { used: `${count}` }, expires: Date.now() + 60_000 };
      await one.connection.append(texts[0], change);
      await other.connection.append(texts[1]);
      const hasHeard = () => other.told.includes(texts[0]) && one.told.includes(texts[1]);
      return until(hasHeard, 'the entries', 500);
    });
    await tryTo('a message of each to the other', async () => {
      count += 1;
      const texts = [
        `message ${count} to all`,
        `message ${count} to one`,
        `message ${count} to other`,
      ] as const;
      await one.connection.send(texts[0]);
      await other.connection.send(texts[1], one.id);
      await one.connection.send(texts[2], other.id);
      const has = ({ told }: JoinedMember, text: string) => told.includes(`<${text}`);
      const hasHeard = () =>
        has(other, texts[0]) && has(one, texts[0]) && has(one, texts[1]) && has(other, texts[2]);
      return until(hasHeard, 'the messages', 500);
    });
    await tryTo('both among the processes', async () => {
      const members = await one.connection.members();
      return members.includes(one.id) && members.includes(other.id);
    });
    const expires = Date.now() + 60_000;
    const owner = { caller: 'alice' };
    await one.connection.change({ key: 'kept', set: { field: 'kept' }, expires, owner: { share: 'here' } });
    expect(await other.connection.find('kept')).toMatchObject({ field: 'kept' });
    const now = (await one.connection.find('swapped'))?.['field'];
    expect(
      await one.connection.swap({ key: 'swapped', field: 'field', from: now, to: 'swapped', expires, owner }),
    ).toBe('swapped');
    expect(await one.connection.lease('work', 60_000)).toBe(true);
    expect(await other.connection.lease('work', 60_000)).toBe(false);
  }

  it.each(REDIS_TYPES)(
    'heals after each key was made a %s, before and during calls (RELAY-12)',
    async (type) => {
      const keys = (await redis.send('KEYS', '*')) as string[];
      const names = [
        'state',
        'log',
        'members',
        'inbox',
        `inbox:${one.id}`,
        'record:kept',
        'record:swapped',
        'lease:work',
        ...listQuotaKeys('quota:alice'),
        ...listQuotaKeys('quota:anonymous'),
      ];
      expect(keys).toEqual(expect.arrayContaining(names.map((name) => `${BASE}:${name}`)));
      for (const key of keys) {
        const calls = Array.from({ length: 5 }, () => one.connection.append('during').catch(() => undefined));
        await spoil(key, type);
        await Promise.all(calls);
        await prove();
      }
      for (const key of keys) await spoil(key, type);
      await prove();
    },
  );

  it.each([
    ['e', ''],
    ['e', 'Not An Epoch'],
    ['n', 'rubbish'],
    ['n', '0'],
    ['n', '9007199254740991'],
    ['n', '1e300'],
    ['m', 'rubbish'],
    ['b', 'rubbish'],
    ['b', '99999999999'],
    ['f', 'rubbish'],
    ['i', 'rubbish'],
    ['i', '0'],
    ['i', '9223372036854775807'],
  ])('heals after "%s" of the state was set to "%s" (RELAY-12)', async (field, value) => {
    await redis.send('HSET', `${BASE}:state`, field, value);
    await prove();
    await redis.send('HDEL', `${BASE}:state`, field);
    await expect(prove()).resolves.toBeUndefined();
  });

  it.each(['log', 'inbox', 'inbox of one'])(
    'heals after foreign entries in the %s (RELAY-12)',
    async (name) => {
      const key = name === 'inbox of one' ? `${BASE}:inbox:${one.id}` : `${BASE}:${name}`;
      const epoch = String(await redis.send('HGET', `${BASE}:state`, 'e'));
      const ahead = Date.now() + 1_000_000;
      for (const id of [`${ahead}-0`, `${ahead + 1}-7`, `${2 ** 52}-0`, `${2 ** 53}-0`, HIGHEST_ID]) {
        await redis
          .send('XADD', key, id, 'e', epoch, 'm', '1', 'p', '1', 'b', 'rubbish', 't', 'foreign')
          .catch(() => undefined);
        await expect(prove()).resolves.toBeUndefined();
        await redis.send('XADD', key, id, 't', 'foreign').catch(() => undefined);
        await redis.send('XDEL', key, id);
        await prove();
      }
    },
  );

  it('lets nobody be alive for longer than processes say (RELAY-12)', async () => {
    await redis.send('ZADD', `${BASE}:members`, 'inf', 'forever', Date.now() + 7_200_000, 'for-hours');
    await tryTo('the processes alone', async () => (await one.connection.members()).length === 2);
    await redis.send('SET', `${BASE}:lease:other`, 'forever');
    expect(await one.connection.lease('other', 1000)).toBe(true);
    await redis.send('SET', `${BASE}:lease:other`, 'for hours', 'PX', 7_200_000);
    expect(await one.connection.lease('other', 1000)).toBe(true);
  });
});

describe('Two environments with one secret', () => {
  const servers: RunningApp[] = [];
  const boot = async (prefix: string, options: Partial<McpOptions> = {}): Promise<RunningApp> => {
    const cluster = await createCluster(prefix);
    const server = await bootServer({ options: { secret: SECRET, cluster, ...options } });
    servers.push(server);
    return server;
  };
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

  it('take over no session of one another, and all of their own (RELAY-12)', async () => {
    const [staging, again, production] = [
      await boot('staging'),
      await boot('staging'),
      await boot('production'),
    ];
    const session = await initialize(staging.url);
    expect((await session.at(production.url).request('tools/list')).status).toBe(404);
    expect((await session.at(again.url).request('tools/list')).status).toBe(200);
    await session.delete();
    expect((await session.at(production.url).request('tools/list')).status).toBe(404);
    expect((await session.at(again.url).request('tools/list')).status).toBe(404);
  });

  it('believe no record that was copied from one to the other (RELAY-12)', async () => {
    const auth = { bearer: [{ token: 'the-token-of-ada-0123456789', subject: 'ada' }] };
    const headers = { authorization: 'Bearer the-token-of-ada-0123456789' };
    const [staging, production] = [await boot('staging', { auth }), await boot('production', { auth })];
    const lasting = await initialize(production.url, { headers });
    await initialize(staging.url, { headers });
    await staging.app.get(McpSessions).endAll({ subject: 'ada' });
    const records = (await redis.send('KEYS', 'staging:*:record:subject:*')) as string[];
    expect(records.length).toBeGreaterThan(0);
    for (const record of records) {
      await redis.send('COPY', record, record.replaceAll('staging', 'production'));
    }
    const other = await boot('production', { auth });
    expect((await lasting.at(other.url).request('tools/list')).status).toBe(200);
  });

  it('keep a session ended for all who know that, although its record is gone or old (RELAY-12)', async () => {
    const [one, other] = [await boot('staging'), await boot('staging')];
    const session = await initialize(one.url);
    await session.at(other.url).request('tools/list');
    const key = `staging:v1:{staging/mcp}:record:session:${session.id.split('.')[0]}`;
    const earlier = String(await redis.send('EXISTS', key));
    await session.delete();
    await until(async () => (await session.at(other.url).request('tools/list')).status === 404, 'the end');
    expect([earlier, await redis.send('EXISTS', key)]).toEqual(['0', 1]);
    await redis.send('DEL', key);
    for (const { url } of [one, other])
      expect((await session.at(url).request('tools/list')).status).toBe(404);
  });
});
