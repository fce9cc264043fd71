import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Client,
  StreamableHTTPClientTransport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { McpInMemoryConnector } from 'nestjs-mcp';
import { z } from 'zod';
import { until } from '../../../support/until.js';
import { bootAlerts, textsOf, type AlertsApp } from './alerts.app.js';

const Anything = z.looseObject({});
const MODES: readonly (readonly [version: string, mode: VersionNegotiationMode])[] = [
  ['2025-11-25', 'legacy'],
  ['2026-07-28', { pin: '2026-07-28' }],
];

describe.each(MODES)('The official client v2 with %s', (_version, mode) => {
  let server: AlertsApp;
  let client: Client;
  const heard = { active: [] as object[], event: [] as object[] };

  beforeAll(async () => {
    server = await bootAlerts({ auth: 'none' });
    client = new Client({ name: 'listener', version: '2.0.0' }, { versionNegotiation: { mode } });
    for (const kind of ['active', 'event'] as const) {
      const method = `notifications/events/${kind}`;
      client.setNotificationHandler(method, { params: Anything }, (params) => void heard[kind].push(params));
    }
    await client.connect(new StreamableHTTPClientTransport(new URL(server.url)));
  });

  afterAll(async () => {
    await client.close();
    await server.close();
  });

  it('learns of the extension, and lists and polls events (EVT-01)', async () => {
    const { events } = await client.request(
      { method: 'events/list' },
      z.looseObject({ events: z.array(Anything) }),
    );
    const params = { name: 'alert.fired' };
    const { cursor } = await client.request({ method: 'events/poll', params }, Anything);
    server.alerts.fire('polled');
    const polled = await client.request({ method: 'events/poll', params: { ...params, cursor } }, Anything);
    expect(client.getServerCapabilities()).toMatchObject({ experimental: { events: {} } });
    expect(events.map(({ name }) => name)).toContain('alert.fired');
    expect(textsOf(polled['events'] as [])).toEqual(['polled']);
  });

  it('hears events by its own handlers until it cancels, and then nothing listens (EVT-01)', async () => {
    const stop = new AbortController();
    const request = { method: 'events/stream', params: { name: 'key.pressed' } };
    const streaming = client.request(request, Anything, { signal: stop.signal }).catch(() => undefined);
    await until(() => heard.active.length > 0, 'the confirmation');
    server.alerts.keys.next({ text: 'heard' });
    await until(() => heard.event.length > 0, 'the event');
    expect(heard.event).toEqual([
      expect.objectContaining({ name: 'key.pressed', requestId: expect.anything() }),
    ]);
    expect(textsOf(heard.event)).toEqual(['heard']);
    stop.abort();
    await streaming;
    await until(() => !server.alerts.keys.observed, 'the end of the subscription');
  });
});

describe('The official client v2 in the same process, over a pipe', () => {
  it('follows two sources at once, each by the id of its request (EVT-01)', async () => {
    const server = await bootAlerts({ auth: 'none' });
    const client = new Client({ name: 'listener', version: '2.0.0' });
    const active: unknown[] = [];
    client.setNotificationHandler(
      'notifications/events/active',
      { params: Anything },
      (params) => void active.push(params),
    );
    const heard: { readonly [name: string]: unknown }[] = [];
    client.setNotificationHandler(
      'notifications/events/event',
      { params: Anything },
      (params) => void heard.push(params),
    );
    await client.connect(await server.app.get(McpInMemoryConnector).connect());
    const stop = new AbortController();
    const streaming = ['key.pressed', 'alert.fired'].map((name) =>
      client
        .request({ method: 'events/stream', params: { name } }, Anything, { signal: stop.signal })
        .catch(() => undefined),
    );
    await until(() => active.length === 2, 'both confirmations');
    server.alerts.keys.next({ text: 'key' });
    server.alerts.fire('alert');
    await until(() => heard.length === 2, 'both events');
    expect(textsOf(heard)).toEqual(['key', 'alert']);
    expect(heard[0]?.['requestId']).not.toBe(heard[1]?.['requestId']);
    stop.abort();
    await Promise.all(streaming);
    await until(() => !server.alerts.keys.observed, 'the end of the subscription');
    await client.close();
    await server.close();
  });
});
