import { afterEach, describe, expect, it } from '@jest/globals';
import { McpNotifier } from 'nestjs-mcp';
import { ADAPTERS } from '../../support/applications/boot.js';
import { WatchedDesk } from '../../support/applications/watched-desk.js';
import { initialize, type SessionClient } from '../../support/clients/json-rpc.js';
import { moveTo, settle, startCluster, type RunningCluster } from '../../support/cluster/start-cluster.js';
import { until } from '../../support/until.js';
import { getParts } from '../../support/applications/get-parts.js';

describe.each(ADAPTERS)('The end of a session of a server of several processes, on %s', (adapter) => {
  let cluster: RunningCluster;

  afterEach(() => cluster.close());

  it('holds in every process, and for one that starts later (RELAY-06)', async () => {
    cluster = await startCluster({ adapter, providers: [WatchedDesk] });
    const [one, two, three] = cluster.processes;
    const session = await initialize(one.url);
    const elsewhere = moveTo(two, session);
    expect(await elsewhere.request('tools/list')).toMatchObject({ status: 200 });
    const stream = await session.openStream();
    expect(await moveTo(three, session).delete()).toMatchObject({ status: 204 });
    await stream.ended;
    await until(() => two.app.get(McpNotifier).sessions.length === 0, 'the end of the session elsewhere');
    const late = await cluster.start();
    for (const process of [one, two, three, late]) {
      expect(await moveTo(process, session).request('tools/list')).toMatchObject({ status: 404 });
    }
  });

  it('leaves nothing of what was known of it, except that it has ended (RELAY-06)', async () => {
    cluster = await startCluster({ adapter, providers: [WatchedDesk] });
    const [one, two] = cluster.processes;
    const session = await initialize(one.url);
    await session.request('resources/subscribe', { uri: 'desk://1' });
    await moveTo(two, session).request('logging/setLevel', { level: 'error' });
    const find = () => getParts(two.app).foundation.bus.shared?.find(`session:${session.id.split('.')[0]}`);
    expect(Object.keys((await find()) ?? {})).toEqual(expect.arrayContaining(['level', 'uri desk://1']));
    await session.delete();
    await settle(one);
    expect(await find()).toEqual({ ended: '1' });
  });

  it('is found out by a process that was away (RELAY-06)', async () => {
    cluster = await startCluster({ adapter, providers: [WatchedDesk] });
    const [one, two] = cluster.processes;
    const session = await initialize(one.url);
    cluster.engine.cut(two.member);
    expect(await session.delete()).toMatchObject({ status: 204 });
    cluster.engine.heal();
    const answer = await until(async () => {
      const { status } = await moveTo(two, session).request('tools/list');
      return status !== 200 && status;
    }, 'a refusal');
    expect(answer).toBe(404);
  });
});

describe('The end of a session that nobody uses', () => {
  let cluster: RunningCluster;

  afterEach(() => cluster.close());

  const start = (idleTimeoutMs: number) =>
    startCluster({
      providers: [WatchedDesk],
      options: { sessions: { idleTimeoutMs, unusedTimeoutMs: 60_000 } },
    });

  it('comes where nobody has heard of its client for long, in any process (RELAY-06)', async () => {
    const idleMs = 200;
    cluster = await start(idleMs);
    const [one, two, three] = cluster.processes;
    const session = await initialize(one.url);
    await session.request('tools/list');
    await until(() => one.app.get(McpNotifier).sessions.length === 0, 'the end of the idle session');
    // What other processes know of its use is a little late.
    const dropped = performance.now();
    await until(() => performance.now() - dropped > idleMs, 'the time of an idle session');
    expect(await moveTo(two, session).request('tools/list')).toMatchObject({ status: 404 });
    expect(await moveTo(three, session).request('tools/list')).toMatchObject({ status: 404 });
  });

  it('does not come in a process that its client has left for another (RELAY-06)', async () => {
    // Long enough for a request on a machine that has much to do.
    cluster = await start(3000);
    const [one, two] = cluster.processes;
    const session = await initialize(one.url);
    await session.request('tools/list');
    const elsewhere = moveTo(two, session);
    const stream = await elsewhere.openStream();
    await until(() => one.app.get(McpNotifier).sessions.length === 0, 'the end of the session');
    expect(await session.request('tools/list')).toMatchObject({ status: 200 });
    await stream.close();
  });
});

describe('An engine that was emptied', () => {
  it('is told again which sessions have ended, for processes that start later (RELAY-06) (RELAY-07)', async () => {
    const cluster = await startCluster({ providers: [WatchedDesk] });
    const [one, two] = cluster.processes;
    const session = await initialize(one.url);
    const other = await initialize(one.url);
    await session.delete();
    await settle(one);
    cluster.engine.clear();
    for (const process of [one, two]) {
      await until(() => process.watched.commands.includes('change'), 'the ends to be written');
      await settle(process);
    }
    const late = await cluster.start();
    const statusOf = async (client: SessionClient) => (await moveTo(late, client).request('ping')).status;
    expect([await statusOf(session), await statusOf(other)]).toEqual([404, 200]);
    await cluster.close();
  });
});
