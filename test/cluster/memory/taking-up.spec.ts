import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { McpCatalog, McpNotifier } from 'nestjs-mcp';
import { authorize, CALLERS } from '../../support/applications/protected-desk.js';
import { announce, WatchedDesk } from '../../support/applications/watched-desk.js';
import { initialize, perRequest, SessionClient } from '../../support/clients/json-rpc.js';
import { readNumbers, untilNumber } from '../../support/clients/numbered.js';
import { SseClient } from '../../support/clients/sse-client.js';
import { moveTo, settle, startCluster, type RunningCluster } from '../../support/cluster/start-cluster.js';
import { ANSWER_MS, until } from '../../support/until.js';

describe('A process that a session reaches', () => {
  let cluster: RunningCluster;

  beforeEach(async () => {
    cluster = await startCluster({ providers: [WatchedDesk], options: { sse: true } });
  });

  afterEach(() => cluster.close());

  it('asks the engine nothing for a session that it knows (RELAY-02)', async () => {
    const [one, two] = cluster.processes;
    const session = await initialize(one.url);
    const elsewhere = moveTo(two, session);
    await elsewhere.request('tools/call', { name: 'echo' });
    for (const client of [session, elsewhere]) {
      for (let count = 0; count < 10; count += 1) await client.request('tools/call', { name: 'echo' });
    }
    expect([one.watched.commands, two.watched.commands]).toEqual([[], ['find']]);
  });

  it('reads once what it must know of one that it has not seen, whoever asks at once (RELAY-02)', async () => {
    const [one, two] = cluster.processes;
    const elsewhere = moveTo(two, await initialize(one.url));
    const answers = await Promise.all(Array.from({ length: 5 }, () => elsewhere.request('tools/list')));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(two.watched.commands).toEqual(['find']);
  });

  it('asks nothing for what is no session id (RELAY-02)', async () => {
    const [one] = cluster.processes;
    const { handshake } = await initialize(one.url);
    const session = new SessionClient(one.url, handshake, { 'mcp-session-id': 'forged' });
    expect(await session.request('tools/list')).toMatchObject({ status: 404 });
    expect(one.watched.commands).toEqual([]);
  });

  it('publishes once, however many sessions there are that nobody reads (RELAY-02)', async () => {
    const [one, two] = cluster.processes;
    for (let count = 0; count < 20; count += 1) await initialize(one.url);
    announce(one, 1);
    const stream = await (await initialize(two.url)).openStream();
    announce(one, 2);
    await untilNumber(stream, 2);
    expect(one.watched.commands).toEqual(['append', 'append', 'append', 'append']);
    await stream.close();
  });

  it('tells what any announces on the stateless wire (RELAY-01)', async () => {
    const [one, two] = cluster.processes;
    const stream = await perRequest(one.url).listen({
      toolsListChanged: true,
      resourceSubscriptions: ['desk://1'],
    });
    two.app.get(McpNotifier).toolsListChanged();
    two.app.get(McpNotifier).resourceUpdated('desk://1');
    await stream.nextNotification('notifications/tools/list_changed');
    const { params } = await stream.nextNotification('notifications/resources/updated');
    expect(params).toMatchObject({ uri: 'desk://1' });
    await stream.close();
  });

  it('tells of a change of the catalog in any (RELAY-01)', async () => {
    const [one, two] = cluster.processes;
    const stream = await (await initialize(one.url)).openStream();
    two.app.get(McpCatalog).tools.add({ name: 'more' }, () => 'more');
    await stream.nextNotification('notifications/tools/list_changed');
    expect(stream.isEnded).toBe(false);
    await stream.close();
  });

  it('tells what any announces on a stream of HTTP+SSE (RELAY-01)', async () => {
    const [one, two] = cluster.processes;
    const client = await SseClient.connect(`${one.origin}/sse`);
    await client.request('resources/subscribe', { uri: 'desk://1' });
    announce(two, 1);
    await untilNumber(client.stream, 1);
    const { params } = await client.stream.nextNotification('notifications/resources/updated');
    expect(params).toMatchObject({ uri: 'desk://1' });
    await client.close();
  });
});

describe('A session that was opened without a token', () => {
  const { ada, bob } = CALLERS;
  const tokens = [ada.token, bob.token];
  let cluster: RunningCluster;

  beforeEach(async () => {
    cluster = await startCluster({
      providers: [WatchedDesk],
      options: { auth: { bearer: Object.values(CALLERS) } },
      waits: { acknowledgedMs: ANSWER_MS },
    });
  });

  afterEach(() => {
    cluster.engine.delayMs = 0;
    return cluster.close();
  });

  /** Opens a session that two processes know, which then hear of each other later than the client needs for its next request. */
  async function takeUp() {
    const [one, two] = cluster.processes;
    const session = await initialize(one.url);
    const elsewhere = moveTo(two, session);
    expect(await elsewhere.request('ping')).toMatchObject({ status: 200 });
    cluster.engine.delayMs = 100;
    return { session, elsewhere };
  }

  it('belongs to one caller in all processes: the first who brings a token (RELAY-01)', async () => {
    const [one, two, three] = cluster.processes;
    const session = await initialize(one.url);
    const statuses = await Promise.all(
      [one, two].map(async (process, index) => {
        const answer = await moveTo(process, session).request('ping', {}, authorize(tokens[index]));
        return answer.status;
      }),
    );
    expect(statuses.toSorted((less, more) => less - more)).toEqual([200, 404]);
    const owner = tokens[statuses.indexOf(200)];
    const other = tokens[statuses.indexOf(404)];
    for (const process of [one, two, three]) {
      const ping = async (token?: string) =>
        (await moveTo(process, session).request('ping', {}, authorize(token))).status;
      expect([await ping(owner), await ping(other), await ping()]).toEqual([200, 404, 404]);
    }
  });

  it('is refused in every process without one as soon as the first token was answered (RELAY-01)', async () => {
    const { session, elsewhere } = await takeUp();
    expect(await session.request('ping', {}, authorize(ada.token))).toMatchObject({ status: 200 });
    expect(await elsewhere.request('ping')).toMatchObject({ status: 404 });
  });

  it('is refused in every process without one as soon as a second token was answered meanwhile (RELAY-01)', async () => {
    const { session, elsewhere } = await takeUp();
    const first = session.request('ping', {}, authorize(ada.token));
    await until(async () => (await session.request('ping')).status === 404, 'the owner');
    expect(await session.request('ping', {}, authorize(ada.token))).toMatchObject({ status: 200 });
    expect(await elsewhere.request('ping')).toMatchObject({ status: 404 });
    expect(await first).toMatchObject({ status: 200 });
  });

  it('is told nothing more without one, although the process of its stream was not told whose it is (RELAY-01)', async () => {
    const [one, two] = cluster.processes;
    const session = await initialize(one.url);
    const stream = await moveTo(two, session).openStream();
    announce(one, 1);
    await untilNumber(stream, 1);
    cluster.engine.cut(two.member);
    expect(await session.request('ping', {}, authorize(ada.token))).toMatchObject({ status: 200 });
    await settle(one);
    cluster.engine.trim(0);
    cluster.engine.heal();
    await stream.ended;
    expect(readNumbers(stream)).toEqual([1]);
  });
});
