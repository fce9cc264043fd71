import { describe, expect, it } from '@jest/globals';
import { initialize } from '../../../support/clients/json-rpc.js';
import { callTool, callToolIn } from '../../../support/clients/tools.js';
import { announce } from '../../../support/cluster/audience.js';
import { endAfterEach } from '../../../support/cluster/end-after-each.js';
import { WAYS_TO_LISTEN } from '../../../support/cluster/listening.js';
import { range } from '../../../support/cluster/kept-stream.js';
import { ProcessCluster } from '../../../support/cluster/process-cluster.js';
import { openScene, type Scene } from '../../../support/cluster/scene.js';
import { TcpLink } from '../../../support/cluster/tcp-link.js';
import { RedisServer } from '../../../support/redis/redis-server.js';
import { until, within } from '../../../support/until.js';

const LONG_MS = 60_000;
/** What a first request in a session may wait for Redis at most, on a machine that does much else. */
const BOUND_MS = 15_000;
const FLOOD = 20_000;

const begin = endAfterEach();

/** Has the processes lose Redis by one way, and find it again: nothing may get lost. */
async function expectSurvival(
  { cluster, audience, load }: Scene,
  lose: () => unknown,
  find: () => unknown,
): Promise<void> {
  const { streams } = audience;
  await lose();
  await load.goOn();
  // What a process tells its own clients does not wait for others.
  await announce(cluster.urlOf(1), { count: 20, from: 21 });
  const locals = streams.slice(2, 4);
  await until(() => locals.every(({ numbers }) => numbers.at(-1) === 40), 'local numbers', LONG_MS);
  await load.goOn();
  await find();
  await audience.heard(40);
  await announce(cluster.urlOf(2), { count: 20, from: 41 });
  await audience.heard(60);
  expect(audience.histories).toEqual([range(1, 60)]);
  expect(load.failures).toEqual([]);
}

describe('Redis that hangs: it takes connections and answers nothing', () => {
  it('stops neither calls nor local streams, and all heals when it goes on (RELAY-07)', async () => {
    const redis = await begin(RedisServer.start());
    await expectSurvival(
      await openScene(begin, redis),
      () => redis.pause(),
      () => redis.resume(),
    );
  }, 180_000);

  it('is waited for in bounded time by what a process must read of a session, and by new sessions (RELAY-07)', async () => {
    const redis = await begin(RedisServer.start());
    const { cluster, audience } = await openScene(begin, redis);
    const session = await initialize(cluster.urlOf(0));
    redis.pause();
    const unseen = callToolIn(session.at(cluster.urlOf(1)), 'where');
    expect(await within(unseen, 'a call in a session that was not seen', BOUND_MS)).toBe(
      String(cluster.at(1).pid),
    );
    const opened = await within(initialize(cluster.urlOf(2)), 'a new session', BOUND_MS);
    expect(await callToolIn(opened, 'where')).toBe(String(cluster.at(2).pid));
    await within(opened.delete(), 'the end of a session', BOUND_MS);
    redis.resume();
    await announce(cluster.urlOf(2), { count: 20, from: 21 });
    await audience.heard(40);
  }, 180_000);

  it('does not make what is told meanwhile pile up in memory (RELAY-07)', async () => {
    const redis = await begin(RedisServer.start());
    const cluster = await begin(ProcessCluster.start({ redis, count: 1, nodeOptions: ['--expose-gc'] }));
    const session = await initialize(cluster.urlOf(0));
    const measure = async (): Promise<number> =>
      (JSON.parse(await callToolIn(session, 'figures')) as { heapBytes: number }).heapBytes;
    redis.pause();
    await callToolIn(session, 'announce', { count: FLOOD, padding: 1_000 });
    const after = await measure();
    await callToolIn(session, 'announce', { count: FLOOD, padding: 1_000 });
    // Twice as much was told, each time many times of what may be kept.
    expect((await measure()) - after).toBeLessThan((FLOOD * 1_000) / 2);
    redis.resume();
  }, 180_000);
});

describe.each(WAYS_TO_LISTEN)('While Redis hangs, %s', (_way, listen) => {
  it('brings what its process tells, and what all tell when it goes on (RELAY-07)', async () => {
    const redis = await begin(RedisServer.start());
    const cluster = await begin(ProcessCluster.start({ redis }));
    const uri = 'cluster://watched';
    const stream = await begin(listen(cluster.at(0).origin, { uri }));
    const update = 'notifications/resources/updated';
    redis.pause();
    await callTool(cluster.urlOf(0), 'update', { uri });
    await stream.nextNotification(update, LONG_MS);
    await callTool(cluster.urlOf(1), 'update', { uri });
    redis.resume();
    await stream.nextNotification(update, LONG_MS);
    await callTool(cluster.urlOf(2), 'addTool', { name: 'last' });
    await stream.nextNotification('notifications/tools/list_changed', LONG_MS);
    expect(stream.messages.filter(({ method }) => method === update)).toHaveLength(2);
  }, 180_000);
});

describe('Redis that ends every connection', () => {
  it('loses no message, however often it does (RELAY-07) (RELAY-03)', async () => {
    const redis = await begin(RedisServer.start());
    const { cluster, audience, load } = await openScene(begin, redis);
    const announced = announce(cluster.urlOf(0), { count: 180, from: 21, intervalMs: 20 });
    const over = new AbortController();
    void announced.finally(() => over.abort()).catch(() => undefined);
    while (!over.signal.aborted) {
      const before = audience.streams[0]!.numbers.length;
      for (const type of ['normal', 'pubsub']) await redis.send('CLIENT', 'KILL', 'TYPE', type);
      const hasGoneOn = () => over.signal.aborted || audience.streams[0]!.numbers.length > before + 20;
      await until(hasGoneOn, 'numbers', LONG_MS);
    }
    await announced;
    await audience.heard(200);
    expect(audience.histories).toEqual([range(1, 200)]);
    expect(load.failures).toEqual([]);
  }, 180_000);
});

describe('Redis that takes no writes', () => {
  it('since it has no memory left, stops neither calls nor local streams (RELAY-07)', async () => {
    const redis = await begin(RedisServer.start());
    await expectSurvival(
      await openScene(begin, redis),
      () => redis.send('CONFIG', 'SET', 'maxmemory', '1'),
      () => redis.send('CONFIG', 'SET', 'maxmemory', '0'),
    );
  }, 180_000);

  it('since it is read-only, stops neither calls nor local streams (RELAY-07)', async () => {
    const redis = await begin(RedisServer.start());
    const other = await begin(RedisServer.start());
    const scene = await openScene(begin, redis);
    // A replica whose primary cannot be reached keeps its data, and takes no writes.
    await other.kill();
    await expectSurvival(
      scene,
      () => redis.send('REPLICAOF', '127.0.0.1', other.port),
      () => redis.send('REPLICAOF', 'NO', 'ONE'),
    );
  }, 180_000);
});

describe('A replica of Redis that is promoted', () => {
  it('goes on where its primary ended (RELAY-07) (RELAY-03)', async () => {
    const redis = await begin(RedisServer.start());
    const replica = await begin(RedisServer.start());
    const link = await begin(TcpLink.start(redis.port));
    await replica.send('REPLICAOF', '127.0.0.1', redis.port);
    const isInStep = async () =>
      /master_link_status:up/.test(String(await replica.send('INFO', 'replication')));
    await until(isInStep, 'the replica', LONG_MS);
    const { cluster, audience, load } = await openScene(begin, redis, {
      environment: { REDIS_URL: `redis://127.0.0.1:${link.port}` },
    });
    await until(async () => Number(await redis.send('WAIT', 1, 1_000)) === 1, 'the replica', LONG_MS);
    await redis.kill();
    await load.goOn();
    await replica.send('REPLICAOF', 'NO', 'ONE');
    link.leadTo(replica.port);
    await announce(cluster.urlOf(1), { count: 20, from: 21 });
    await audience.heard(40);
    await announce(cluster.urlOf(2), { count: 20, from: 41 });
    await audience.heard(60);
    expect(audience.histories).toEqual([range(1, 60)]);
    expect(load.failures).toEqual([]);
  }, 180_000);
});

describe('A process that cannot reach Redis while the others can', () => {
  it('goes on by itself, and then tells its clients what they missed, once (RELAY-07) (RELAY-03)', async () => {
    const redis = await begin(RedisServer.start());
    const link = await begin(TcpLink.start(redis.port));
    const { cluster, audience, load } = await openScene(begin, redis, {
      differences: (index) =>
        index === 1 ? { environment: { REDIS_URL: `redis://127.0.0.1:${link.port}` } } : {},
    });
    const { streams } = audience;
    link.cut();
    await load.goOn();
    await announce(cluster.urlOf(0), { count: 20, from: 21 });
    const others = [...streams.slice(0, 2), ...streams.slice(4)];
    await until(() => others.every(({ numbers }) => numbers.at(-1) === 40), 'what others hear', LONG_MS);
    const own = await initialize(cluster.urlOf(1));
    expect(await callToolIn(own, 'where')).toBe(String(cluster.at(1).pid));
    await load.goOn();
    link.restore();
    await audience.heard(40);
    await announce(cluster.urlOf(1), { count: 20, from: 41 });
    await audience.heard(60);
    expect(audience.histories).toEqual([range(1, 60)]);
    expect(load.failures).toEqual([]);
  }, 180_000);
});
