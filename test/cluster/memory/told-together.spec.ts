import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { McpNotifier } from 'nestjs-mcp';
import { AnyResource } from '../../support/applications/any-resource.js';
import { announce, WatchedDesk } from '../../support/applications/watched-desk.js';
import type { EventStream } from '../../support/clients/event-stream.js';
import { initialize, type SessionClient } from '../../support/clients/json-rpc.js';
import { countOf, range, readNumbers, untilNumber } from '../../support/clients/numbered.js';
import { moveTo, settle, startCluster, type RunningCluster } from '../../support/cluster/start-cluster.js';
import { until } from '../../support/until.js';
import { getParts } from '../../support/applications/get-parts.js';

const UPDATED = 'notifications/resources/updated';

/** More changes than one caller may have told one by one. */
const MANY = 260;

describe('A change of a session that is told together with others', () => {
  let cluster: RunningCluster;
  let session: SessionClient;

  beforeEach(async () => {
    cluster = await startCluster({
      providers: [WatchedDesk, AnyResource],
      options: { sessions: { maxSubscriptions: 2 } },
    });
    session = await initialize(cluster.processes[0].url);
  });

  afterEach(() => cluster.close());

  /** Has the first process tell together what becomes of the session. */
  const spend = () =>
    Promise.all(range(1, MANY).map(() => session.request('logging/setLevel', { level: 'debug' })));
  const untilUpdates = (stream: EventStream, count: number) =>
    until(() => countOf(stream, UPDATED) === count, `${count} updates`);

  it('holds for whatever comes behind it on a stream elsewhere, although it is read late (RELAY-03)', async () => {
    const [, two, three] = cluster.processes;
    const stream = await moveTo(two, session).openStream();
    announce(three, 1);
    await untilNumber(stream, 1);
    await spend();
    two.watched.refused.add('find');
    await session.request('resources/subscribe', { uri: 'desk://1' });
    announce(three, 2);
    await settle(three);
    await settle(two);
    two.watched.refused.clear();
    await untilUpdates(stream, 1);
    announce(three, 3);
    await untilUpdates(stream, 2);
    expect(readNumbers(stream)).toEqual([1, 2, 3]);
    await stream.close();
  });

  it('holds from the answer on (RELAY-03)', async () => {
    const [, two, three] = cluster.processes;
    const stream = await moveTo(two, session).openStream();
    await spend();
    await session.request('resources/subscribe', { uri: 'desk://1' });
    announce(three, 1);
    await untilUpdates(stream, 1);
    expect(readNumbers(stream)).toEqual([1]);
    await stream.close();
  });

  it('holds in every process from the answer on if it is the end (RELAY-06)', async () => {
    const [, two] = cluster.processes;
    const elsewhere = moveTo(two, session);
    await elsewhere.request('tools/list');
    await spend();
    // While the last of these changes were told, the caller has earned one more that is told alone.
    for (const uri of ['desk://1', 'desk://2', 'desk://3']) {
      await session.request('resources/unsubscribe', { uri });
    }
    await session.delete();
    expect(await elsewhere.request('tools/list')).toMatchObject({ status: 404 });
  });

  it('holds for a process that reads what is known of the session at that time (RELAY-03)', async () => {
    const [, two, three] = cluster.processes;
    await spend();
    let open = (): void => undefined;
    two.watched.gate = new Promise((resolve) => (open = resolve));
    const opened = moveTo(two, session).openStream();
    await until(() => two.watched.commands.includes('find'), 'the process to read');
    await session.request('resources/subscribe', { uri: 'desk://1' });
    const { position } = getParts(three.app).foundation.bus;
    await until(
      () => getParts(two.app).foundation.bus.position?.number === position?.number,
      'the process to be told',
    );
    open();
    const stream = await opened;
    announce(three, 1);
    await untilNumber(stream, 1);
    await untilUpdates(stream, 1);
    expect(readNumbers(stream)).toEqual([1]);
    await stream.close();
  });

  it('makes room for what is subscribed to behind it, although that is told before (RELAY-03)', async () => {
    const [, two, three] = cluster.processes;
    for (const uri of ['desk://a', 'desk://b']) await session.request('resources/subscribe', { uri });
    const stream = await moveTo(two, session).openStream();
    await spend();
    await session.request('resources/unsubscribe', { uri: 'desk://a' });
    await moveTo(three, session).request('resources/subscribe', { uri: 'desk://c' });
    three.app.get(McpNotifier).resourceUpdated('desk://c');
    await untilUpdates(stream, 1);
    expect(stream.messages.map(({ params }) => params?.['uri'])).toEqual(['desk://c']);
    await stream.close();
  });
});
