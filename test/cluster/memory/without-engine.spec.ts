import { afterEach, describe, expect, it } from '@jest/globals';
import { McpNotifier } from 'nestjs-mcp';
import { ADAPTERS } from '../../support/applications/boot.js';
import { announce, WatchedDesk } from '../../support/applications/watched-desk.js';
import { initialize } from '../../support/clients/json-rpc.js';
import { countOf, readNumbers, untilNumber } from '../../support/clients/numbered.js';
import { moveTo, startCluster, type RunningCluster } from '../../support/cluster/start-cluster.js';
import { until } from '../../support/until.js';

const UPDATED = 'notifications/resources/updated';

describe.each(ADAPTERS)('A server of several processes without its engine, on %s', (adapter) => {
  let cluster: RunningCluster;

  const start = async () => {
    cluster = await startCluster({ adapter, providers: [WatchedDesk] });
    return cluster.processes;
  };

  afterEach(() => cluster.close());

  it('serves sessions that a process knows, and those that it does not (RELAY-07)', async () => {
    const [one, two] = await start();
    const session = await initialize(one.url);
    cluster.engine.cut();
    for (const process of [one, two]) {
      const client = moveTo(process, session);
      expect(await client.request('tools/call', { name: 'echo' })).toMatchObject({ status: 200 });
      expect(await client.request('resources/subscribe', { uri: 'desk://1' })).toMatchObject({ result: {} });
    }
    expect((await initialize(two.url)).id).not.toBe('');
  });

  it('waits but once for an engine that never answers (RELAY-07)', async () => {
    const [one, two] = await start();
    const sessions = [await initialize(one.url), await initialize(one.url), await initialize(one.url)];
    two.watched.isHung = true;
    for (const session of sessions) {
      expect(await moveTo(two, session).request('tools/call', { name: 'echo' })).toMatchObject({
        status: 200,
      });
    }
    expect(two.watched.commands.filter((command) => command === 'find')).toHaveLength(1);
    two.watched.isHung = false;
  });

  it('lets streams go on with what their own process announces, and with all again afterwards (RELAY-07)', async () => {
    const [one, two] = await start();
    const session = await initialize(one.url);
    await session.request('resources/subscribe', { uri: 'desk://1' });
    const stream = await session.openStream();
    announce(two, 1);
    await untilNumber(stream, 1);
    const known = stream.lastEventId;
    cluster.engine.cut();
    announce(one, 2);
    await untilNumber(stream, 2);
    // It stands behind what came before, and says what was given without a place.
    expect(stream.lastEventId).toMatch(new RegExp(`^${known}~${one.member}:\\d`));
    announce(two, 3);
    cluster.engine.heal();
    await untilNumber(stream, 3);
    announce(two, 4);
    await untilNumber(stream, 4);
    expect(readNumbers(stream)).toEqual([1, 2, 3, 4]);
    await stream.close();
  });

  it('opens streams, and has one of a session again afterwards: the latest (RELAY-04) (RELAY-07)', async () => {
    const [one, two] = await start();
    const session = await initialize(one.url);
    const first = await session.openStream();
    cluster.engine.cut();
    const second = await moveTo(two, session).openStream();
    cluster.engine.heal();
    await until(() => first.isEnded !== second.isEnded, 'one stream to end');
    announce(one, 1);
    const rest = first.isEnded ? second : first;
    await untilNumber(rest, 1);
    expect(rest.isEnded).toBe(false);
    await rest.close();
  });

  it('lets every process know afterwards what a client subscribed to meanwhile (RELAY-07)', async () => {
    const [one, two, three] = await start();
    const session = await initialize(one.url);
    const stream = await moveTo(two, session).openStream();
    announce(one, 1);
    await untilNumber(stream, 1);
    cluster.engine.cut();
    expect(await session.request('resources/subscribe', { uri: 'desk://1' })).toMatchObject({ result: {} });
    cluster.engine.heal();
    await until(() => {
      three.app.get(McpNotifier).resourceUpdated('desk://1');
      return countOf(stream, UPDATED) > 0;
    }, 'an update');
    await stream.close();
  });

  it('forgets nothing that clients subscribed to if the engine was emptied (RELAY-07)', async () => {
    const [one, two, three] = await start();
    const session = await initialize(one.url);
    await session.request('resources/subscribe', { uri: 'desk://1' });
    cluster.engine.clear();
    const stream = await moveTo(two, session).openStream();
    await until(() => {
      three.app.get(McpNotifier).resourceUpdated('desk://1');
      return countOf(stream, UPDATED) > 0;
    }, 'an update');
    expect(stream.isEnded).toBe(false);
    await stream.close();
  });
});
