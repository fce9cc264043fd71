import { describe, expect, it } from '@jest/globals';
import { announce } from '../../../support/cluster/audience.js';
import { endAfterEach } from '../../../support/cluster/end-after-each.js';
import { range } from '../../../support/cluster/kept-stream.js';
import { openScene, type Scene } from '../../../support/cluster/scene.js';
import { RedisServer } from '../../../support/redis/redis-server.js';
import { until } from '../../../support/until.js';

const LONG_MS = 60_000;

const begin = endAfterEach();

/** Waits until what one process tells is heard by all again, and gives the last number. */
async function heal({ cluster, audience }: Scene, from: number): Promise<number> {
  let n = from - 1;
  await until(
    async () => {
      n += 1;
      await announce(cluster.urlOf(0), { count: 1, from: n });
      const heard = () => audience.streams.every(({ numbers }) => numbers.includes(n));
      return until(heard, 'all to hear it', 1_000).catch(() => false);
    },
    'the processes to hear one another',
    LONG_MS,
  );
  return n;
}

describe('Redis that is killed and started again', () => {
  it('with its data leaves no gap: who was away hears all, once (RELAY-07) (RELAY-03)', async () => {
    const redis = await begin(RedisServer.start({ keepsData: true }));
    const { cluster, audience, load } = await openScene(begin, redis);
    const away = audience.streams[5]!;
    await redis.kill();
    await load.goOn();
    away.lose();
    await announce(cluster.urlOf(0), { count: 20, from: 21 });
    await load.goOn();
    await redis.start();
    await audience.heard(40);
    await announce(cluster.urlOf(2), { count: 20, from: 41 });
    await audience.heard(60);
    expect(audience.histories).toEqual([range(1, 60)]);
    expect(load.failures).toEqual([]);
  }, 180_000);

  it('empty tells who comes back by a change of each list that there is, and all goes on (RELAY-07) (RELAY-03)', async () => {
    const redis = await begin(RedisServer.start());
    const scene = await openScene(begin, redis);
    const { audience, load } = scene;
    const away = audience.streams[4]!;
    await redis.restart();
    const last = await heal(scene, 1_001);
    away.lose();
    const returned = away.returns;
    await until(() => away.returns > returned, 'its return', LONG_MS);
    const next = await heal(scene, last + 1);
    for (const { numbers } of audience.streams) {
      const after = numbers.filter((n) => n > 1_000);
      expect(after.toSorted((one, other) => one - other)).toEqual([...new Set(after)]);
      expect(after.at(-1)).toBe(next);
    }
    expect(load.failures).toEqual([]);
  }, 180_000);

  it('empty, while a client is away whose place is then in no log, tells it so (RELAY-07) (RELAY-03)', async () => {
    const redis = await begin(RedisServer.start());
    const scene = await openScene(begin, redis);
    const { cluster, audience, load } = scene;
    const away = audience.streams[3]!;
    const seen = away.heard.length;
    cluster.balancer.leaveOut(1);
    cluster.at(1).signal('SIGSTOP');
    await redis.restart();
    cluster.at(1).signal('SIGCONT');
    cluster.balancer.takeIn(1);
    away.lose();
    for (const list of ['tools', 'prompts', 'resources']) {
      const isTold = () =>
        away.heard.slice(seen).some(({ message }) => message.method === `notifications/${list}/list_changed`);
      await until(isTold, `a change of ${list}`, LONG_MS);
    }
    await heal(scene, 1_001);
    expect(load.failures).toEqual([]);
  }, 180_000);
});
