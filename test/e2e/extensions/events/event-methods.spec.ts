import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { metaKey } from '../../../support/clients/message.js';
import { initialize, perRequest } from '../../../support/clients/json-rpc.js';
import { WAYS, type Caller } from '../../../support/applications/protected-desk.js';
import { bootAlerts, nextEvent, openEvents, textsOf, type AlertsApp } from './alerts.app.js';

const EXTENSION = { 'io.nestjs-mcp/events': { specVersion: '2026-07-28', stability: 'experimental' } };

describe.each(WAYS)('The events extension, $wire on $adapter', ({ adapter, connect }) => {
  let server: AlertsApp;
  let call: Caller;

  beforeAll(async () => {
    server = await bootAlerts({ adapter, auth: 'none' });
    call = await connect(server.url);
  });

  afterAll(() => server.close());

  const fire = (...texts: readonly string[]) => server.alerts.fire(...texts);

  it('is declared as experimental, in both ways (EVT-01) (EXT-01)', async () => {
    const session = await initialize(server.url);
    const discovered = await perRequest(server.url).request('server/discover');
    for (const { capabilities } of [session.result, discovered.result ?? {}] as {
      capabilities?: unknown;
    }[]) {
      expect(capabilities).toMatchObject({ experimental: { events: {} }, extensions: EXTENSION });
    }
  });

  it('lists the sources with their schemas and ways of delivery (EVT-01)', async () => {
    const { events } = await call('events/list').result();
    expect(events).toMatchObject([
      {
        name: 'alert.fired',
        title: 'Alerts',
        description: 'Fires when something is wrong',
        delivery: ['push', 'poll'],
        inputSchema: { type: 'object', properties: { severity: { enum: ['high', 'low'] } } },
        payloadSchema: { type: 'object', required: ['severity', 'text'] },
      },
      {
        name: 'key.pressed',
        delivery: ['push'],
        cursorless: true,
        inputSchema: { type: 'object' },
        payloadSchema: { type: 'object' },
      },
      { name: 'note.taken' },
    ]);
  });

  it('polls what came after a cursor, page by page (EVT-01) (EXT-03)', async () => {
    const begun = await call('events/poll', { name: 'alert.fired', cursor: null }).result();
    fire('one', 'two', 'three');
    const page = await call('events/poll', {
      name: 'alert.fired',
      cursor: begun['cursor'],
      maxEvents: 2,
    }).result();
    const rest = await call('events/poll', {
      name: 'alert.fired',
      cursor: page['cursor'],
      maxEvents: 2,
    }).result();
    expect(begun).toMatchObject({ events: [], hasMore: false, truncated: false, nextPollMs: 5000 });
    expect(textsOf(page['events'] as [])).toEqual(['one', 'two']);
    expect(page).toMatchObject({ hasMore: true, truncated: false });
    expect(textsOf(rest['events'] as [])).toEqual(['three']);
    expect(rest).toMatchObject({ hasMore: false });
  });

  it('streams events with the id of the request, which its client can take up elsewhere (EVT-01)', async () => {
    const { call: started, stream, active } = await openEvents(call, { name: 'alert.fired' });
    const tag = { requestId: started.id, _meta: { [metaKey('subscriptionId')]: started.id } };
    fire('seen');
    const event = await nextEvent(stream);
    await stream.close();
    fire('missed', 'too');
    const polled = await call('events/poll', { name: 'alert.fired', cursor: event['cursor'] }).result();
    expect(active).toMatchObject({ ...tag, cursor: expect.any(String), truncated: false });
    expect(event).toMatchObject({ ...tag, name: 'alert.fired', data: { severity: 'high', text: 'seen' } });
    expect(new Date(String(event['timestamp'])).toISOString()).toBe(event['timestamp']);
    expect(textsOf(polled['events'] as [])).toEqual(['missed', 'too']);
  });

  it('sends a stream that comes with a cursor first what it missed, each once (EVT-01)', async () => {
    const { cursor } = await call('events/poll', { name: 'alert.fired' }).result();
    fire('before', 'between');
    const { stream, active } = await openEvents(call, { name: 'alert.fired', cursor });
    fire('after');
    const seen = [await nextEvent(stream), await nextEvent(stream), await nextEvent(stream)];
    await stream.close();
    expect(active).toMatchObject({ cursor, truncated: false });
    expect(textsOf(seen)).toEqual(['before', 'between', 'after']);
    expect(new Set(seen.map(({ eventId }) => eventId)).size).toBe(3);
  });

  it('gives each subscription what its arguments ask for (EVT-01)', async () => {
    const given = { name: 'alert.fired', arguments: { severity: 'low' } };
    const { cursor } = await call('events/poll', given).result();
    const { stream } = await openEvents(call, given);
    fire('loud');
    server.alerts.alerts.next({ severity: 'low', text: 'quiet' });
    const polled = await call('events/poll', { ...given, cursor }).result();
    expect(textsOf([await nextEvent(stream)])).toEqual(['quiet']);
    expect(textsOf(polled['events'] as [])).toEqual(['quiet']);
    await stream.close();
  });

  it('gives no cursors for a source that has none (EVT-01)', async () => {
    const { stream, active } = await openEvents(call, { name: 'key.pressed' });
    server.alerts.keys.next({ text: 'a' });
    expect(active).toMatchObject({ cursor: null, truncated: false });
    expect(await nextEvent(stream)).toMatchObject({ cursor: null, data: { text: 'a' } });
    await stream.close();
  });

  it.each([
    ['an event that there is not', { name: 'alert.lost' }, { code: -32011, data: { kind: 'event' } }],
    ['no name', {}, { code: -32602, message: expect.stringContaining('"name"') }],
    ['arguments that do not fit', { name: 'alert.fired', arguments: { severity: 'odd' } }, { code: -32602 }],
    ['arguments where there are none', { name: 'note.taken', arguments: { a: 1 } }, { code: -32602 }],
    ['a cursor that is no text', { name: 'alert.fired', cursor: 7 }, { code: -32602 }],
    ['an age that is none', { name: 'alert.fired', maxAgeMs: -1 }, { code: -32602 }],
  ])('refuses %s, polled or streamed (EVT-01)', async (_case, params, error) => {
    expect((await call('events/poll', params).answer()).error).toMatchObject(error);
    expect((await call('events/stream', params).answer()).error).toMatchObject(error);
  });

  it('refuses the cursor of another source (EVT-01)', async () => {
    const { cursor } = await call('events/poll', { name: 'alert.fired' }).result();
    const { error } = await call('events/poll', { name: 'note.taken', cursor }).answer();
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('"cursor"') });
  });

  it('sends to no webhook where that is not allowed (EVT-01)', async () => {
    const error = { code: -32014, data: { feature: 'deliveryMode', value: 'webhook' } };
    const params = {
      name: 'alert.fired',
      delivery: { mode: 'webhook', url: 'https://a.example/', secret: 'whsec_' },
    };
    expect((await call('events/subscribe', params).answer()).error).toMatchObject(error);
    expect((await call('events/unsubscribe', params).answer()).error).toMatchObject(error);
  });
});
