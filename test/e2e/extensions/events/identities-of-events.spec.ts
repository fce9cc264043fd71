import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { TestIssuer } from '../../../support/authorization/issuer.js';
import { perRequest } from '../../../support/clients/json-rpc.js';
import { authorize, WAYS, type Caller } from '../../../support/applications/protected-desk.js';
import { sendHttp } from '../../../support/clients/raw-http.js';
import { until, within } from '../../../support/until.js';
import { WebhookReceiver, WEBHOOK_SECRET } from '../../../support/webhook-receiver.js';
import { bootAlerts, eventsOf, nextEvent, openEvents, textsOf, type AlertsApp } from './alerts.app.js';

const RESOURCE = 'https://desk.example.com/mcp';

describe.each(WAYS)('Events and who calls, $wire on $adapter', ({ adapter, connect }) => {
  let issuer: TestIssuer;
  const running: AlertsApp[] = [];

  beforeAll(async () => {
    issuer = await TestIssuer.start();
  });

  afterEach(() => Promise.all(running.splice(0).map((app) => app.close())));
  afterAll(() => issuer.stop());

  async function boot({ events, auth }: Parameters<typeof bootAlerts>[0] = {}): Promise<AlertsApp> {
    const published = { resourceUri: RESOURCE, authorizationServers: [issuer.url], jwt: {} };
    const given = typeof auth === 'object' ? auth : {};
    const app = await bootAlerts({ adapter, auth: { ...published, ...given }, ...(events && { events }) });
    running.push(app);
    return app;
  }

  async function callAs(app: AlertsApp, sub: string, claims: object = {}): Promise<Caller> {
    return connect(app.url, await issuer.token({ sub, ...claims }));
  }

  it('are for callers with a token alone (EVT-01) (AUTH-01)', async () => {
    const server = await boot();
    const { status } = await sendHttp(server.url, {
      json: { jsonrpc: '2.0', id: 1, method: 'events/list' },
      headers: { accept: 'application/json, text/event-stream' },
    });
    expect(status).toBe(401);
  });

  it('reach two callers by the same cursor and arguments each as the source says (EVT-01)', async () => {
    const server = await boot();
    const [ada, bob] = [await callAs(server, 'ada'), await callAs(server, 'bob')];
    const { stream, active } = await openEvents(ada, { name: 'note.taken' });
    server.alerts.notes.next({ owner: 'bob', text: 'of bob' });
    server.alerts.notes.next({ owner: 'ada', text: 'of ada' });
    const asked = { name: 'note.taken', cursor: active['cursor'] };
    const polled = await bob('events/poll', asked).result();
    expect(await nextEvent(stream)).toMatchObject({ eventId: 'note of ada', data: { text: 'of ada' } });
    expect(textsOf(polled['events'] as [])).toEqual(['of bob']);
    expect(textsOf(eventsOf(stream.messages))).toEqual(['of ada']);
    await stream.close();
  });

  it('of a source with a scope need it, and the challenge asks for it (EVT-01) (AUTH-07)', async () => {
    const server = await boot();
    const [reader, writer] = [
      await callAs(server, 'ada', { scope: 'desk:read' }),
      await callAs(server, 'ada', { scope: 'desk:write' }),
    ];
    for (const method of ['events/poll', 'events/stream', 'events/subscribe']) {
      const { status, headers } = await reader(method, { name: 'audit.entry' }).answer();
      expect(status).toBe(403);
      expect(headers['www-authenticate']).toContain('scope="desk:write"');
    }
    expect(await writer('events/poll', { name: 'audit.entry' }).result()).toMatchObject({ events: [] });
  });

  it('of a source with a scope are told of in the metadata and in the first challenge (PRM-02) (STEP-06)', async () => {
    const server = await boot();
    const metadata = await sendHttp(`${server.origin}/.well-known/oauth-protected-resource/mcp`);
    const { headers } = await perRequest(server.url).request('events/list');
    expect(metadata.json).toMatchObject({ scopes_supported: ['desk:write'] });
    expect(headers['www-authenticate']).toContain('scope="desk:write"');
  });

  it('are listed as far as the caller may listen, where lists are filtered (EVT-01) (AUTH-07)', async () => {
    const server = await boot({ auth: { filterLists: true } });
    const list = async (scope: string) => {
      const { events } = await (await callAs(server, 'ada', { scope }))('events/list').result();
      return (events as { name: string }[]).map(({ name }) => name);
    };
    expect(await list('desk:read')).toEqual(['alert.fired', 'key.pressed', 'note.taken']);
    expect(await list('desk:write')).toContain('audit.entry');
  });

  it('are bounded for each caller, and one takes nothing from another (EVT-01)', async () => {
    const server = await boot({ events: { maxStreamsPerCaller: 1 } });
    const [ada, adaToo, bob] = [
      await callAs(server, 'ada'),
      await callAs(server, 'ada', { jti: 'another token' }),
      await callAs(server, 'bob'),
    ];
    const opened = await openEvents(ada, { name: 'key.pressed' });
    const { error } = await adaToo('events/stream', { name: 'alert.fired' }).answer();
    const other = await openEvents(bob, { name: 'key.pressed' });
    expect(error).toMatchObject({ code: -32013, data: { limit: 'subscriptions', max: 1 } });
    await Promise.all([opened.stream.close(), other.stream.close()]);
  });

  it('reach a webhook by what its caller may hear since it was refreshed (EVT-01)', async () => {
    const receiver = await WebhookReceiver.start();
    const webhooks = { allowPrivateAddresses: true, allowHttp: true };
    const server = await boot({ events: { webhooks } });
    const delivery = { mode: 'webhook', url: receiver.url, secret: WEBHOOK_SECRET };
    const subscribe = async (scope: string) => {
      const call = await callAs(server, 'ada', { scope });
      return call('events/subscribe', { name: 'note.taken', delivery }).result();
    };
    const first = await subscribe('team');
    server.alerts.notes.next({ owner: 'team', text: 'before' });
    await receiver.take(1);
    expect((await subscribe('none'))['id']).toBe(first['id']);
    server.alerts.notes.next({ owner: 'team', text: 'not any more' });
    server.alerts.notes.next({ owner: 'ada', text: 'still' });
    await receiver.take(2);
    expect(textsOf(receiver.received.map(({ json }) => json))).toEqual(['before', 'still']);
    await receiver.stop();
  });

  it('end with the token where that is wanted (EVT-01) (AUTH-05)', async () => {
    const server = await boot({ auth: { endStreamsWithToken: true } });
    const call = await callAs(server, 'ada', { exp: Math.floor(Date.now() / 1000) + 2 });
    const { stream } = await openEvents(call, { name: 'key.pressed' });
    await within(stream.ended, 'the end of the stream');
    await until(() => !server.alerts.keys.observed, 'the end of the subscription');
    expect(stream.isEnded).toBe(true);
  });
});

describe('A stream that ends with its token', () => {
  it('says so first, where it cannot be taken up again (EVT-01) (AUTH-05)', async () => {
    const issuer = await TestIssuer.start();
    const published = { resourceUri: RESOURCE, authorizationServers: [issuer.url], jwt: {} };
    const server = await bootAlerts({ auth: { ...published, endStreamsWithToken: true } });
    const token = await issuer.token({ exp: Math.floor(Date.now() / 1000) + 2 });
    const client = perRequest(server.url, { headers: authorize(token) });
    const { stream } = await openEvents(client.start, { name: 'key.pressed' });
    await within(stream.ended, 'the end of the stream');
    await Promise.all([server.close(), issuer.stop()]);
    expect(stream.messages.slice(1)).toMatchObject([
      { method: 'notifications/events/terminated', params: { error: { code: -32012 } } },
      { result: {} },
    ]);
  });
});
