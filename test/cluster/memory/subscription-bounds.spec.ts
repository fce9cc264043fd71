import { afterEach, describe, expect, it } from '@jest/globals';
import { SESSION_CHANGE } from '../../../lib/server/sessions/shared/session-change.js';
import { McpNotifier } from 'nestjs-mcp';
import { AnyResource } from '../../support/applications/any-resource.js';
import { WatchedDesk } from '../../support/applications/watched-desk.js';
import { initialize } from '../../support/clients/json-rpc.js';
import { moveTo, startCluster, type RunningCluster } from '../../support/cluster/start-cluster.js';
import { until } from '../../support/until.js';
import { getParts } from '../../support/applications/get-parts.js';

const MOST = 6;

describe('Subscriptions that several processes take at the same time', () => {
  let cluster: RunningCluster;

  afterEach(() => cluster.close());

  it('are as many as a session may have, and no more, in all of them together (FAIR-02) (FAIR-03)', async () => {
    cluster = await startCluster({
      providers: [WatchedDesk, AnyResource],
      options: { sessions: { maxSubscriptions: MOST } },
    });
    const session = await initialize(cluster.processes[0].url);
    const clients = cluster.processes.map((process) => moveTo(process, session));
    await Promise.all(clients.map((client) => client.request('ping')));
    const answers = await Promise.all(
      Array.from({ length: 5 * MOST }, (_, index) =>
        clients[index % clients.length]!.request('resources/subscribe', { uri: `desk://${index}` }),
      ),
    );
    const taken = answers.flatMap(({ result }, index) => (result === undefined ? [] : [`desk://${index}`]));
    expect(taken).toHaveLength(MOST);
    const record = await until(async () => {
      const key = `session:${session.id.split('.')[0]}`;
      const found = await getParts(cluster.processes[0].app).foundation.bus.shared?.find(key);
      const fields = Object.keys(found ?? {}).filter((field) => field.startsWith('uri '));
      return fields.length === MOST && fields;
    }, 'a record with as many');
    expect(record).toHaveLength(MOST);
    // Whoever takes the session up now has what holds, and goes on.
    const late = await cluster.start();
    const stream = await moveTo(late, session).openStream();
    for (const uri of ['desk://none', ...taken]) late.app.get(McpNotifier).resourceUpdated(uri);
    await until(() => stream.messages.length >= MOST, 'the updates');
    expect(stream.messages.map(({ params }) => params?.['uri'])).toEqual(taken);
    const [first = ''] = taken;
    await clients[1]!.request('resources/unsubscribe', { uri: first });
    expect((await clients[2]!.request('resources/subscribe', { uri: 'desk://next' })).result).toEqual({});
    await stream.close();
  });

  it('are what the record says where there is no room for one that is told (RELAY-03) (FAIR-03)', async () => {
    cluster = await startCluster({
      providers: [WatchedDesk, AnyResource],
      options: { sessions: { maxSubscriptions: 2 } },
    });
    const [one, two] = cluster.processes;
    const session = await initialize(one.url);
    for (const uri of ['desk://1', 'desk://2']) await session.start('resources/subscribe', { uri }).result();
    // Another process has told that one has begun, and not yet that one has ended.
    const [key = ''] = session.id.split('.');
    const bus = getParts(two.app).foundation.bus;
    const [set, unset] = [
      { 'uri desk://3': 'log:9', unsubscribed: `${Date.now() + 60_000}` },
      ['uri desk://1'],
    ];
    await bus.shared?.change({ key: `session:${key}`, set, unset, expires: Date.now() + 60_000 });
    await bus.publishFlushed(SESSION_CHANGE, { key, subscribed: ['desk://3'] });
    const registry = getParts(one.app).sessions.registry;
    await until(async () => {
      await session.request('ping');
      return registry?.findByKey(key)?.subscriptions.has('desk://3');
    }, 'what the record says');
    expect([...(registry?.findByKey(key)?.subscriptions ?? [])]).toEqual(['desk://2', 'desk://3']);
  });

  it('are counted together only near the bound (RELAY-02) (FAIR-03)', async () => {
    cluster = await startCluster({
      providers: [WatchedDesk, AnyResource],
      options: { sessions: { maxSubscriptions: 8 } },
    });
    const [one] = cluster.processes;
    const session = await initialize(one.url);
    const looks: number[] = [];
    for (let index = 1; index <= 3; index += 1) {
      await session.start('resources/subscribe', { uri: `desk://${index}` }).result();
      looks.push(one.watched.commands.filter((command) => command === 'find').length);
    }
    expect(looks).toEqual([0, 0, 1]);
  });
});
