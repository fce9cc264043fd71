import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { McpNotifier } from 'nestjs-mcp';
import { announce, WatchedDesk } from '../../support/applications/watched-desk.js';
import type { EventStream } from '../../support/clients/event-stream.js';
import { hearAndLeave } from '../../support/clients/hear-and-leave.js';
import { initialize, type SessionClient } from '../../support/clients/json-rpc.js';
import { countOf, readNumbers, untilNumber } from '../../support/clients/numbered.js';
import { moveTo, settle, startCluster, type RunningCluster } from '../../support/cluster/start-cluster.js';
import { until } from '../../support/until.js';
import { getParts } from '../../support/applications/get-parts.js';

const UPDATED = 'notifications/resources/updated';

/** A place, and nothing else. */
const PLACE = /^[a-z0-9]+:\d+$/;

/** Gives the places of the log entries that came with numbers. */
function readPlaces({ events }: EventStream): readonly (string | undefined)[] {
  return events.filter(({ data }) => data?.includes('"n":') === true).map(({ id }) => id);
}

describe('What happens while the engine is out of reach of a process', () => {
  let cluster: RunningCluster;
  let session: SessionClient;

  beforeEach(async () => {
    cluster = await startCluster({ providers: [WatchedDesk] });
    session = await initialize(cluster.processes[0].url);
  });

  afterEach(() => cluster.close());

  it('is told at once to whoever comes back without having got it, and once (RELAY-03) (RELAY-07)', async () => {
    const [one, two] = cluster.processes;
    const before = await session.openStream();
    announce(two, 1);
    await untilNumber(before, 1);
    const { lastEventId } = before;
    cluster.engine.cut(one.member);
    announce(one, 2);
    await untilNumber(before, 2);
    await before.close();
    const stream = await session.openStream({ lastEventId });
    cluster.engine.heal();
    await untilNumber(stream, 2);
    announce(two, 3);
    await untilNumber(stream, 3);
    expect(readNumbers(stream)).toEqual([2, 3]);
    expect(readPlaces(stream)).toEqual([
      expect.stringContaining(`~${one.member}:`),
      expect.stringMatching(PLACE),
    ]);
    await stream.close();
  });

  it.each([0, 1])(
    'is told once to whoever comes back with the id that it had before its place, to process %i (RELAY-03) (RELAY-07)',
    async (index) => {
      const [one, two] = cluster.processes;
      const before = await session.openStream();
      announce(two, 1);
      await untilNumber(before, 1);
      cluster.engine.cut(one.member);
      announce(one, 2);
      announce(one, 3);
      await untilNumber(before, 3);
      await before.close();
      // It stands behind what came before, and says that it was given. The second entry is an update for others.
      const [, second, third] = readPlaces(before);
      expect(second).toMatch(new RegExp(`^[a-z0-9]+:\\d+~${one.member}:1\\+0$`));
      expect(third).toBe(`${second},3+0`);
      const stream = await moveTo(cluster.processes[index]!, session).openStream({
        lastEventId: before.lastEventId,
      });
      announce(two, 4);
      await settle(two);
      cluster.engine.heal();
      await until(
        () => getParts(one.app).foundation.bus.stats?.waiting === 0,
        'what was published meanwhile',
      );
      announce(two, 5);
      await untilNumber(stream, 5);
      expect(readNumbers(stream)).toEqual([4, 5]);
      expect(readPlaces(stream)).toEqual([
        expect.stringContaining(`~${one.member}:`),
        expect.stringMatching(PLACE),
      ]);
      await stream.close();
    },
  );

  it('is told in order to whoever knows more than the process, once that knows as much (RELAY-03) (RELAY-07)', async () => {
    const [one, two] = cluster.processes;
    const before = await moveTo(two, session).openStream();
    cluster.engine.cut(one.member);
    announce(one, 1);
    announce(two, 2);
    await untilNumber(before, 2);
    await before.close();
    const stream = await session.openStream({ lastEventId: before.lastEventId });
    announce(one, 3);
    // The process learns what others published, and cannot publish itself.
    one.watched.refused.add('append');
    cluster.engine.heal();
    const known = getParts(two.app).foundation.bus.position?.number ?? 0;
    await until(() => getParts(one.app).foundation.bus.position?.number === known, 'what others published');
    expect(readNumbers(stream)).toEqual([]);
    announce(one, 4);
    await untilNumber(stream, 4);
    one.watched.refused.clear();
    await until(() => getParts(one.app).foundation.bus.stats?.waiting === 0, 'what was published meanwhile');
    announce(two, 5);
    await untilNumber(stream, 5);
    expect(readNumbers(stream)).toEqual([1, 3, 4, 5]);
    await stream.close();
  });

  it('is known not to be in the engine to whoever asks, until it is (RELAY-03) (RELAY-07)', async () => {
    const [one] = cluster.processes;
    const notifier = one.app.get(McpNotifier);
    announce(one, 1);
    expect(await notifier.flush()).toBe(true);
    cluster.engine.cut(one.member);
    expect(await notifier.flush()).toBe(true);
    announce(one, 2);
    expect(await notifier.flush()).toBe(false);
    cluster.engine.heal();
    await until(() => getParts(one.app).foundation.bus.isConnected, 'the engine');
    expect(await notifier.flush()).toBe(true);
    one.watched.refused.add('append');
    announce(one, 3);
    expect(await notifier.flush()).toBe(false);
    one.watched.refused.clear();
    expect(await notifier.flush()).toBe(true);
  });

  it('is told once to whoever was told it there and stays (RELAY-03) (RELAY-07)', async () => {
    const [one, two] = cluster.processes;
    const stream = await session.openStream();
    cluster.engine.cut(one.member);
    announce(one, 1);
    await untilNumber(stream, 1);
    cluster.engine.heal();
    await settle(one);
    announce(two, 2);
    await untilNumber(stream, 2);
    expect(readNumbers(stream)).toEqual([1, 2]);
    await stream.close();
  });

  it('is told to a client that had begun to want it at another process (RELAY-03) (RELAY-07)', async () => {
    const [one, two] = cluster.processes;
    const stream = await session.openStream();
    cluster.engine.cut(one.member);
    await moveTo(two, session).request('resources/subscribe', { uri: 'desk://1' });
    announce(one, 1);
    await untilNumber(stream, 1);
    cluster.engine.heal();
    await until(() => countOf(stream, UPDATED) === 1, 'the update');
    announce(two, 2);
    await until(() => countOf(stream, UPDATED) === 2, 'the last update');
    expect(readNumbers(stream)).toEqual([1, 2]);
    await stream.close();
  });

  it('is told once and behind the notice if some of what others told is lost (RELAY-03)', async () => {
    const [one, two] = cluster.processes;
    await session.request('resources/subscribe', { uri: 'desk://1' });
    const stream = await session.openStream();
    announce(two, 1);
    await untilNumber(stream, 1);
    cluster.engine.cut(one.member);
    announce(two, 2, 3);
    two.app.get(McpNotifier).log('info', { n: 4 });
    await settle(two);
    // The entry, and what was settled by.
    cluster.engine.trim(2);
    cluster.engine.heal();
    await untilNumber(stream, 4);
    announce(two, 5);
    await untilNumber(stream, 5);
    expect(readNumbers(stream)).toEqual([1, 4, 5]);
    const levels = stream.messages.flatMap(({ params }) => params?.['level'] ?? []);
    expect(levels).toEqual(['info', 'warning', 'info', 'info']);
    await stream.close();
  });

  it('is remembered if it is what a client subscribed to, although others told what is lost (RELAY-07)', async () => {
    const [one, two, three] = cluster.processes;
    const stream = await session.openStream();
    announce(two, 1);
    await untilNumber(stream, 1);
    cluster.engine.cut(one.member);
    expect(await session.request('resources/subscribe', { uri: 'desk://1' })).toMatchObject({ result: {} });
    announce(two, 2);
    await settle(two);
    cluster.engine.trim(0);
    cluster.engine.heal();
    await until(() => stream.messages.some(({ params }) => params?.['level'] === 'warning'), 'the notice');
    await settle(one);
    const before = countOf(stream, UPDATED);
    announce(three, 3);
    await untilNumber(stream, 3);
    await until(() => countOf(stream, UPDATED) === before + 1, 'the update');
    expect(readNumbers(stream)).toEqual([1, 3]);
    await stream.close();
  });
});

describe('A stream that a client opens at another process while the engine is out of reach', () => {
  it.each([true, false])(
    'goes on when that is back, and brings each message once; with an id to come back with: %s (RELAY-03) (RELAY-07)',
    async (hasId) => {
      const cluster = await startCluster({ providers: [WatchedDesk] });
      const [one, two, three] = cluster.processes;
      const session = await initialize(one.url);
      const elsewhere = moveTo(two, session);
      await elsewhere.request('ping');
      const first = await session.openStream();
      if (hasId) {
        announce(one, 0);
        await untilNumber(first, 0);
      }
      cluster.engine.cut();
      await first.close();
      const { lastEventId } = first;
      const stream = await elsewhere.openStream(lastEventId === undefined ? {} : { lastEventId });
      announce(two, 1);
      await untilNumber(stream, 1);
      two.watched.commands.splice(0);
      cluster.engine.heal();
      // The first finds that the record says something else.
      const countSwaps = () => two.watched.commands.filter((command) => command === 'swap').length;
      await until(() => countSwaps() > 1, 'the claim');
      announce(three, 2);
      await untilNumber(stream, 2);
      expect([readNumbers(stream), stream.isEnded]).toEqual([[1, 2], false]);
      await stream.close();
      await cluster.close();
    },
  );
});

describe('A client that subscribes to a resource again', () => {
  it('is still owed the updates since it did so first, at whichever process (RELAY-03)', async () => {
    const cluster = await startCluster({ providers: [WatchedDesk] });
    const [one, two, three] = cluster.processes;
    const session = await initialize(one.url);
    await session.request('resources/subscribe', { uri: 'desk://1' });
    const lastEventId = await hearAndLeave(session, { process: two, updates: 1 });
    announce(two, 2);
    await settle(two);
    await moveTo(two, session).request('resources/subscribe', { uri: 'desk://1' });
    for (const process of [one, three]) {
      const stream = await moveTo(process, session).openStream({ lastEventId });
      await untilNumber(stream, 2);
      await stream.nextNotification(UPDATED);
      expect(readNumbers(stream)).toEqual([2]);
      await stream.close();
    }
    await cluster.close();
  });
});

describe('A client that comes back behind a notice', () => {
  it('is told what comes next, although nothing was published since (RELAY-03)', async () => {
    const cluster = await startCluster({ providers: [WatchedDesk] });
    const [one, two] = cluster.processes;
    const session = await initialize(one.url);
    const first = await session.openStream();
    announce(two, 1);
    await untilNumber(first, 1);
    cluster.engine.clear();
    await until(() => first.messages.some(({ params }) => params?.['level'] === 'warning'), 'the notice');
    await first.close();
    const again = await session.openStream({ lastEventId: first.lastEventId });
    announce(two, 2);
    await untilNumber(again, 2);
    expect(readNumbers(again)).toEqual([2]);
    await again.close();
    await cluster.close();
  });
});
