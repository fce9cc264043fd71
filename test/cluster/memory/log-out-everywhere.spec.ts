import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { McpNotifier, McpSessions, type McpOptions } from 'nestjs-mcp';
import { memoryCluster, type MemoryCluster } from 'nestjs-mcp/testing';
import type { RunningApp } from '../../support/applications/boot.js';
import { authorize, bootDesk, CALLERS } from '../../support/applications/protected-desk.js';
import { WaitingTools } from '../../support/applications/waiting-tools.js';
import { initialize, perRequest, type SessionClient } from '../../support/clients/json-rpc.js';
import { sendHttp } from '../../support/clients/raw-http.js';
import { SseClient } from '../../support/clients/sse-client.js';
import { WatchedCluster } from '../../support/cluster/watched-cluster.js';
import { until, within } from '../../support/until.js';
import { getParts } from '../../support/applications/get-parts.js';

const SECRET = 'a secret of the tests, which is long enough';
const ADA = { headers: authorize(CALLERS.ada.token) };
const BOB = { headers: authorize(CALLERS.bob.token) };

describe('The sessions of callers in several processes', () => {
  let cluster: MemoryCluster;
  let desks: RunningApp[];

  async function boot(options: Partial<McpOptions> = {}): Promise<RunningApp> {
    const desk = await bootDesk('express', {
      options: { cluster, secret: SECRET, sse: true, ...options },
      providers: [WaitingTools],
    });
    desks.push(desk);
    return desk;
  }

  beforeEach(async () => {
    cluster = memoryCluster();
    desks = [];
    await boot();
    await boot();
  });

  afterEach(() => Promise.all(desks.map((desk) => desk.close())));

  const desk = (index: number) => desks[index] as RunningApp;
  const sessionsOf = (index: number) => desk(index).app.get(McpSessions);
  const statusAt = async (index: number, { headers }: SessionClient) => {
    const answer = await sendHttp(desk(index).url, {
      json: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      headers: { accept: 'application/json, text/event-stream', ...headers },
    });
    return answer.status;
  };

  it('are not said to be all while the engine does not say which processes there are (RELAY-11)', async () => {
    const watched = new WatchedCluster(cluster);
    await boot({ cluster: watched });
    const sessions = sessionsOf(2);
    const ask = async () => {
      const answers = {
        count: await sessions.count({ subject: 'ada' }),
        list: await sessions.list({ subject: 'ada' }),
        endAll: await sessions.endAll({ subject: 'ada' }),
      };
      return Object.entries(answers).map(([name, { isComplete }]) => ({ name, isComplete }));
    };
    const answered = (isComplete: boolean) =>
      ['count', 'list', 'endAll'].map((name) => ({ name, isComplete }));
    watched.refused.add('members');
    expect(await ask()).toEqual(answered(false));
    watched.refused.clear();
    expect(await ask()).toEqual(answered(true));
  });

  it('are counted and listed once, whichever processes know them (RELAY-11)', async () => {
    const known = await initialize(desk(0).url, ADA);
    await initialize(desk(1).url, ADA);
    await initialize(desk(1).url, BOB);
    await expect(statusAt(1, known)).resolves.toBe(200);
    for (const index of [0, 1]) {
      const sessions = sessionsOf(index);
      await expect(sessions.count()).resolves.toEqual({ sessions: 3, isExact: true, isComplete: true });
      await expect(sessions.count({ subject: 'ada' })).resolves.toMatchObject({ sessions: 2 });
      const listed = await sessions.list({ subject: 'ada' });
      expect(listed.sessions.map(({ caller }) => caller?.subject)).toEqual(['ada', 'ada']);
      expect(listed.isComplete).toBe(true);
    }
  });

  it('end one by one, in all processes (RELAY-06) (RELAY-11)', async () => {
    const [ending, other] = [await initialize(desk(0).url, ADA), await initialize(desk(0).url, ADA)];
    await expect(sessionsOf(1).end(ending.id)).resolves.toBe(true);
    expect([await statusAt(0, ending), await statusAt(0, other)]).toEqual([404, 200]);
    await until(async () => (await statusAt(1, ending)) === 404, 'the end in the other process');
    await expect(sessionsOf(0).end(ending.id)).resolves.toBe(false);
  });

  it('end although no process knows them any more (RELAY-06) (RELAY-11)', async () => {
    const dormant = await initialize(desk(0).url, ADA);
    await desks.shift()?.close();
    await expect(sessionsOf(0).end(dormant.id.split('.')[0] ?? '')).resolves.toBe(false);
    await expect(statusAt(0, dormant)).resolves.toBe(404);
    await boot();
    await expect(statusAt(1, dormant)).resolves.toBe(404);
  });

  it('end late in a process that was away, without those that were opened after that (RELAY-06)', async () => {
    const earlier = await initialize(desk(1).url, ADA);
    const away = getParts(desk(1).app).foundation.bus.member;
    cluster.cut(away);
    await sessionsOf(0).endAll({ subject: 'ada' });
    const ended = Date.now();
    await until(() => Date.now() > ended, 'the next millisecond');
    const later = await initialize(desk(1).url, ADA);
    cluster.heal(away);
    await until(async () => (await statusAt(1, earlier)) === 404, 'the end of the earlier one');
    expect(await statusAt(1, later)).toBe(200);
  });

  it('end all at once with streams and calls, wherever they are (RELAY-06) (RELAY-11)', async () => {
    const ada = await initialize(desk(0).url, ADA);
    const bob = await initialize(desk(0).url, BOB);
    const stream = await ada.openStream();
    const listening = await perRequest(desk(0).url, ADA).listen({ toolsListChanged: true });
    const sse = await SseClient.connect(`${desk(0).origin}/sse`, { headers: { ...ADA.headers } });
    const call = perRequest(desk(0).url, ADA).start('tools/call', { name: 'wait', arguments: { gate: 'x' } });
    await desk(0).app.get(WaitingTools).gates.at('x').reached();
    const ended = await sessionsOf(1).endAll({ subject: 'ada' });
    expect(ended).toEqual({ sessions: 2, streams: 2, tasks: 0, isComplete: true });
    await within(
      Promise.all([stream.ended, listening.ended, sse.stream.ended, call.answer()]),
      'the end of what Ada had',
    );
    expect([await statusAt(0, ada), await statusAt(1, ada)]).toEqual([404, 404]);
    expect(await statusAt(1, bob)).toBe(200);
  });

  it('stay ended in a process that starts later, and what is opened afterwards goes on (RELAY-06) (RELAY-11)', async () => {
    const before = await initialize(desk(0).url, ADA);
    await sessionsOf(0).endAll({ subject: 'ada' });
    const after = await initialize(desk(0).url, ADA);
    const bob = await initialize(desk(0).url, BOB);
    await boot();
    expect([await statusAt(2, before), await statusAt(2, after), await statusAt(2, bob)]).toEqual([
      404, 200, 200,
    ]);
  });

  it('stay ended in a process that starts after the engine was emptied (RELAY-06) (RELAY-07)', async () => {
    const before = await initialize(desk(0).url, ADA);
    const bob = await initialize(desk(0).url, BOB);
    await sessionsOf(0).endAll({ subject: 'ada' });
    cluster.clear();
    await boot();
    expect([await statusAt(2, before), await statusAt(2, bob)]).toEqual([404, 200]);
  });

  it('stay ended where the process that had them is gone (RELAY-06) (RELAY-11)', async () => {
    const dormant = await initialize(desk(0).url, ADA);
    await desks.shift()?.close();
    await expect(sessionsOf(0).endAll({ subject: 'ada' })).resolves.toMatchObject({ sessions: 0 });
    await expect(statusAt(0, dormant)).resolves.toBe(404);
    await boot();
    await expect(statusAt(1, dormant)).resolves.toBe(404);
  });

  it('do not end for others by a session that somebody names who was logged out (RELAY-06)', async () => {
    const bob = await initialize(desk(0).url, BOB);
    await sessionsOf(0).endAll({ subject: 'ada' });
    const headers = { ...bob.headers, ...ADA.headers };
    const answer = await sendHttp(desk(1).url, {
      json: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      headers: { accept: 'application/json, text/event-stream', ...headers },
    });
    expect(answer.status).toBe(404);
    await expect(statusAt(1, bob)).resolves.toBe(200);
  });

  it('are told alone, wherever their streams are (RELAY-11)', async () => {
    const clients = [await initialize(desk(0).url, ADA), await initialize(desk(0).url, BOB)];
    const [ada, bob] = await Promise.all(clients.map((client) => client.openStream()));
    const listening = await perRequest(desk(0).url, ADA).listen({ toolsListChanged: true });
    const notBob = await perRequest(desk(0).url, BOB).listen({ toolsListChanged: true });
    const notifier = desk(1).app.get(McpNotifier);
    notifier.to({ subject: 'ada' }).log('info', 'for Ada');
    notifier.to({ subject: 'ada' }).toolsListChanged();
    notifier.to(clients[1]?.id ?? '').log('info', "for Bob's session");
    notifier.log('info', 'for everybody');
    notifier.toolsListChanged();
    const isLast = ({ params }: { params?: { data?: unknown } }) => params?.data === 'for everybody';
    for (const stream of [ada, bob]) await stream?.nextMessage((message) => isLast(message));
    const logs = (stream: typeof ada) =>
      stream?.messages.flatMap(({ params }) => (params?.['data'] === undefined ? [] : [params['data']]));
    expect(logs(ada)).toEqual(['for Ada', 'for everybody']);
    expect(logs(bob)).toEqual(["for Bob's session", 'for everybody']);
    const changes = (stream: typeof listening) =>
      stream.messages.filter(({ method }) => method === 'notifications/tools/list_changed').length;
    await until(() => changes(listening) === 2 && changes(notBob) === 1, 'the changes of the list');
    for (const stream of [ada, bob, listening, notBob]) stream?.response.destroy();
  });
});
