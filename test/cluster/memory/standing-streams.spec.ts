import { afterEach, describe, expect, it } from '@jest/globals';
import { McpNotifier } from 'nestjs-mcp';
import { Topic } from '../../../lib/server/cluster/cluster-bus.js';
import { ADAPTERS } from '../../support/applications/boot.js';
import { announce, WatchedDesk } from '../../support/applications/watched-desk.js';
import { initialize } from '../../support/clients/json-rpc.js';
import { countOf, range, readNumbers, untilNumber } from '../../support/clients/numbered.js';
import { moveTo, startCluster, type RunningCluster } from '../../support/cluster/start-cluster.js';
import { until } from '../../support/until.js';
import { getParts } from '../../support/applications/get-parts.js';

const buildNumbered = (n: number) => ({
  method: 'notifications/message',
  params: { level: 'info', data: { n } },
});

const LIST_CHANGED = 'notifications/tools/list_changed';
const UPDATED = 'notifications/resources/updated';

describe.each(ADAPTERS)('A standing stream of a server of several processes, on %s', (adapter) => {
  let cluster: RunningCluster;

  const start = async () => {
    cluster = await startCluster({ adapter, providers: [WatchedDesk] });
    return cluster.processes;
  };

  afterEach(() => cluster.close());

  it('brings what any process announces, to a session that another opened (RELAY-01)', async () => {
    const [one, two, three] = await start();
    const session = await initialize(one.url);
    const stream = await moveTo(two, session).openStream();
    announce(three, 1);
    announce(one, 2);
    announce(two, 3);
    await untilNumber(stream, 3);
    expect(readNumbers(stream)).toEqual([1, 2, 3]);
    three.app.get(McpNotifier).toolsListChanged();
    await stream.nextNotification(LIST_CHANGED);
    await stream.close();
  });

  it('goes on at another process behind the event that the client names, once and with the same ids (RELAY-03)', async () => {
    const [one, two, three] = await start();
    const session = await initialize(one.url);
    const first = await moveTo(two, session).openStream();
    announce(one, 1, 4);
    await untilNumber(first, 4);
    const ids = first.events.filter(({ data }) => data?.includes('"n":') === true).map(({ id }) => id);
    await first.close();
    announce(three, 5, 6);
    const again = await moveTo(three, session).openStream({ lastEventId: ids[1] });
    announce(one, 7);
    await untilNumber(again, 7);
    expect(readNumbers(again)).toEqual([3, 4, 5, 6, 7]);
    const repeated = again.events.filter(({ data }) => data?.includes('"n":') === true).map(({ id }) => id);
    expect(repeated.slice(0, 2)).toEqual(ids.slice(2));
    await again.close();
  });

  it('leaves out what a process of another release announces, told and read back (RELAY-08)', async () => {
    const [one, two, three] = await start();
    const session = await initialize(one.url);
    const first = await moveTo(two, session).openStream();
    announce(one, 1);
    await untilNumber(first, 1);
    const [known] = first.events.filter(({ data }) => data?.includes('"n":') === true);
    const notification = { method: 'notifications/future' };
    for (const body of [
      {},
      { to: {}, notification },
      { to: { filter: 'future' }, notification },
      { to: { level: 'info' } },
      { to: { uri: 7 }, notification },
      { to: { session: session.id, only: { caller: { identities: 7 } } }, notification },
      // Properties that may restrict the audience, and audiences that none of the known properties select.
      ...[
        { level: 'info', region: 'eu' },
        { level: 'info', only: { tenant: 'acme' } },
        { level: 'info', only: { caller: { roles: ['admin'] } } },
        { only: {} },
        { scopes: [] },
        { filter: 'resourceSubscriptions' },
        { filter: 'toolsListChanged', uri: 'desk://1' },
        { uri: 'desk://1' },
      ].map((to) => ({ to, notification: buildNumbered(99) })),
    ]) {
      getParts(three.app).foundation.bus.publish(new Topic<object>('announcement'), body);
    }
    announce(one, 2);
    await untilNumber(first, 2);
    await first.close();
    const again = await moveTo(three, session).openStream({ lastEventId: known?.id });
    await untilNumber(again, 2);
    expect(readNumbers(again)).toEqual([2]);
    await again.close();
  });

  it('brings nothing from before the handshake, whatever a client says that it has got (RELAY-03)', async () => {
    const [one, two] = await start();
    const early = await (await initialize(one.url)).openStream();
    announce(one, 1, 3);
    await untilNumber(early, 3);
    const known = early.events.find(({ data }) => data?.includes('"n":1') === true);
    await early.close();
    const session = await initialize(two.url);
    const stream = await session.openStream({ lastEventId: known?.id });
    announce(one, 4);
    await untilNumber(stream, 4);
    expect(readNumbers(stream)).toEqual([4]);
    await stream.close();
  });

  it('brings what one process told before what another told after that was settled (RELAY-03)', async () => {
    const [one, two] = await start();
    const stream = await (await initialize(one.url)).openStream();
    for (const n of [1, 3, 5]) {
      announce(two, n);
      await two.app.get(McpNotifier).flush();
      announce(one, n + 1);
      await one.app.get(McpNotifier).flush();
    }
    await untilNumber(stream, 6);
    expect(readNumbers(stream)).toEqual([1, 2, 3, 4, 5, 6]);
    await stream.close();
  });

  it('begins with what was announced since the handshake (RELAY-03)', async () => {
    const [one, two] = await start();
    announce(two, 1);
    const before = await (await initialize(one.url)).openStream();
    announce(two, 2);
    await untilNumber(before, 2);
    const session = await initialize(one.url);
    announce(two, 3);
    await untilNumber(before, 3);
    const stream = await moveTo(two, session).openStream();
    announce(one, 4);
    await untilNumber(stream, 4);
    expect(readNumbers(stream)).toEqual([3, 4]);
    await Promise.all([before.close(), stream.close()]);
  });

  it('tells nothing again to a client that was given it and opens a stream without an id (RELAY-03)', async () => {
    const [one, two] = await start();
    const session = await initialize(one.url);
    const first = await session.openStream();
    announce(two, 1);
    await untilNumber(first, 1);
    await first.close();
    const other = moveTo(two, session);
    const again = await until(() => other.openStream().catch(() => undefined), 'the stream');
    announce(one, 2);
    await untilNumber(again, 2);
    expect(readNumbers(again)).toEqual([2]);
    await again.close();
  });

  it('is one for a session: a second is refused, wherever the first is (RELAY-04)', async () => {
    const [one, two] = await start();
    const session = await initialize(one.url);
    const stream = await session.openStream();
    await expect(moveTo(two, session).openStream()).rejects.toThrow(/409/);
    await expect(session.openStream()).rejects.toThrow(/409/);
    announce(two, 1);
    await untilNumber(stream, 1);
    await stream.close();
  });

  it('is taken over by whoever brings an id, and ends where it was (RELAY-04)', async () => {
    const [one, two] = await start();
    const session = await initialize(one.url);
    const first = await session.openStream();
    announce(one, 1);
    await untilNumber(first, 1);
    const second = await moveTo(two, session).openStream({ lastEventId: first.lastEventId });
    await first.ended;
    expect(first.events.some(({ retry }) => retry !== undefined)).toBe(true);
    announce(one, 2);
    await untilNumber(second, 2);
    expect([readNumbers(first), readNumbers(second)]).toEqual([[1], [2]]);
    await second.close();
  });

  it('is to have again when its process is gone (RELAY-04)', async () => {
    const [one, two] = await start();
    const session = await initialize(one.url);
    await session.openStream();
    // Nobody is told: the process was killed.
    cluster.engine.cut(one.member);
    const stream = await moveTo(two, session).openStream();
    announce(two, 1);
    await untilNumber(stream, 1);
    expect(stream.status).toBe(200);
    await stream.close();
  });

  it('brings updates of what the client subscribed to at any process, from then on (RELAY-01)', async () => {
    const [one, two, three] = await start();
    const session = await initialize(one.url);
    const stream = await moveTo(two, session).openStream();
    announce(one, 1);
    await untilNumber(stream, 1);
    await moveTo(three, session).request('resources/subscribe', { uri: 'desk://1' });
    announce(one, 2);
    await stream.nextNotification(UPDATED);
    await session.request('resources/unsubscribe', { uri: 'desk://1' });
    announce(three, 3);
    await untilNumber(stream, 3);
    expect(countOf(stream, UPDATED)).toBe(1);
    await stream.close();
  });

  it('brings a client that was away the updates since it subscribed, and none from before (RELAY-03)', async () => {
    const [one, two, three] = await start();
    const session = await initialize(one.url);
    const first = await session.openStream();
    announce(one, 1, 2);
    await untilNumber(first, 2);
    const lastEventId = first.events.find(({ data }) => data?.includes('"n":1') === true)?.id;
    await first.close();
    await moveTo(two, session).request('resources/subscribe', { uri: 'desk://1' });
    announce(two, 3);
    const again = await moveTo(three, session).openStream({ lastEventId });
    announce(two, 4);
    await untilNumber(again, 4);
    await until(
      () => countOf(again, UPDATED) === 2,
      () => `${countOf(again, UPDATED)} updates`,
    );
    expect(readNumbers(again)).toEqual(range(2, 4));
    await again.close();
  });

  it('brings log entries of the level that was set at any process (RELAY-01)', async () => {
    const [one, two] = await start();
    const session = await initialize(one.url);
    const stream = await session.openStream();
    await moveTo(two, session).request('logging/setLevel', { level: 'error' });
    announce(two, 1);
    two.app.get(McpNotifier).log('error', { n: 2 });
    await untilNumber(stream, 2);
    expect(readNumbers(stream)).toEqual([2]);
    await stream.close();
  });
});

describe('A process that ends', () => {
  it('tells readers of standing streams when to come back (RELAY-08)', async () => {
    const cluster = await startCluster({ providers: [WatchedDesk] });
    const [one, two] = cluster.processes;
    const session = await initialize(one.url);
    const stream = await session.openStream();
    await one.close();
    await stream.ended;
    expect(stream.events.at(-1)?.retry).toEqual(expect.any(Number));
    const again = await moveTo(two, session).openStream({ lastEventId: stream.lastEventId });
    announce(two, 1);
    await untilNumber(again, 1);
    expect(readNumbers(again)).toEqual([1]);
    await again.close();
    await cluster.close();
  });
});
