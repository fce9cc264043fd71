import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { initialize } from '../support/clients/json-rpc.js';
import { callToolIn } from '../support/clients/tools.js';
import { announce, Audience } from '../support/cluster/audience.js';
import { range } from '../support/cluster/kept-stream.js';
import { ProcessCluster } from '../support/cluster/process-cluster.js';
import { RedisServer } from '../support/redis/redis-server.js';

const CLIENTS = ['ioredis', 'redis', 'ioredis-5', 'redis-5'];

let redis: RedisServer;
const running: ProcessCluster[] = [];

beforeAll(async () => {
  redis = await RedisServer.start();
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((cluster) => cluster.stop()));
});

afterAll(() => redis.stop());

async function start(parts: Parameters<typeof ProcessCluster.start>[0]): Promise<ProcessCluster> {
  const cluster = await ProcessCluster.start({ redis, ...parts });
  running.push(cluster);
  return cluster;
}

describe('Processes whose clients of Redis are of different packages', () => {
  it('are one server (RELAY-10)', async () => {
    const cluster = await start({
      count: CLIENTS.length,
      differences: (index) => ({ environment: { REDIS_CLIENT: CLIENTS[index], PREFIX: 'mixed' } }),
    });
    const audience = await Audience.open(cluster.processes.map(({ url }) => url));
    for (const [index, { url }] of cluster.processes.entries()) {
      await announce(url, { count: 10, from: 1 + index * 10 });
      await audience.heard(10 + index * 10);
    }
    expect(audience.histories).toEqual([range(1, 40)]);
    const session = await initialize(cluster.urlOf(0));
    await session.at(cluster.urlOf(1)).delete();
    await audience.close();
  }, 120_000);
});

describe('Two servers that share a Redis', () => {
  it('hear nothing of one another, by their prefixes (RELAY-10)', async () => {
    const [one, other] = [
      await start({ count: 2, environment: { PREFIX: 'one' } }),
      await start({ count: 2, environment: { PREFIX: 'other' } }),
    ];
    const [audience, others] = [
      await Audience.open([one.urlOf(0), one.urlOf(1)]),
      await Audience.open([other.urlOf(0), other.urlOf(1)]),
    ];
    await announce(one.urlOf(0), { count: 10 });
    await announce(other.urlOf(1), { count: 10, from: 101 });
    await audience.heard(10);
    await others.heard(110);
    expect(audience.histories).toEqual([range(1, 10)]);
    expect(others.histories).toEqual([range(101, 110)]);
    await Promise.all([audience.close(), others.close()]);
  }, 120_000);

  it('keep nothing outside of their prefixes, and no session id in clear (RELAY-10)', async () => {
    const cluster = await start({ count: 2, environment: { PREFIX: 'kept' } });
    const session = await initialize(cluster.urlOf(0));
    await session.request('resources/subscribe', { uri: 'cluster://watched' });
    await announce(cluster.urlOf(1), { count: 5 });
    await session.at(cluster.urlOf(1)).request('ping');
    expect(await callToolIn(session, 'where')).toBe(String(cluster.at(0).pid));
    const keys = (await redis.send('KEYS', '*')) as string[];
    expect(keys.filter((key) => !/^\{?(?:mixed|one|other|kept)\b/.test(key))).toEqual([]);
    for (const key of keys) {
      const dumped = (await redis.send('DUMP', key)) as string | null;
      expect(String(dumped)).not.toContain(session.id);
    }
  }, 120_000);
});
