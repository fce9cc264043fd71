import { afterEach, describe, expect, it } from '@jest/globals';
import type { Cluster, ClusterPosition } from 'nestjs-mcp';
import { memoryCluster } from 'nestjs-mcp/testing';
import { Keyring } from '../../../../lib/core/sealing/keyring.js';
import { DistributedBus } from '../../../../lib/server/cluster/distributed-bus.js';
import { ClusterTimeouts, Query, Topic } from '../../../../lib/server/cluster/cluster-bus.js';
import { Intruder } from '../../../support/cluster/intruder.js';
import { WatchedCluster } from '../../../support/cluster/watched-cluster.js';
import { until } from '../../../support/until.js';

const NUMBERS = new Topic<{ readonly n: number }>('numbers');
const SUM = new Query<{ readonly of: readonly number[] }, number>('sum');

describe('DistributedBus', () => {
  const buses: DistributedBus[] = [];

  async function join(
    cluster: Cluster,
    waits?: ClusterTimeouts,
    secret = 'a secret',
  ): Promise<DistributedBus> {
    const bus = new DistributedBus(cluster, '/mcp', new Keyring([secret]), undefined, waits);
    buses.push(bus);
    await bus.onModuleInit();
    return bus;
  }

  afterEach(async () => {
    await Promise.all(buses.splice(0).map((bus) => bus.onApplicationShutdown()));
  });

  it('tells every process, the own one too, in the order in which it was published', async () => {
    const cluster = memoryCluster();
    const [one, other] = [await join(cluster), await join(cluster)];
    const heard: number[][] = [[], []];
    [one, other].forEach((bus, index) => bus.on(NUMBERS, ({ n }) => void heard[index]?.push(n)));
    for (const n of [1, 2, 3]) one.publish(NUMBERS, { n });
    await until(() => heard.every((numbers) => numbers.length === 3), 'three messages in each process');
    expect(heard).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
  });

  it('tells all without the log, the own process at once (RELAY-01)', async () => {
    const cluster = memoryCluster();
    const [one, other] = [await join(cluster), await join(cluster)];
    const heard: number[][] = [[], []];
    [one, other].forEach((bus, index) => bus.on(NUMBERS, ({ n }) => void heard[index]?.push(n)));
    one.broadcast(NUMBERS, { n: 1 });
    expect(heard[0]).toEqual([1]);
    await until(() => heard[1]?.length === 1, 'the message in the other process');
    expect([heard, one.position]).toEqual([[[1], [1]], other.position]);
  });

  it('takes once what somebody without the secret sends again (RELAY-12)', async () => {
    const cluster = memoryCluster();
    const { messages, connection } = await Intruder.join(cluster);
    const [one, other] = [await join(cluster), await join(cluster)];
    const heard: number[] = [];
    other.on(NUMBERS, ({ n }) => void heard.push(n));
    one.broadcast(NUMBERS, { n: 1 });
    await until(() => messages.length === 1 && heard.length === 1, 'the message');
    await connection.send(messages[0] ?? '');
    one.broadcast(NUMBERS, { n: 2 });
    await until(() => heard.includes(2), 'the second message');
    expect(heard).toEqual([1, 2]);
  });

  it('says that the engine is back after it was away (RELAY-07)', async () => {
    const cluster = memoryCluster();
    const bus = await join(cluster);
    let returns = 0;
    const stop = bus.onReconnect(() => (returns += 1));
    cluster.cut();
    await until(() => !bus.isConnected, 'the loss');
    expect(returns).toBe(0);
    cluster.heal();
    await until(() => returns > 0, 'the return');
    expect([returns, bus.isConnected]).toEqual([1, true]);
    stop();
  });

  it('tells once what is in the log twice, since the client of the engine sent it again (RELAY-03)', async () => {
    const cluster = memoryCluster();
    const { texts, connection } = await Intruder.join(cluster);
    const both = [await join(cluster), await join(cluster)];
    const heard: number[][] = [[], []];
    both.forEach((bus, index) => bus.on(NUMBERS, ({ n }) => void heard[index]?.push(n)));
    both[0]?.publish(NUMBERS, { n: 1 });
    await until(() => texts.length === 1, 'the message');
    await connection.append(texts[0] ?? '');
    both[0]?.publish(NUMBERS, { n: 2 });
    await until(() => heard.every((numbers) => numbers.includes(2)), 'the second message in each process');
    expect(heard).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });

  it('gives again what was published behind a place', async () => {
    const bus = await join(memoryCluster());
    const places: ClusterPosition[] = [];
    bus.on(NUMBERS, (_body, { position }) => void (position && places.push(position)));
    for (const n of [1, 2, 3]) bus.publish(NUMBERS, { n });
    await until(() => places.length === 3, 'three places');
    const [first] = places as [ClusterPosition];
    const recalled = await bus.replay(NUMBERS, first);
    expect(recalled?.map(({ body }) => body.n)).toEqual([2, 3]);
  });

  it('waits until the others have taken what it published', async () => {
    const cluster = memoryCluster();
    const [one, other] = [await join(cluster), await join(cluster)];
    const heard: number[] = [];
    other.on(NUMBERS, ({ n }) => void heard.push(n));
    // What the engine delivers is on its way for longer than its answers are.
    cluster.delayMs = 20;
    one.publish(NUMBERS, { n: 1 });
    await one.acknowledged();
    expect(heard).toEqual([1]);
  });

  it('asks the others once if many wait for them (RELAY-07)', async () => {
    const watched = new WatchedCluster(memoryCluster());
    const one = await join(watched);
    one.publish(NUMBERS, { n: 1 });
    await Promise.all(Array.from({ length: 20 }, () => one.acknowledged()));
    expect(watched.commands.filter((command) => command === 'members')).toHaveLength(1);
  });

  it('waits for nobody if the others are out of reach, or it published nothing (RELAY-07)', async () => {
    const cluster = memoryCluster();
    const [one] = [await join(cluster), await join(cluster)];
    await expect(one.acknowledged()).resolves.toBeUndefined();
    cluster.cut();
    one.publish(NUMBERS, { n: 1 });
    await expect(one.acknowledged()).resolves.toBeUndefined();
    cluster.heal();
    await until(() => one.stats.waiting === 0, 'nothing to wait');
    await expect(one.acknowledged()).resolves.toBeUndefined();
  });

  it('waits for the others no longer if the engine does not answer (RELAY-07)', async () => {
    const watched = new WatchedCluster(memoryCluster());
    const one = await join(watched, Object.assign(new ClusterTimeouts(), { acknowledgedMs: 1 }));
    let answer = (): void => undefined;
    watched.gate = new Promise((resolve) => (answer = resolve));
    one.publish(NUMBERS, { n: 1 });
    await expect(one.acknowledged()).resolves.toBeUndefined();
    answer();
  });

  it('waits for no process that has another secret, whose answer it could not read (RELAY-07)', async () => {
    const cluster = memoryCluster();
    const longest = Object.assign(new ClusterTimeouts(), { acknowledgedMs: 600_000, answerMs: 600_000 });
    const [one] = [await join(cluster, longest), await join(cluster, longest, 'another secret')];
    one.publish(NUMBERS, { n: 1 });
    await expect(one.acknowledged()).resolves.toBeUndefined();
  });

  it('asks one process, and all of them', async () => {
    const cluster = memoryCluster();
    const [one, other] = [await join(cluster), await join(cluster)];
    for (const bus of [one, other]) {
      bus.respond(SUM, ({ of }) => of.reduce((sum, summand) => sum + summand, 0));
    }
    await expect(one.request(SUM, { of: [1, 2] }, other.member)).resolves.toBe(3);
    const replies = await one.requestAll(SUM, { of: [2, 2] });
    expect(replies.map(({ member }) => member).toSorted()).toEqual([one.member, other.member].toSorted());
    expect(replies.map(({ reply }) => reply)).toEqual([4, 4]);
  });

  it('says that there is no such process', async () => {
    const bus = await join(memoryCluster());
    await expect(bus.request(SUM, { of: [] }, 'nobody')).rejects.toMatchObject({ reason: 'unreachable' });
  });
});
