import type { EventEmitter } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { redisCluster, redisTaskStore, type RedisClient } from 'nestjs-mcp/redis';
import { JoinedMember } from '../../../support/redis/joined-member.js';
import { CONNECTING_CLIENTS, REDIS_CLIENTS, type MadeClient } from '../../../support/redis/redis-clients.js';
import { RedisServer } from '../../../support/redis/redis-server.js';
import { until } from '../../../support/until.js';

/** More than the listeners for one event that Node warns of. */
const SERVERS = 12;

/** Counts the listeners of a client for each event. */
function countListeners(client: RedisClient): Record<string, number> {
  const emitter = client as unknown as EventEmitter;
  return Object.fromEntries(
    emitter.eventNames().map((event) => [String(event), emitter.listenerCount(event)]),
  );
}

const ignore = (): undefined => undefined;

/** Counts the connections that wait for entries of a stream. */
async function countReaders(server: RedisServer): Promise<number> {
  const clients = String(await server.send('CLIENT', 'LIST'));
  return clients.split('\n').filter((line) => line.includes('cmd=xread')).length;
}

describe.each(Object.entries(REDIS_CLIENTS))('A client of %s that many use', (_name, connect) => {
  let server: RedisServer;
  let made: MadeClient;
  let before: Record<string, number>;

  beforeAll(async () => {
    server = await RedisServer.start();
  });
  beforeEach(async () => {
    made = await connect(server.url);
    before = countListeners(made.client);
  });
  afterEach(() => made.close());
  afterAll(() => server.stop());

  it('has no listener left of the servers that shared it one after the other', async () => {
    for (let index = 0; index < SERVERS; index += 1) {
      const { connection } = await JoinedMember.join(redisCluster({ client: made.client }));
      await connection.close();
    }
    expect(countListeners(made.client)).toEqual(before);
  });

  it('has no more listeners for many servers at once than for one', async () => {
    const cluster = () => redisCluster({ client: made.client });
    const first = await JoinedMember.join(cluster());
    const one = countListeners(made.client);
    const others = await Promise.all(
      Array.from({ length: SERVERS }, (_, index) => JoinedMember.join(cluster(), `/${index}`)),
    );
    expect(countListeners(made.client)).toEqual(one);
    for (const { connection } of [first, ...others]) await connection.close();
    expect(countListeners(made.client)).toEqual(before);
  });

  it('has no listener left of a server that fails to start in a way that nobody foresees', async () => {
    // Half a character cannot be written into a key.
    const failed = JoinedMember.join(redisCluster({ client: made.client }), '/\uD800');
    await expect(failed).rejects.toThrow(URIError);
    expect(countListeners(made.client)).toEqual(before);
  });

  it('has no listener left of a store once the last server that uses it has ended', async () => {
    const store = redisTaskStore({ client: made.client });
    const ends = [store.watch?.(ignore), store.watch?.(ignore)];
    // The store connects once more, and has to let go of that connection too.
    await until(async () => (await countReaders(server)) === ends.length, 'the connections that read');
    for (const end of ends) end?.();
    await until(async () => (await countReaders(server)) === 0, 'the end of the connections that read');
    expect(countListeners(made.client)).toEqual(before);
  });

  it('has no more listeners for many stores than for one', () => {
    const store = () => redisTaskStore({ client: made.client });
    store();
    const one = countListeners(made.client);
    for (let index = 0; index < SERVERS; index += 1) store();
    expect(countListeners(made.client)).toEqual(one);
  });
});

describe.each(Object.entries(CONNECTING_CLIENTS))('A client of %s that Redis refuses', (_name, begin) => {
  let server: RedisServer;
  let made: MadeClient;

  beforeAll(async () => {
    server = await RedisServer.start({ file: ['requirepass geheim'] });
  });
  afterEach(() => made.close());
  afterAll(() => server.stop());

  it('has no listener left of a server that did not start', async () => {
    made = begin(`redis://:falsch@127.0.0.1:${server.port}`);
    const before = countListeners(made.client);
    const failed = JoinedMember.join(redisCluster({ client: made.client, startTimeoutMs: 30_000 }));
    await expect(failed).rejects.toThrow('must log in');
    // A client of ioredis listens to itself while it connects, as it did before.
    const counts = () => Object.entries(countListeners(made.client));
    const isAsBefore = () => counts().every(([event, count]) => count <= (before[event] ?? 0));
    await until(isAsBefore, () => `no more than ${JSON.stringify(before)}`);
  });
});
