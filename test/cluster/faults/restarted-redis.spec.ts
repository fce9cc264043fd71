import { afterEach, describe, expect, it } from '@jest/globals';
import { announce, Audience } from '../../support/cluster/audience.js';
import { CallLoad } from '../../support/cluster/call-load.js';
import { range } from '../../support/cluster/kept-stream.js';
import { ProcessCluster } from '../../support/cluster/process-cluster.js';
import { RedisServer } from '../../support/redis/redis-server.js';
import { until } from '../../support/until.js';

const LONG_MS = 60_000;

let redis: RedisServer;
let cluster: ProcessCluster;
let load: CallLoad | undefined;
let audience: Audience | undefined;

afterEach(async () => {
  await audience?.close();
  await load?.stop();
  await cluster.stop();
  await redis.stop();
  audience = load = undefined;
}, 60_000);

async function start(keepsData: boolean): Promise<void> {
  redis = await RedisServer.start({ keepsData });
  cluster = await ProcessCluster.start({ redis });
  audience = await Audience.open([0, 0, 1, 1, 2, 2].map((index) => cluster.urlOf(index)));
  load = await CallLoad.start(cluster.url, { repeats: 0 });
  await announce(cluster.urlOf(0), { count: 20 });
  await audience.heard(20);
}

/** Waits until what one process tells is heard by all again, and gives the last number. */
async function heal(from: number): Promise<number> {
  let n = from - 1;
  await until(
    async () => {
      n += 1;
      await announce(cluster.urlOf(0), { count: 1, from: n });
      const heard = () => audience!.streams.every(({ numbers }) => numbers.includes(n));
      return until(heard, 'all to hear it', 1_000).catch(() => false);
    },
    'the processes to hear one another',
    LONG_MS,
  );
  return n;
}

describe('Redis that is killed and started again', () => {
  it('with its data leaves no gap: who was away hears all, once (RELAY-07) (RELAY-03)', async () => {
    await start(true);
    const away = audience!.streams[5]!;
    await redis.kill();
    await load!.goOn();
    away.lose();
    await announce(cluster.urlOf(0), { count: 20, from: 21 });
    await load!.goOn();
    await redis.start();
    await audience!.heard(40);
    await announce(cluster.urlOf(2), { count: 20, from: 41 });
    await audience!.heard(60);
    expect(audience!.histories).toEqual([range(1, 60)]);
    expect(load!.failures).toEqual([]);
  }, 180_000);

  it('empty tells who comes back by a change of each list that there is, and all goes on (RELAY-07) (RELAY-03)', async () => {
    await start(false);
    const away = audience!.streams[4]!;
    await redis.restart();
    const last = await heal(1_001);
    away.lose();
    const returned = away.returns;
    await until(() => away.returns > returned, 'its return', LONG_MS);
    const next = await heal(last + 1);
    for (const { numbers } of audience!.streams) {
      const after = numbers.filter((n) => n > 1_000);
      expect(after.toSorted((one, other) => one - other)).toEqual([...new Set(after)]);
      expect(after.at(-1)).toBe(next);
    }
    expect(load!.failures).toEqual([]);
  }, 180_000);

  it('empty, while a client is away whose place is then in no log, tells it so (RELAY-07) (RELAY-03)', async () => {
    await start(false);
    const away = audience!.streams[3]!;
    const seen = away.heard.length;
    cluster.balancer.leaveOut(1);
    cluster.at(1).signal('SIGSTOP');
    await redis.restart();
    cluster.at(1).signal('SIGCONT');
    cluster.balancer.takeIn(1);
    away.lose();
    for (const list of ['tools', 'resources']) {
      const isTold = () =>
        away.heard.slice(seen).some(({ message }) => message.method === `notifications/${list}/list_changed`);
      await until(isTold, `a change of ${list}`, LONG_MS);
    }
    await heal(1_001);
    expect(load!.failures).toEqual([]);
  }, 180_000);
});
