import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { McpSessions, type CallerSelector } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { authorize, bootDesk, CALLERS } from '../../support/applications/protected-desk.js';
import { WaitingTools } from '../../support/applications/waiting-tools.js';
import { initialize, perRequest, type SessionClient } from '../../support/clients/json-rpc.js';
import { SseClient } from '../../support/clients/sse-client.js';
import { until, within } from '../../support/until.js';

const ADA = { headers: authorize(CALLERS.ada.token) };
const BOB = { headers: authorize(CALLERS.bob.token) };
const NAMELESS = 'an-api-key-that-names-nobody-51c2';

describe.each(ADAPTERS)('McpSessions on %s', (adapter) => {
  let desk: RunningApp;
  let sessions: McpSessions;
  let tools: WaitingTools;

  beforeAll(async () => {
    desk = await bootDesk(adapter, {
      auth: { bearer: [...Object.values(CALLERS), { token: NAMELESS }] },
      options: { sse: true },
      providers: [WaitingTools],
    });
    sessions = desk.app.get(McpSessions);
    tools = desk.app.get(WaitingTools);
  });

  afterAll(() => desk.close());

  afterEach(async () => {
    for (const { key } of (await sessions.list()).sessions) await sessions.end(key);
  });

  const statusOf = async (session: SessionClient) => (await session.request('ping')).status;

  it('counts the sessions of a caller, and all (RELAY-11)', async () => {
    await Promise.all([initialize(desk.url, ADA), initialize(desk.url, ADA), initialize(desk.url, BOB)]);
    await expect(sessions.count()).resolves.toEqual({ sessions: 3, isExact: true, isComplete: true });
    await expect(sessions.count({ subject: 'ada' })).resolves.toMatchObject({ sessions: 2 });
    await expect(sessions.count({ subject: 'nobody' })).resolves.toMatchObject({ sessions: 0 });
  });

  it('lists what whoever supports a caller has to know, and nothing that opens a session (RELAY-11)', async () => {
    const before = Date.now();
    const read = await initialize(desk.url, ADA);
    const stream = await read.openStream();
    await initialize(desk.url, BOB);
    const { sessions: listed, hasMore } = await sessions.list({ subject: 'ada' });
    expect(listed).toEqual([
      {
        key: read.id.split('.')[0],
        caller: { identity: expect.any(String), subject: 'ada' },
        client: { name: 'e2e', version: '1.0.0' },
        revision: '2025-11-25',
        since: expect.any(Date),
        lastActive: expect.any(Date),
        isRead: true,
        isRunning: false,
      },
    ]);
    expect(listed[0]?.since.getTime()).toBeGreaterThanOrEqual(before);
    expect(hasMore).toBe(false);
    expect(JSON.stringify(listed)).not.toContain(read.id);
    expect(JSON.stringify(listed)).not.toContain(CALLERS.ada.token);
    stream.response.destroy();
  });

  it('lists as many as are wanted, the latest used first (RELAY-11)', async () => {
    const opened = [
      await initialize(desk.url, ADA),
      await initialize(desk.url, ADA),
      await initialize(desk.url, ADA),
    ];
    const used = [opened[1]!, opened[2]!, opened[0]!];
    for (const session of used) {
      const now = Date.now();
      await until(() => Date.now() > now, 'the next millisecond');
      await session.request('tools/list');
      // The end of a request counts as a use too, and comes after its response.
      const isLatest = async () =>
        (await sessions.list({ subject: 'ada' }, { limit: 1 })).sessions[0]?.key === session.id.split('.')[0];
      await until(isLatest, 'the use of the session');
    }
    const latest = used.toReversed().map(({ id }) => id.split('.')[0]);
    for (const limit of [1, 2, 3, 4]) {
      const { sessions: listed, hasMore } = await sessions.list({ subject: 'ada' }, { limit });
      expect({ limit, keys: listed.map(({ key }) => key), hasMore }).toEqual({
        limit,
        keys: latest.slice(0, limit),
        hasMore: limit < 3,
      });
    }
  });

  it.each(['key', 'id'] as const)('ends one session by its %s, and no other (RELAY-11)', async (by) => {
    const [ending, other] = [await initialize(desk.url, ADA), await initialize(desk.url, ADA)];
    const [key = ''] = ending.id.split('.');
    await expect(sessions.end(by === 'key' ? key : ending.id)).resolves.toBe(true);
    expect([await statusOf(ending), await statusOf(other)]).toEqual([404, 200]);
    await expect(sessions.end(key)).resolves.toBe(false);
  });

  it('ends everything that a caller has, and nothing of others, before it is waited for (RELAY-11)', async () => {
    const [ada, bob] = [await initialize(desk.url, ADA), await initialize(desk.url, BOB)];
    const [stream, others] = [await ada.openStream(), await bob.openStream()];
    const ending = sessions.endAll({ subject: 'ada' });
    await expect(sessions.count({ subject: 'ada' })).resolves.toMatchObject({ sessions: 0 });
    await expect(ending).resolves.toEqual({ sessions: 1, streams: 0, tasks: 0, isComplete: true });
    await within(stream.ended, 'the end of the stream');
    expect([await statusOf(ada), await statusOf(bob)]).toEqual([404, 200]);
    expect(others.isEnded).toBe(false);
    others.response.destroy();
  });

  it('gives a running call of a session up (RELAY-11)', async () => {
    const ada = await initialize(desk.url, ADA);
    const call = ada.start('tools/call', { name: 'wait', arguments: { gate: `session ${adapter}` } });
    await tools.gates.at(`session ${adapter}`).reached();
    await sessions.endAll({ subject: 'ada' });
    await expect(call.answer()).resolves.not.toHaveProperty('result');
  });

  it('ends subscriptions of the stateless wire with their result, and running calls with an error (RELAY-11)', async () => {
    const [ada, bob] = [perRequest(desk.url, ADA), perRequest(desk.url, BOB)];
    const stream = await ada.listen({ toolsListChanged: true });
    const others = await bob.listen({ toolsListChanged: true });
    const call = ada.start('tools/call', { name: 'wait', arguments: { gate: `stateless ${adapter}` } });
    await tools.gates.at(`stateless ${adapter}`).reached();
    await expect(sessions.endAll({ subject: 'ada' })).resolves.toMatchObject({ streams: 2 });
    await within(stream.ended, 'the end of the subscription');
    expect(stream.messages.at(-1)).toHaveProperty('result');
    await expect(call.answer()).resolves.toMatchObject({
      response: { error: { message: 'You were logged out while the call was running' } },
    });
    expect(others.isEnded).toBe(false);
    others.response.destroy();
  });

  it('ends streams of HTTP+SSE, and the stream of one session that is ended (RELAY-11)', async () => {
    const connect = (headers: object) => SseClient.connect(`${desk.origin}/sse`, { headers: { ...headers } });
    const [first, second, bob] = [
      await connect(ADA.headers),
      await connect(ADA.headers),
      await connect(BOB.headers),
    ];
    const [one] = (await sessions.list({ subject: 'ada' })).sessions;
    await sessions.end(one?.key ?? '');
    await within(Promise.race([first.stream.ended, second.stream.ended]), 'the end of one stream');
    await sessions.endAll({ subject: 'ada' });
    await within(Promise.all([first.stream.ended, second.stream.ended]), 'the end of both streams');
    await expect(bob.request('ping')).resolves.toHaveProperty('result');
    bob.stream.response.destroy();
  });

  it('lets a caller begin again whose token is still good (RELAY-11)', async () => {
    await initialize(desk.url, ADA);
    await sessions.endAll({ subject: 'ada' });
    await expect(statusOf(await initialize(desk.url, ADA))).resolves.toBe(200);
  });

  it('knows a caller by a key that names nobody, and by what the list says (RELAY-11)', async () => {
    const key = { headers: authorize(NAMELESS) };
    await initialize(desk.url, key);
    await expect(sessions.count({ token: NAMELESS })).resolves.toMatchObject({ sessions: 1 });
    await expect(sessions.count({ token: CALLERS.bob.token })).resolves.toMatchObject({ sessions: 0 });
    const listed = (await sessions.list({ token: NAMELESS })).sessions[0]?.caller;
    await expect(sessions.endAll(listed ?? {})).resolves.toMatchObject({ sessions: 1 });
  });

  it.each<unknown>([
    {},
    { issuer: 'https://login.example.com' },
    { subject: '' },
    { subject: undefined },
    null,
    'ada',
  ])('refuses to end what %j has, which may be anybody (RELAY-11)', async (caller) => {
    const ada = await initialize(desk.url, ADA);
    await expect(sessions.endAll(caller as CallerSelector)).rejects.toThrow(TypeError);
    await expect(statusOf(ada)).resolves.toBe(200);
  });
});
