import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import { coreClient } from '../../support/clients/task-wires.js';
import { callToolIn } from '../../support/clients/tools.js';
import { announce, Audience } from '../../support/cluster/audience.js';
import { range } from '../../support/cluster/kept-stream.js';
import { ProcessCluster } from '../../support/cluster/process-cluster.js';
import { RedisServer } from '../../support/redis/redis-server.js';
import { until } from '../../support/until.js';
import { WebhookReceiver, WEBHOOK_SECRET } from '../../support/webhook-receiver.js';

const CLIENTS = ['ioredis', 'redis', 'ioredis-5', 'redis-5'];

let redis: RedisServer;
let receiver: WebhookReceiver;
const running: ProcessCluster[] = [];

beforeAll(async () => {
  // What is dumped can be read as it is kept.
  redis = await RedisServer.start({ settings: ['--rdbcompression', 'no'] });
  receiver = await WebhookReceiver.start();
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((cluster) => cluster.stop()));
});

afterAll(async () => {
  await receiver.stop();
  await redis.stop();
});

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

  it('keep nothing outside of their prefixes, and no secret in clear (RELAY-10)', async () => {
    const token = 'token-of-ada-0123456789';
    const cluster = await start({ count: 2, environment: { PREFIX: 'kept', AUTH: '1' } });
    const headers = { authorization: `Bearer ${token}` };
    const capabilities = { elicitation: { form: {} } };
    const session = await initialize(cluster.urlOf(0), { headers, capabilities });
    const there = session.at(cluster.urlOf(1));
    await session.request('resources/subscribe', { uri: 'cluster://watched' });
    await there.openStream();
    await callToolIn(there, 'say', { level: 'info', text: 'what was logged' });
    const stream = await session.start('tools/call', { name: 'ask' }).stream();
    const question = await stream.nextMessage(({ method }) => method === 'elicitation/create');
    const content = { word: 'what was answered' };
    await there.post({ jsonrpc: '2.0', id: question.id, result: { action: 'accept', content } });
    await stream.ended;
    const task = await coreClient(cluster.urlOf(0), { headers });
    const { taskId } = await task.create('job', { name: 'what was worked on', ms: 1 });
    await task.reach(taskId);
    const stateless = perRequest(cluster.urlOf(1), { headers });
    const delivery = { mode: 'webhook', url: receiver.url, secret: WEBHOOK_SECRET };
    await stateless.start('events/subscribe', { name: 'news.reported', delivery }).result();
    await stateless.start('tools/call', { name: 'report', arguments: { text: 'what happened' } }).result();
    await until(() => receiver.received.length > 0, 'the webhook');
    const secrets = [session.id, token, WEBHOOK_SECRET, 'what was', 'what happened'];
    const keys = (await redis.send('KEYS', '*')) as string[];
    expect(keys.length).toBeGreaterThan(3);
    expect(keys.filter((key) => !/^\{?(?:mixed|one|other|kept)\b/.test(key))).toEqual([]);
    for (const key of keys) {
      const kept = `${key} ${String(await redis.send('DUMP', key))}`;
      for (const secret of secrets) expect(kept).not.toContain(secret);
    }
    expect(keys.some((key) => key.startsWith('kept'))).toBe(true);
  }, 120_000);
});
