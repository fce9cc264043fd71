import { afterEach, describe, expect, it } from '@jest/globals';
import { McpNotifier, type McpOptions } from 'nestjs-mcp';
import { AnyResource } from '../../support/applications/any-resource.js';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { WaitingTools } from '../../support/applications/waiting-tools.js';
import {
  buildInitialize,
  initialize,
  perRequest,
  post,
  type SessionClient,
} from '../../support/clients/json-rpc.js';
import type { Message } from '../../support/clients/message.js';
import { authorize, CALLERS } from '../../support/applications/protected-desk.js';
import { sendHttp } from '../../support/clients/raw-http.js';
import { until } from '../../support/until.js';

const INITIALIZE = buildInitialize();
/** More than a busy machine holds up what uses a session before it is in use. */
const IDLE_MS = 1500;

describe.each(ADAPTERS)('the bounds of sessions on %s', (adapter) => {
  let desk: RunningApp;

  afterEach(() => desk.close());

  async function boot(
    options: Partial<McpOptions>,
    { trustProxy = false }: { readonly trustProxy?: boolean } = {},
  ): Promise<McpNotifier> {
    desk = await bootServer({ adapter, trustProxy, options, providers: [WaitingTools, AnyResource] });
    return desk.app.get(McpNotifier);
  }

  /** Has a call run in a session, which waits at its gate. */
  async function occupy(session: SessionClient, gate: string): Promise<void> {
    session.start('tools/call', { name: 'wait', arguments: { gate } });
    await desk.app.get(WaitingTools).gates.at(gate).reached();
  }

  it('end a session that nobody uses: 404 (HTTP-10)', async () => {
    const notifier = await boot({ sessions: { idleTimeoutMs: IDLE_MS } });
    const session = await initialize(desk.url);
    await until(() => notifier.sessions.length === 0, 'the end of an idle session');
    const answers = [
      await session.post({ jsonrpc: '2.0', id: 1, method: 'ping' }),
      await sendHttp(desk.url, { headers: { ...session.headers, accept: 'text/event-stream' } }),
      await session.delete(),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  it('keep a session whose stream is open, and end it once it is closed (HTTP-10)', async () => {
    const notifier = await boot({ sessions: { idleTimeoutMs: IDLE_MS } });
    const [used, idle] = [await initialize(desk.url), await initialize(desk.url)];
    const stream = await used.openStream();
    const ids = () => notifier.sessions.map(({ id }) => id);
    await until(() => !ids().includes(idle.id), 'the end of the idle session');
    expect(ids()).toEqual([used.id]);

    await stream.close();
    await until(() => ids().length === 0, 'the end of the session');
  });

  it('keep a session in which a call runs (HTTP-10)', async () => {
    const notifier = await boot({ sessions: { idleTimeoutMs: IDLE_MS } });
    const [busy, idle] = [await initialize(desk.url), await initialize(desk.url)];
    const call = busy.start('tools/call', { name: 'wait', arguments: { gate: 'busy' } });
    const gate = desk.app.get(WaitingTools).gates.at('busy');
    await gate.reached();
    await until(() => !notifier.sessions.some(({ id }) => id === idle.id), 'the end of the idle session');

    gate.open();
    expect((await call.answer()).result).toMatchObject({ content: [{ text: 'busy' }] });
  });

  it('keep a session that is used again and again (HTTP-10)', async () => {
    const notifier = await boot({ sessions: { idleTimeoutMs: IDLE_MS } });
    const [used, idle] = [await initialize(desk.url), await initialize(desk.url)];
    await until(async () => {
      expect((await used.request('ping')).result).toEqual({});
      return !notifier.sessions.some(({ id }) => id === idle.id);
    }, 'the end of the idle session');
    expect(notifier.sessions.map(({ id }) => id)).toEqual([used.id]);
  });

  it('tell the application which session expired (HTTP-10)', async () => {
    const notifier = await boot({ sessions: { idleTimeoutMs: IDLE_MS } });
    const closed: string[] = [];
    notifier.sessions$.subscribe(({ type, session }) => type === 'closed' && closed.push(session.id));
    const session = await initialize(desk.url);
    await until(() => closed.includes(session.id), 'the event of the end');
    expect(closed).toEqual([session.id]);
  });

  it('refuse one session too many with 503, Retry-After and a JSON-RPC error (HTTP-10)', async () => {
    await boot({ sessions: { maxSessions: 2 } });
    await occupy(await initialize(desk.url), 'one');
    await occupy(await initialize(desk.url), 'other');
    const answer = await post(desk.url, { ...INITIALIZE, id: 'one-too-many' });
    expect(answer.status).toBe(429);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(answer.json).toMatchObject({ id: 'one-too-many', error: { code: -32023 } });
    expect(answer.headers).not.toHaveProperty('mcp-session-id');
  });

  it('let those that are open go on, and another in where one ends (HTTP-10)', async () => {
    await boot({ sessions: { maxSessions: 1 } });
    const session = await initialize(desk.url);
    await occupy(session, 'busy');
    expect((await post(desk.url, INITIALIZE)).status).toBe(429);
    expect((await session.request('ping')).result).toEqual({});
    await session.delete();
    expect((await (await initialize(desk.url)).request('ping')).result).toEqual({});
  });

  it('have the longest idle make room for another, which is told to begin again (FAIR-04)', async () => {
    await boot({ sessions: { maxSessions: 2 } });
    const [idle, used] = [await initialize(desk.url), await initialize(desk.url)];
    await idle.request('tools/list');
    await used.request('tools/list');
    const next = await initialize(desk.url);
    const statuses = await Promise.all(
      [idle, used, next].map(async (session) => (await session.request('tools/list')).status),
    );
    expect(statuses).toEqual([404, 200, 200]);
  });

  it('end a session that does nothing but ping, in seconds, and none that was used (FAIR-04)', async () => {
    const notifier = await boot({ sessions: { unusedTimeoutMs: IDLE_MS } });
    const [pinging, used] = [await initialize(desk.url), await initialize(desk.url)];
    await used.request('tools/list');
    await until(async () => {
      await pinging.request('ping');
      return !notifier.sessions.some(({ id }) => id === pinging.id);
    }, 'the end of the session that pings');
    expect(notifier.sessions.map(({ id }) => id)).toEqual([used.id]);
    expect((await used.request('ping')).result).toEqual({});
  });

  it('count for each address behind a proxy that is trusted (FAIR-03)', async () => {
    await boot({ sessions: { maxSessionsPerAddress: 2 } }, { trustProxy: true });
    const from = (address: string) => initialize(desk.url, { headers: { 'x-forwarded-for': address } });
    const victim = await from('203.0.113.7');
    const flood = [
      await from('2001:db8:1:2::1'),
      await from('2001:db8:1:2::2'),
      await from('2001:db8:1:2::3'),
    ];
    const elsewhere = await from('2001:db8:1:3::1');
    const statuses = await Promise.all(
      [victim, elsewhere, ...flood].map(async (session) => (await session.request('ping')).status),
    );
    expect(statuses).toEqual([200, 200, 404, 200, 200]);
  });

  it('do not count for the address of a proxy that nobody trusts, which is everybody (FAIR-03)', async () => {
    await boot({ sessions: { maxSessionsPerAddress: 1 } });
    const from = (address: string) => initialize(desk.url, { headers: { 'x-forwarded-for': address } });
    const sessions = [await from('203.0.113.7'), await from('203.0.113.7'), await from('203.0.113.8')];
    const statuses = await Promise.all(
      sessions.map(async (session) => (await session.request('ping')).status),
    );
    expect(statuses).toEqual([200, 200, 200]);
  });

  it('are none of the stateless wire (HTTP-10)', async () => {
    await boot({ sessions: { maxSessions: 1 } });
    await initialize(desk.url);
    expect((await perRequest(desk.url).request('tools/list')).result).toHaveProperty('tools');
  });

  it('refuse more requests at once than one session may have, and no other session (HTTP-10)', async () => {
    await boot({ limits: { requestsInFlight: 1 } });
    const [session, other] = [await initialize(desk.url), await initialize(desk.url)];
    const gate = desk.app.get(WaitingTools).gates.at('full');
    const call = session.start('tools/call', { name: 'wait', arguments: { gate: 'full' } });
    await gate.reached();
    const refused = await session.request('ping');
    expect([refused.status, refused.error?.code, refused.error?.message]).toEqual([
      200,
      -32603,
      expect.stringContaining('too many concurrent requests'),
    ]);
    expect((await other.request('ping')).result).toEqual({});

    gate.open();
    await call.answer();
    expect((await session.request('ping')).result).toEqual({});
  });

  it('refuse one subscription of a session too many (HTTP-10)', async () => {
    await boot({ sessions: { maxSubscriptions: 1 }, capabilities: { resources: true } });
    const session = await initialize(desk.url);
    await session.request('resources/subscribe', { uri: 'desk://a' });
    const refused = await session.request('resources/subscribe', { uri: 'desk://b' });
    expect(refused.error?.code).toBe(-32602);
    expect((await session.request('resources/subscribe', { uri: 'desk://a' })).result).toEqual({});
    await session.request('resources/unsubscribe', { uri: 'desk://a' });
    expect((await session.request('resources/subscribe', { uri: 'desk://b' })).result).toEqual({});
  });

  it('refuse one subscriptions/listen too many (HTTP-10)', async () => {
    await boot({ streams: { maxListeners: 1 } });
    const stream = await perRequest(desk.url).listen({});
    const answer = await perRequest(desk.url).request('subscriptions/listen', { notifications: {} });
    expect((answer.response as Message).error?.code).toBe(-32023);
    expect(answer.status).toBe(429);
    await stream.close();
  });

  it('refuse one subscriptions/listen of one caller too many, and none of another (HTTP-10)', async () => {
    const auth = { bearer: Object.values(CALLERS) };
    await boot({ auth, streams: { maxListenersPerCaller: 1 } });
    const [ada, bob] = [CALLERS.ada, CALLERS.bob].map(({ token }) =>
      perRequest(desk.url, { headers: authorize(token) }),
    );
    const stream = await ada!.listen({});
    const { status, headers, error } = await ada!.request('subscriptions/listen', { notifications: {} });
    expect([status, error?.code]).toEqual([429, -32023]);
    expect(headers).toHaveProperty('retry-after');
    const other = await bob!.listen({});
    await stream.close();
    const again = await until(() => ada!.listen({}).catch(() => undefined), 'a free place');
    await Promise.all([again.close(), other.close()]);
  });

  it('refuse subscriptions of too many characters (HTTP-10)', async () => {
    await boot({ sessions: { maxSubscriptionCharacters: 15 }, capabilities: { resources: true } });
    const session = await initialize(desk.url);
    await session.request('resources/subscribe', { uri: 'desk://first' });
    const refused = await session.request('resources/subscribe', { uri: 'desk://second' });
    expect(refused.error?.code).toBe(-32602);
    const notifications = { resourceSubscriptions: ['desk://first', 'desk://second'] };
    const answer = await perRequest(desk.url).request('subscriptions/listen', { notifications });
    expect(answer.error?.code).toBe(-32602);
  });
});
