import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { memoryCluster } from 'nestjs-mcp/testing';
import { Keyring } from '../../../../lib/core/sealing/keyring.js';
import { DistributedBus } from '../../../../lib/server/cluster/distributed-bus.js';
import { Query, Topic } from '../../../../lib/server/cluster/cluster-bus.js';
import { WatchedCluster } from '../../../support/cluster/watched-cluster.js';
import { until } from '../../../support/until.js';

const NEWS = new Topic<{ readonly text: string }>('news');
const ECHO = new Query<{ readonly text: string }, string>('echo');

describe('What processes tell one another', () => {
  const buses: DistributedBus[] = [];

  async function join(cluster: WatchedCluster, ...secrets: readonly string[]): Promise<DistributedBus> {
    const bus = new DistributedBus(cluster, '/mcp', new Keyring(secrets));
    buses.push(bus);
    bus.respond(ECHO, ({ text }) => text);
    await bus.onModuleInit();
    return bus;
  }

  function hear(bus: DistributedBus): readonly string[] {
    const heard: string[] = [];
    bus.on(NEWS, ({ text }) => void heard.push(text));
    return heard;
  }

  afterEach(async () => {
    jest.restoreAllMocks();
    await Promise.all(buses.splice(0).map((bus) => bus.onApplicationShutdown()));
  });

  it('cannot be read in the engine, except the version', async () => {
    const cluster = new WatchedCluster(memoryCluster());
    const [one, other] = [await join(cluster, 'secret'), await join(cluster, 'secret')];
    const heard = hear(other);
    one.publish(NEWS, { text: 'sesame published' });
    one.send(NEWS, { text: 'sesame told' });
    await expect(one.request(ECHO, { text: 'sesame asked' }, other.member)).resolves.toBe('sesame asked');
    await until(() => heard.length === 2, 'both messages');
    expect(cluster.texts).toHaveLength(4);
    for (const text of cluster.texts) {
      expect(text).not.toMatch(/sesame|news|echo/);
      expect(JSON.parse(text)).toEqual({ v: 1, e: expect.any(String) });
    }
  });

  it('is read with each of the secrets, whichever is the first', async () => {
    const cluster = new WatchedCluster(memoryCluster());
    const one = await join(cluster, 'earlier', 'later');
    const other = await join(cluster, 'later', 'earlier');
    const heard = hear(one);
    other.publish(NEWS, { text: 'by the later' });
    await until(() => heard.length === 1, 'the message');
    await expect(one.request(ECHO, { text: 'by the earlier' }, other.member)).resolves.toBe('by the earlier');
  });

  it('is ignored if it is of another secret, which is reported once', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const cluster = new WatchedCluster(memoryCluster());
    const [one, stranger] = [await join(cluster, 'secret'), await join(cluster, 'another')];
    const heard = hear(one);
    for (const text of ['a', 'b']) stranger.publish(NEWS, { text });
    stranger.send(NEWS, { text: 'c' });
    one.publish(NEWS, { text: 'own' });
    await until(() => heard.length > 0, 'the own message');
    expect(heard).toEqual(['own']);
    const lines = warn.mock.calls.filter(([line]) => String(line).includes('a different "secret"'));
    // One for each of the two buses.
    expect(lines).toHaveLength(2);
  });

  it('makes both unreadable if it is of another secret, for a minute after the last', async () => {
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const cluster = new WatchedCluster(memoryCluster());
    const [one, stranger] = [await join(cluster, 'secret'), await join(cluster, 'another')];
    const [heard, own] = [hear(one), hear(stranger)];
    expect(one.stats.isReadable).toBe(true);
    stranger.publish(NEWS, { text: 'strange' });
    one.publish(NEWS, { text: 'own' });
    await until(() => heard.length > 0 && own.length > 0, 'a message in each process');
    expect([one.stats.isReadable, stranger.stats.isReadable]).toEqual([false, false]);
    const now = performance.now() + 60_000;
    jest.spyOn(performance, 'now').mockReturnValue(now);
    expect([one.stats.isReadable, stranger.stats.isReadable]).toEqual([true, true]);
  });

  it('is counted if it is of another secret', async () => {
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const cluster = new WatchedCluster(memoryCluster());
    const [one, stranger] = [await join(cluster, 'secret'), await join(cluster, 'another')];
    const heard = hear(one);
    expect(one.stats.unreadable).toBe(0);
    stranger.publish(NEWS, { text: 'strange' });
    stranger.publish(NEWS, { text: 'stranger' });
    await stranger.flush();
    one.publish(NEWS, { text: 'own' });
    await until(() => heard.length > 0, 'the own message');
    expect(one.stats.unreadable).toBe(2);
  });

  it('stays readable if only what was published long ago is of another secret', async () => {
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const cluster = new WatchedCluster(memoryCluster());
    const earlier = await join(cluster, 'earlier');
    earlier.publish(NEWS, { text: 'a' });
    await earlier.flush();
    const { position } = earlier;
    earlier.publish(NEWS, { text: 'b' });
    await earlier.flush();
    await earlier.onApplicationShutdown();
    const later = await join(cluster, 'later');
    expect(await later.replay(NEWS, position ?? { epoch: '', number: 0 })).toEqual([]);
    expect(later.stats.isReadable).toBe(true);
  });

  it('is not believed if it was written in clear, or is none', async () => {
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const cluster = new WatchedCluster(memoryCluster());
    const one = await join(cluster, 'secret');
    const heard = hear(one);
    const [connection] = cluster.connections;
    const forged = { v: 1, kind: 'tell', from: 'stranger', topic: 'news', body: { text: 'forged' } };
    const entry = { v: 1, m: 'stranger', n: 1, t: 'news', b: { text: 'forged' } };
    const strange = [
      { v: 1 },
      { v: 1, e: 7 },
      { v: 1, e: '' },
      { v: 2, e: 'x' },
      null,
      [],
      'text',
      forged,
      entry,
    ];
    for (const text of [...strange.map((value) => JSON.stringify(value)), '{', '']) {
      await connection?.send(text);
      await connection?.append(text);
    }
    one.publish(NEWS, { text: 'own' });
    await until(() => heard.length > 0, 'the own message');
    expect(heard).toEqual(['own']);
  });

  it('is not heard if it is of another version, which makes nothing unreadable (RELAY-08)', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const cluster = new WatchedCluster(memoryCluster());
    const [one, other] = [await join(cluster, 'secret'), await join(cluster, 'secret')];
    const heard = hear(one);
    const [connection] = cluster.connections;
    other.send(NEWS, { text: 'told' });
    other.publish(NEWS, { text: 'published' });
    await until(() => heard.length === 2, 'both messages');
    const [told = '', published = ''] = cluster.texts;
    for (const v of [0, 2, '1', null]) {
      const change = (text: string) => JSON.stringify({ ...(JSON.parse(text) as object), v });
      await connection?.send(change(told));
      await connection?.append(change(published));
    }
    other.publish(NEWS, { text: 'last' });
    await until(() => heard.includes('last'), 'the last message');
    expect([...heard].toSorted()).toEqual(['last', 'published', 'told']);
    expect(one.stats).toMatchObject({ isReadable: true, unreadable: 0 });
    expect(warn).not.toHaveBeenCalled();
  });

  it('is taken by nobody whom it was not written for', async () => {
    const cluster = new WatchedCluster(memoryCluster());
    const [one, other] = [await join(cluster, 'secret'), await join(cluster, 'secret')];
    const third = await join(cluster, 'secret');
    const [heard, overheard] = [hear(other), hear(third)];
    one.send(NEWS, { text: 'for one' }, other.member);
    await until(() => heard.length === 1, 'the message for one');
    await cluster.connections[0]?.send(cluster.texts[0] ?? '', third.member);
    one.send(NEWS, { text: 'for all' });
    await until(() => overheard.length > 0, 'the message for all');
    expect(overheard).toEqual(['for all']);
  });
});
