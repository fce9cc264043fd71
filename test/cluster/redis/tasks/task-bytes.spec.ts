import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { TaskStoreFullError, type TaskRecord, type TaskStore } from 'nestjs-mcp';
import { redisCluster, redisTaskStore, type RedisTaskStoreOptions } from 'nestjs-mcp/redis';
import { REDIS_CLIENTS, type MadeClient } from '../../../support/redis/redis-clients.js';
import { RedisServer } from '../../../support/redis/redis-server.js';
import { until } from '../../../support/until.js';
import { buildRecord } from '../../../unit/server/extensions/tasks/build-record.js';

const SECRET = 'a secret of the server, long enough';
const KB = 1024;

/** Clients differ in how they write commands. The scripts do not, so two are enough. */
const CLIENTS = Object.entries(REDIS_CLIENTS).filter(([name]) => name.endsWith('6'));

describe.each(CLIENTS)('The bytes of tasks in Redis, by %s', (_name, connect) => {
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
    prefix = `bytes-${tests}`;
  });

  afterAll(async () => {
    connected.close();
    await server.stop();
  });

  const fill = (bytes: number) => ({ content: [{ type: 'text', text: 'x'.repeat(bytes) }] });
  const running = (members: Partial<TaskRecord>) => buildRecord(members);
  const finished = (taskId: string, members: Partial<TaskRecord> = {}, bytes = 60 * KB) =>
    buildRecord({ taskId, status: 'completed', result: fill(bytes), ...members });
  /** The keys of the store, but for the changes that it reports for an hour. */
  const keys = async (part = '') =>
    ((await server.send('KEYS', `${prefix}:*${part}*`)) as string[]).filter(
      (key) => !key.endsWith(':changes'),
    );
  /** What all keys of the store take in Redis. */
  const measure = async () => {
    const sizes = (await keys()).map((key) => server.send('MEMORY', 'USAGE', key, 'SAMPLES', '0'));
    return (await Promise.all(sizes)).reduce<number>((sum, size) => sum + Number(size), 0);
  };
  /** What the only quota counts. */
  const sum = async () => {
    const [key = ''] = await keys('quota:*:sums');
    return Number((await server.send('ZSCORE', key, 'all')) ?? 0);
  };
  const idsThere = async (ids: readonly string[], within: TaskStore = store) => {
    const found = await Promise.all(ids.map((id) => within.find(id)));
    return found.flatMap((record) => record?.taskId ?? []);
  };

  it('are bounded for a caller, whose oldest finished tasks make room (RELAY-13)', async () => {
    store = open({ maxBytesPerCaller: 1024 * KB });
    await store.create(finished('bob', { owner: 'bob' }));
    const ids = Array.from({ length: 60 }, (_, index) => `ada-${index}`);
    for (const id of ids) await store.create(finished(id, { owner: 'ada' }));
    expect(await measure()).toBeLessThan(1300 * KB);
    const there = await idsThere(ids);
    expect(there.length).toBeGreaterThan(9);
    expect(there).toEqual(ids.slice(-there.length));
    expect(await idsThere(['bob'])).toEqual(['bob']);
  });

  it('are refused to a caller whose tasks all run, and to nobody else (RELAY-13) (FAIR-03)', async () => {
    store = open({ maxBytesPerCaller: 256 * KB });
    const call = { ...buildRecord().call, params: { name: 'run', arguments: fill(60 * KB) } };
    const create = (taskId: string, owner: string) => store.create(running({ taskId, owner, call }));
    for (const id of ['a', 'b', 'c']) await create(id, 'ada');
    const refused = create('d', 'ada');
    await expect(refused).rejects.toThrow(TaskStoreFullError);
    await expect(refused).rejects.toMatchObject({ retryAfterSeconds: expect.any(Number) });
    await create('e', 'bob');
    await expect(create('f', 'ada~another key')).rejects.toThrow(TaskStoreFullError);
    expect(await idsThere(['a', 'b', 'c', 'd', 'e', 'f'])).toEqual(['a', 'b', 'c', 'e']);
    // A failure needs no room, and gives some back.
    const end = { status: 'failed', statusMessage: 'No room', owner: 'ada', version: 2 } as const;
    expect(await store.replace(running({ taskId: 'a', ...end }))).toBe(true);
    await create('d', 'ada');
    expect(await idsThere(['a', 'd'])).toContain('d');
  });

  it('are refused at once if they could never find room, and drop nothing (RELAY-13)', async () => {
    store = open({ maxBytesPerCaller: 256 * KB });
    await store.create(finished('a', { owner: 'ada' }));
    const refused = store.create(finished('b', { owner: 'ada' }, 300 * KB));
    await expect(refused).rejects.toMatchObject({ name: 'TaskStoreFullError', retryAfterSeconds: undefined });
    expect(await idsThere(['a', 'b'])).toEqual(['a']);
  });

  it('are bounded for one address, and for all callers without a token together (RELAY-13) (FAIR-03)', async () => {
    store = open({ maxAnonymousBytes: 2048 * KB, maxBytesPerAddress: 1024 * KB });
    const begin = (taskId: string, address?: string, sessionId = taskId) =>
      store.create(finished(taskId, { sessionId }), address);
    await begin('other', '203.0.113.9');
    const ids = Array.from({ length: 60 }, (_, index) => `flood-${index}`);
    for (const id of ids) await begin(id, '198.51.100.1');
    expect(await measure()).toBeLessThan(1400 * KB);
    expect(await idsThere(['other'])).toEqual(['other']);
    for (const [index, id] of ids.slice(0, 20).entries()) await begin(`crowd-${id}`, `192.0.2.${index}`);
    expect(await measure()).toBeLessThan(2600 * KB);
    // The address with the most made room.
    expect(await idsThere(['other', 'crowd-flood-0', 'crowd-flood-9'])).toEqual([
      'other',
      'crowd-flood-0',
      'crowd-flood-9',
    ]);
    await store.create(finished('known', { owner: 'ada' }));
    expect(await idsThere(['known'])).toEqual(['known']);
  });

  it('count in a session where no address is known (RELAY-13)', async () => {
    store = open({ maxAnonymousBytes: 2048 * KB, maxBytesPerAddress: 512 * KB });
    await store.create(finished('other', { sessionId: 'b' }));
    for (let index = 0; index < 30; index += 1) {
      await store.create(finished(`${index}`, { sessionId: 'a' }));
    }
    expect(await measure()).toBeLessThan(800 * KB);
    expect(await idsThere(['other', '29'])).toEqual(['other', '29']);
  });

  it('are counted once by processes that write at the same time (RELAY-13)', async () => {
    const stores = [1, 2, 3].map(() => open({ maxBytesPerCaller: 512 * KB }));
    const created = await Promise.allSettled(
      stores.flatMap((one, process) =>
        Array.from({ length: 20 }, (_, index) =>
          one.create(finished(`${process}-${index}`, { owner: 'ada' })),
        ),
      ),
    );
    const reasons = created.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
    expect(reasons.filter((reason) => !reason.includes('TaskStoreFullError'))).toEqual([]);
    expect(await measure()).toBeLessThan(700 * KB);
    expect(await measure()).toBeGreaterThan(200 * KB);
  });

  it.each([
    ['with an owner', { owner: 'ada' }],
    ['without one', { sessionId: 's' }],
  ])('are given back when tasks are removed, %s (RELAY-13)', async (_case, whose) => {
    store = open();
    await store.create(finished('a', { ...whose, expires: Date.now() + 1000 }));
    await store.create(running({ taskId: 'b', ...whose, expires: Date.now() + 1000 }));
    expect(await sum()).toBeGreaterThan(80 * KB);
    await store.replace(finished('b', { ...whose, version: 2, expires: Date.now() + 1000 }, 1));
    expect(await sum()).toBeLessThan(90 * KB);
    await store.removeExpired(Date.now() + 30_000);
    expect(await keys()).toEqual([]);
  });

  it('are given back when tasks expire, though no process looks (RELAY-13)', async () => {
    store = open({ maxBytesPerCaller: 256 * KB });
    // A task is kept for ten minutes after its expiry: this one is gone by now.
    const expires = Date.now() - 600_000 + 300;
    const call = { ...buildRecord().call, params: { name: 'run', arguments: fill(100 * KB) } };
    await store.create(running({ taskId: 'a', owner: 'ada', expires, call }));
    await expect(store.create(running({ taskId: 'b', owner: 'ada', call }))).rejects.toThrow(
      TaskStoreFullError,
    );
    await until(
      () =>
        store.create(running({ taskId: 'c', owner: 'ada', call })).then(
          () => true,
          () => false,
        ),
      'room for another task',
    );
    const alone = await sum();
    expect(alone).toBeLessThan(150 * KB);
  });

  it('leave no counter behind when the last task has expired (RELAY-13)', async () => {
    store = open();
    await store.create(finished('a', { owner: 'ada', expires: Date.now() - 600_000 + 200 }));
    expect(await keys('quota')).toHaveLength(5);
    await until(async () => (await keys()).length === 0, 'the end of all keys');
  });

  it('count from nothing in a Redis that was emptied (RELAY-13)', async () => {
    store = open({ maxBytesPerCaller: 256 * KB });
    await store.create(finished('a', { owner: 'ada' }));
    await server.send('FLUSHALL');
    await store.create(finished('b', { owner: 'ada' }));
    expect(await sum()).toBeLessThan(90 * KB);
    await store.removeExpired(Date.now() + 90_000);
    expect(await keys()).toEqual([]);
  });

  describe.each(['', ':ends', ':sums', ':removable', ':oldest'])(
    'of which somebody overwrites the key "…%s"',
    (part) => {
      const rubbish: readonly (readonly [string, (key: string) => readonly (readonly string[])[]])[] = [
        ['a text', (key) => [['SET', key, 'x']]],
        ['a list', (key) => [['RPUSH', key, 'x', 'y']]],
        ['a hash of no numbers', (key) => [['HSET', key, 'all', 'x', 'ada', '9 9 9', '', 'soon']]],
        ['endless numbers', (key) => [['ZADD', key, 'inf', 'all', 'inf', 'b -', 'inf', 'n -', '-inf', 'x']]],
        ['numbers below zero', (key) => [['ZADD', key, '-1e300', 'all', '-1e300', 'b -', '-inf', 'n -']]],
      ];

      it.each(rubbish)('go on with %s in it (RELAY-13)', async (_case, write) => {
        store = open({ maxBytesPerCaller: 512 * KB });
        await store.create(finished('first', { owner: 'ada' }));
        const key = (await keys('quota')).find(
          (name) => /quota:[^:]*(:\w+)?$/.exec(name)?.[1] === (part || undefined),
        );
        await server.send('DEL', key ?? '');
        for (const [command = '', ...values] of write(key ?? '')) await server.send(command, ...values);
        const ids = Array.from({ length: 30 }, (_, index) => `ada-${index}`);
        for (const id of ids) await store.create(finished(id, { owner: 'ada' }));
        expect(await idsThere(['ada-29'])).toEqual(['ada-29']);
        expect(await sum()).toBeLessThanOrEqual(512 * KB);
        expect(await measure()).toBeLessThan(900 * KB);
      });
    },
  );

  it('are as many afterwards as before, however often tasks come and go (RELAY-13)', async () => {
    store = open();
    for (let round = 0; round < 5; round += 1) {
      await store.create(running({ taskId: `${round}`, owner: 'ada', expires: Date.now() + 1000 }));
      for (let version = 2; version < 9; version += 1) {
        await store.replace(
          running({ taskId: `${round}`, owner: 'ada', version, statusMessage: 'x'.repeat(version * 100) }),
        );
      }
      await store.removeExpired(Date.now() + 90_000);
      expect(await keys()).toEqual([]);
    }
  });
});

describe('The bounds of redisTaskStore()', () => {
  it.each(['maxBytesPerCaller', 'maxAnonymousBytes', 'maxBytesPerAddress'])(
    'refuse a wrong %s by name (MOD-03) (RELAY-13)',
    (name) => {
      const options = { client: new Redis({ lazyConnect: true }), [name]: 0 };
      expect(() => redisTaskStore(options)).toThrow(`redisTaskStore.${name}`);
      expect(() => redisCluster(options)).toThrow(`redisCluster.${name}`);
    },
  );
});
