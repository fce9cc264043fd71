import { beforeEach, describe, expect, it } from '@jest/globals';
import { ListenerRegistry } from '../../../../lib/server/notifications/listener-registry.js';
import { McpNotifier } from '../../../../lib/server/notifications/mcp-notifier.js';
import type { ServerCapabilities } from '../../../../lib/core/protocol/capabilities.js';
import type { StreamEvent } from '../../../../lib/server/sessions/streams/event-log.js';
import { SessionRegistry } from '../../../../lib/server/sessions/session-registry.js';
import { STANDALONE_STREAM } from '../../../../lib/server/sessions/streams/stream-records.js';
import type { Session } from '../../../../lib/server/sessions/session.js';
import { CountingPayload } from '../../support/counting-payload.js';
import { createPublisher } from '../../support/notifications.js';
import { openSession, type Json, type SessionParts } from '../../support/requests.js';
import { buildSettings } from '../../support/settings.js';

const ALL: ServerCapabilities = {
  logging: {},
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
};

/** A session with its standing stream open. */
interface Client {
  readonly session: Session;
  readonly received: Json[];
}

describe('McpNotifier', () => {
  let registry: SessionRegistry;
  let listeners: ListenerRegistry;
  let notifier: McpNotifier;

  beforeEach(() => {
    registry = new SessionRegistry(buildSettings());
    listeners = new ListenerRegistry(buildSettings());
    notifier = new McpNotifier(registry, listeners, createPublisher({ registry, listeners }));
  });

  function connect(parts: SessionParts = {}): Client {
    const session = openSession(registry, { declared: ALL, ...parts });
    const received: Json[] = [];
    session.streams
      .open(STANDALONE_STREAM)
      .subscribe(({ message }: StreamEvent) => received.push(JSON.parse(message.json) as Json));
    return { session, received };
  }

  const methodsOf = ({ received }: Client) => received.map((message) => message['method']);

  it.each([
    ['tools', 'toolsListChanged', 'notifications/tools/list_changed'],
    ['prompts', 'promptsListChanged', 'notifications/prompts/list_changed'],
    ['resources', 'resourcesListChanged', 'notifications/resources/list_changed'],
  ] as const)(
    'tells a change of %s to each session that negotiated it (NOTE-02, NOTE-03)',
    (area, emit, method) => {
      const told = [connect(), connect()];
      const untold = [connect({ declared: { ...ALL, [area]: {} } }), connect({ declared: {} })];
      notifier[emit]();
      for (const { received } of told) expect(received).toEqual([{ jsonrpc: '2.0', method }]);
      for (const { received } of untold) expect(received).toEqual([]);
    },
  );

  it('goes by what a session negotiated, whatever is declared now (SESS-02)', () => {
    const before = connect({ declared: { logging: {} } });
    const after = connect();
    notifier.toolsListChanged();
    expect([before.received, after.received.length]).toEqual([[], 1]);
  });

  it('tells nothing but logs before the handshake is confirmed (SESS-01)', () => {
    const client = connect({ isLive: false });
    registry.subscribe(client.session, 'desk://1');
    notifier.toolsListChanged();
    notifier.resourceUpdated('desk://1');
    notifier.log('error', 'x');
    expect(methodsOf(client)).toEqual(['notifications/message']);
  });

  it('announces the first subscriber of a resource and the loss of its last, however they subscribed (NOTE-04)', () => {
    const events: unknown[] = [];
    notifier.subscriptions$.subscribe(({ type, uri }) => events.push(`${type} ${uri}`));
    const [one, other] = [connect(), connect()];
    const filter = { resourceSubscriptions: ['desk://1', 'desk://2'] };
    const listener = { subscriptionId: 1, filter, send: () => undefined, finish: () => undefined };
    registry.subscribe(one.session, 'desk://1');
    registry.subscribe(other.session, 'desk://1');
    listeners.add(listener);
    registry.unsubscribe(one.session, 'desk://1');
    void registry.end(other.session, 'over');
    listeners.remove(listener);
    expect(events).toEqual([
      'subscribed desk://1',
      'subscribed desk://2',
      'unsubscribed desk://1',
      'unsubscribed desk://2',
    ]);
  });

  it('tells of a resource its subscribers alone, until they unsubscribe or leave (NOTE-04)', () => {
    const [one, other, stranger] = [connect(), connect(), connect()];
    for (const { session } of [one, other]) registry.subscribe(session, 'desk://1');
    notifier.resourceUpdated('desk://1');
    notifier.resourceUpdated('desk://2');
    registry.unsubscribe(one.session, 'desk://1');
    notifier.resourceUpdated('desk://1');
    void registry.end(other.session, 'over');
    notifier.resourceUpdated('desk://1');
    expect([one, other, stranger].map(({ received }) => received.length)).toEqual([1, 2, 0]);
    expect(one.received[0]).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/resources/updated',
      params: { uri: 'desk://1' },
    });
  });

  it('logs to sessions at their level, and to none that did not negotiate it (NOTE-05)', () => {
    const [quiet, loud, none] = [connect(), connect(), connect({ declared: {} })];
    quiet.session.setLogLevel('error');
    loud.session.setLogLevel('debug');
    none.session.setLogLevel('debug');
    notifier.log('debug', 1, 'exports');
    notifier.log('error', 2);
    const paramsOf = ({ received }: Client) => received.map((message) => message['params']);
    expect(paramsOf(quiet)).toEqual([{ level: 'error', data: 2 }]);
    expect(paramsOf(loud)).toEqual([
      { level: 'debug', logger: 'exports', data: 1 },
      { level: 'error', data: 2 },
    ]);
    expect(none.received).toEqual([]);
  });

  it('serializes a message once, however many receive it (NOTE-09)', () => {
    const clients = Array.from({ length: 200 }, () => connect());
    const payload = new CountingPayload({ exported: 7 });
    notifier.log('info', payload);
    expect(payload.serialisations).toBe(1);
    for (const { received } of clients) expect(received).toHaveLength(1);
  });

  it('serializes nothing that nobody receives (NOTE-09)', () => {
    connect({ declared: {} });
    const payload = new CountingPayload({});
    notifier.log('info', payload);
    expect(payload.serialisations).toBe(0);
  });

  it('breaks no session by data that is no JSON (SAFE-04)', () => {
    const clients = [connect(), connect()];
    expect(() => notifier.log('info', { amount: 1n })).toThrow(TypeError);
    notifier.log('info', 'after');
    for (const { received } of clients)
      expect(received.map(({ params }) => (params as Json)['data'])).toEqual(['after']);
  });

  it('tells listeners of the stateless wire the same, tagged (NOTE-08)', () => {
    const sent: string[] = [];
    listeners.add({
      subscriptionId: 'listen-1',
      filter: { toolsListChanged: true, resourceSubscriptions: ['desk://1'] },
      send: ({ json }) => sent.push(json),
      finish: () => undefined,
    });
    notifier.toolsListChanged();
    notifier.promptsListChanged();
    notifier.resourceUpdated('desk://1');
    notifier.log('emergency', 'x');
    expect(sent.map((json) => (JSON.parse(json) as Json)['method'])).toEqual([
      'notifications/tools/list_changed',
      'notifications/resources/updated',
    ]);
    for (const json of sent) expect(json).toContain('listen-1');
  });

  it('shows the sessions and what becomes of them (NOTE-01)', () => {
    const types: string[] = [];
    notifier.sessions$.subscribe(({ type }) => types.push(type));
    const { session } = connect();
    expect(notifier.sessions).toEqual([session]);
    void registry.end(session, 'over');
    expect([notifier.sessions, types]).toEqual([[], ['opened', 'initialized', 'closed']]);
  });
});
