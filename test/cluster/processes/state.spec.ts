import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { perRequest } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';
import { textOfCall } from '../../support/clients/tools.js';
import { neverTwice } from '../../support/cluster/balancer.js';
import { ProcessCluster } from '../../support/cluster/process-cluster.js';
import { until } from '../../support/until.js';

const LONG_MS = 30_000;
/** Longer than a machine that does much else takes to look at a record. */
const TTL_MS = 8_000;

let cluster: ProcessCluster;

beforeAll(async () => {
  cluster = await ProcessCluster.start({ choose: neverTwice(), environment: { AUTH: '1' } });
}, 120_000);

afterAll(() => cluster.stop());

function clientOf(subject: string, url = cluster.url) {
  const { request } = perRequest(url, {
    headers: { authorization: `Bearer token-of-${subject}-0123456789` },
  });
  return async (name: string, given: JsonObject = {}): Promise<string> =>
    textOfCall((await request('tools/call', { name, arguments: given })).result);
}

describe('State of a caller, no two of whose calls reach the same process', () => {
  it('is the caller’s alone (XTN-08)', async () => {
    const [ada, bob] = [clientOf('ada'), clientOf('bob')];
    await ada('keep', { key: 'cart', value: { items: ['tea'] } });
    for (let count = 0; count < 3; count += 1) {
      expect(JSON.parse(await ada('kept', { key: 'cart' }))).toEqual({ items: ['tea'] });
      expect(await bob('kept', { key: 'cart' })).toBe('null');
    }
  });

  it('is reached by a handle, which is nobody else’s (XTN-08)', async () => {
    const handle = await clientOf('ada')('handle');
    await clientOf('ada')('keep', { key: 'cart', value: 1, handle });
    expect(await clientOf('ada')('kept', { key: 'cart', handle })).toBe('1');
    expect(await clientOf('bob')('kept', { key: 'cart', handle })).toBe('unknown_handle');
  });

  it('loses no change of processes that write at once (XTN-08)', async () => {
    const values = Array.from({ length: 60 }, (_, value) => value);
    await Promise.all(
      values.map((value) => clientOf('ada', cluster.urlOf(value % 3))('add', { key: 'list', value })),
    );
    const list = JSON.parse(await clientOf('ada')('kept', { key: 'list' })) as number[];
    expect(new Set(list)).toEqual(new Set(values));
    expect(list).toHaveLength(values.length);
  });

  it('is encrypted in Redis, and goes from there when it has ended (XTN-08)', async () => {
    const redis = new Redis(cluster.redis.url);
    const listKeys = () => redis.keys('*state:*');
    const before = await listKeys();
    const handle = await clientOf('bob')('handle');
    await clientOf('bob')('keep', { key: 'secret-key', value: 'secret-value', handle, ttlMs: TTL_MS });
    const [added = ''] = (await listKeys()).filter((key) => !before.includes(key));
    expect(added).not.toBe('');
    const record = JSON.stringify([added, await redis.hgetall(added)]);
    expect(record).not.toMatch(/secret/);
    expect(record).not.toContain(handle.slice(0, 22));
    await until(async () => (await redis.exists(added)) === 0, 'the end of the record', LONG_MS);
    await redis.quit();
  });

  it('outlives the process that wrote it (XTN-08)', async () => {
    await clientOf('ada', cluster.urlOf(0))('keep', { key: 'last', value: 'words' });
    await cluster.at(0).stop('SIGKILL');
    expect(await clientOf('ada', cluster.urlOf(1))('kept', { key: 'last' })).toBe('"words"');
    await cluster.replace(0);
    expect(await clientOf('ada', cluster.urlOf(0))('kept', { key: 'last' })).toBe('"words"');
  });
});

describe('State without Redis', () => {
  it('says that it is out of reach, and comes back with it (XTN-08)', async () => {
    const ada = clientOf('ada', cluster.urlOf(1));
    await ada('keep', { key: 'outage', value: 'before' });
    cluster.redis.pause();
    await until(async () => (await ada('kept', { key: 'outage' })) === 'unavailable', 'the outage', LONG_MS);
    cluster.redis.resume();
    await until(
      async () => (await ada('kept', { key: 'outage' })) !== 'unavailable',
      'the end of it',
      LONG_MS,
    );
    expect(await ada('kept', { key: 'outage' })).toBe('"before"');
  });
});
