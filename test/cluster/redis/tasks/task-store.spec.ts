import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import type { TaskRecord, TaskStore } from 'nestjs-mcp';
import { redisTaskStore, type RedisTaskStoreOptions } from 'nestjs-mcp/redis';
import { REDIS_CLIENTS, type MadeClient } from '../../../support/redis/redis-clients.js';
import { idsOf, tryTaskStore } from '../../../support/records/task-store-promises.js';
import { RedisServer } from '../../../support/redis/redis-server.js';
import { until } from '../../../support/until.js';
import { buildRecord } from '../../../unit/server/extensions/tasks/build-record.js';

const SECRET = 'a secret of the server, long enough';

describe.each(Object.entries(REDIS_CLIENTS))('redisTaskStore() by %s', (_name, connect) => {
  let server: RedisServer;
  let connected: MadeClient;
  let prefix: string;
  let tests = 0;
  let store: TaskStore;

  const open = (options: Partial<RedisTaskStoreOptions> = {}): TaskStore =>
    redisTaskStore({ client: connected.client, prefix, secret: SECRET, ...options });

  beforeAll(async () => {
    server = await RedisServer.start();
    connected = await connect(server.url);
  });

  beforeEach(() => {
    tests += 1;
    prefix = `test-${tests}`;
    store = open();
  });

  afterAll(async () => {
    connected.close();
    await server.stop();
  });

  const create = (taskId: string, members: Partial<TaskRecord> = {}) =>
    store.create(buildRecord({ taskId, ...members }));
  const keys = async () => (await server.send('KEYS', `${prefix}:*`)) as string[];

  it('gives a task as it was kept (RELAY-09)', async () => {
    const record = buildRecord({ taskId: 'a', owner: 'ada', sessionId: 's', statusMessage: 'Ünïcode 🎉' });
    await store.create(record);
    const { expires, ...found } = (await store.find('a')) as TaskRecord;
    const { expires: wanted, ...kept } = record;
    expect(found).toEqual(kept);
    expect(Math.abs(expires - wanted)).toBeLessThan(5000);
    expect(await store.find('b')).toBeUndefined();
  });

  it('creates a task once (RELAY-09)', async () => {
    await create('a');
    await expect(create('a')).rejects.toThrow('already');
  });

  tryTaskStore(() => store, ' (RELAY-09)');

  it('makes room by the tasks of an owner, whichever key they are of (RELAY-09) (XTN-03)', async () => {
    store = open({ maxTasksPerCaller: 2 });
    for (const n of [1, 2, 3]) await create(`ada-${n}`, { owner: `ada~key-${n}`, status: 'completed' });
    await create('bob', { owner: 'bob~key', status: 'completed' });
    const found = await Promise.all(['ada-1', 'ada-2', 'ada-3', 'bob'].map((id) => store.find(id)));
    expect(found.map((record) => record?.taskId)).toEqual([undefined, 'ada-2', 'ada-3', 'bob']);
  });

  it('lets one of many at once replace a task (RELAY-09) (TASK-02)', async () => {
    await create('a');
    const others = Array.from({ length: 20 }, (_, index) =>
      store.replace(buildRecord({ taskId: 'a', version: 2, statusMessage: `${index}` })),
    );
    expect((await Promise.all(others)).filter(Boolean)).toHaveLength(1);
  });

  it('fills its pages although tasks are gone by themselves (RELAY-09) (TASK-04)', async () => {
    for (const taskId of ['a', 'b', 'c', 'd']) await create(taskId, { owner: 'ada' });
    for (const key of await keys()) if (/:task:[ab]$/.test(key)) await server.send('DEL', key);
    expect(idsOf(await store.list({ owner: 'ada', limit: 2 }))).toEqual(['c', 'd']);
  });

  it('knows which tasks are not over (RELAY-09) (TASK-02)', async () => {
    await create('a');
    await create('b', { status: 'input_required' });
    await create('c', { status: 'failed' });
    await store.replace(buildRecord({ taskId: 'a', version: 2, status: 'completed' }));
    expect(idsOf(await store.listOpen())).toEqual(['b']);
  });

  it('removes what has expired, with all that there is of it (RELAY-09) (TASK-02)', async () => {
    const now = Date.now();
    await create('a', { owner: 'ada', expires: now + 60_000 });
    const before = await keys();
    await create('b', { owner: 'bob', expires: now + 1000 });
    await store.removeExpired(now + 30_000);
    expect(await store.find('a')).toBeDefined();
    expect(await store.find('b')).toBeUndefined();
    expect(new Set(await keys())).toEqual(new Set(before));
  });

  it('keeps what got more time meanwhile (RELAY-09) (TASK-02)', async () => {
    const now = Date.now();
    await create('a', { expires: now + 20_000 });
    await store.replace(buildRecord({ taskId: 'a', version: 2, expires: now + 90_000 }));
    await store.removeExpired(now + 30_000);
    expect(await store.find('a')).toBeDefined();
  });

  it('leaves nothing that would stay for ever (RELAY-09)', async () => {
    await create('a', { owner: 'ada' });
    await store.replace(buildRecord({ taskId: 'a', owner: 'ada', version: 2, status: 'completed' }));
    await store.workers?.renew('here', Date.now() + 60_000);
    for (const key of await keys())
      expect([key, Number(await server.send('PTTL', key)) > 0]).toEqual([key, true]);
  });

  it('keeps so many of an owner, the newest that are over and all that are not (RELAY-09) (FAIR-03)', async () => {
    store = open({ maxTasksPerCaller: 3 });
    const at = (second: number) => ({ owner: 'ada', createdAt: `2026-07-28T10:00:0${second}.000Z` });
    await create('open', at(0));
    for (const n of [1, 2, 3, 4]) await create(`over-${n}`, { ...at(n), status: 'completed' });
    await create('bob', { owner: 'bob', status: 'completed' });
    expect(idsOf(await store.list({ owner: 'ada', limit: 9 }))).toEqual(['open', 'over-3', 'over-4']);
    expect(await store.find('bob')).toBeDefined();
  });

  it('keeps nothing in clear of what clients and handlers said, nor who they are (RELAY-09)', async () => {
    const result = { content: [{ type: 'text', text: 'classified' }] };
    const authentication = { claims: { sub: 'private-subject' } };
    const call = { ...buildRecord().call, authentication };
    await create('a', { owner: 'private-owner', sessionId: 'private-session', call, result });
    const dump = [];
    for (const key of await keys()) {
      const kind = await server.send('TYPE', key);
      const read = {
        hash: ['HGETALL', key],
        zset: ['ZRANGE', key, 0, -1],
        stream: ['XRANGE', key, '-', '+'],
      }[String(kind) as 'hash'] as [string, ...string[]];
      dump.push(key, await server.send(...read));
    }
    expect(JSON.stringify(dump)).not.toMatch(/classified|private/);
    expect(await store.find('a')).toMatchObject({ owner: 'private-owner', result });
  });

  it('reads what an earlier secret encrypted, and nothing by another (RELAY-09)', async () => {
    await create('a', { owner: 'ada' });
    const newer = 'another secret of the server, as long';
    expect(await open({ secret: [newer, SECRET] }).find('a')).toBeDefined();
    expect(await open({ secret: newer }).find('a')).toBeUndefined();
    expect(await open({ secret: newer }).list({ owner: 'ada', limit: 9 })).toEqual([]);
  });

  it('tells apart servers and prefixes (RELAY-09) (RELAY-10)', async () => {
    await create('a');
    expect(await open({ server: '/other' }).find('a')).toBeUndefined();
    expect(await open({ prefix: `${prefix}-other` }).find('a')).toBeUndefined();
  });

  it('knows which processes live (RELAY-09)', async () => {
    const now = Date.now();
    await store.workers?.renew('here', now + 60_000);
    await store.workers?.renew('there', now + 20_000);
    expect(await store.workers?.list(now)).toEqual(expect.arrayContaining(['here', 'there']));
    expect(await store.workers?.list(now + 30_000)).toEqual(['here']);
  });

  it('goes by the clock of Redis, whatever that of a process says (RELAY-09)', async () => {
    await create('a', { expires: Date.now() + 60_000 });
    await store.workers?.renew('here', Date.now() + 10_000);
    const { now } = Date;
    Date.now = () => now() + 3_600_000;
    try {
      expect(await store.workers?.list(Date.now())).toEqual(['here']);
      expect(((await store.find('a')) as TaskRecord).expires).toBeGreaterThan(Date.now());
      await store.removeExpired(Date.now());
    } finally {
      Date.now = now;
    }
    expect(await store.find('a')).toBeDefined();
  });

  it('tells whoever watches of each change that others make (RELAY-09)', async () => {
    const changed: string[] = [];
    const end = open().watch?.((taskId) => changed.push(taskId));
    await until(async () => {
      await create(`begun-${tests}-${changed.length}-${Math.random()}`);
      return changed.length > 0;
    }, 'the first change');
    await create('a');
    await store.replace(buildRecord({ taskId: 'a', version: 2 }));
    await until(() => changed.filter((taskId) => taskId === 'a').length > 1, 'both changes');
    end?.();
    expect(changed.filter((taskId) => taskId === 'a')).toHaveLength(2);
  });

  it('needs nothing except its prefix (RELAY-09) (RELAY-10)', async () => {
    await server.send('ACL', 'SETUSER', 'worker', 'reset', 'on', '>password', `~${prefix}:*`, '+@all');
    const url = server.url.replace('redis://', 'redis://worker:password@');
    const worker = await connect(url);
    try {
      store = redisTaskStore({ client: worker.client, prefix, secret: SECRET, maxTasksPerCaller: 1 });
      await create('a', { owner: 'ada', status: 'completed' });
      await create('b', { owner: 'ada', status: 'completed' });
      await store.replace(buildRecord({ taskId: 'b', owner: 'ada', version: 2 }));
      await store.workers?.renew('here', Date.now() + 1000);
      await store.workers?.list(Date.now());
      await store.removeExpired(Date.now() + 999_999);
      expect(idsOf(await store.listOpen())).toEqual([]);
    } finally {
      worker.close();
    }
  });
});

describe('redisTaskStore() while Redis is away', () => {
  const servers: RedisServer[] = [];
  const clients: Redis[] = [];

  afterEach(async () => {
    for (const client of clients.splice(0)) client.disconnect();
    await Promise.all(servers.splice(0).map((server) => server.stop()));
  });

  it('says so in bounded time, and goes on when Redis is back (RELAY-07) (RELAY-09)', async () => {
    const server = await RedisServer.start();
    const client = new Redis(server.url);
    client.on('error', () => undefined);
    servers.push(server);
    clients.push(client);
    const store = redisTaskStore({ client, commandTimeoutMs: 2000 });
    await store.create(buildRecord());
    server.pause();
    await expect(store.find('task-1')).rejects.toMatchObject({ name: 'TaskStoreUnavailableError' });
    server.resume();
    await until(() => store.find('task-1').catch(() => undefined), 'the task');
  });
});

describe('redisTaskStore()', () => {
  it.each([
    ['no client', { client: {} }, 'redisTaskStore.client'],
    ['a short secret', { secret: 'short' }, 'redisTaskStore.secret'],
    ['a misspelt option', { perfix: 'x' }, 'redisTaskStore.perfix'],
  ])('refuses %s by name (MOD-03)', (_case, options, name) => {
    const client = new Redis({ lazyConnect: true });
    const given = { client, ...options } as unknown as RedisTaskStoreOptions;
    expect(() => redisTaskStore(given)).toThrow(name);
  });
});
