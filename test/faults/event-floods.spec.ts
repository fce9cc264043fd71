import { afterEach, describe, expect, it } from '@jest/globals';
import { ADAPTERS } from '../support/applications/boot.js';
import { EventStream } from '../support/clients/event-stream.js';
import { measureHeap } from '../support/heap.js';
import { perRequest, PER_REQUEST_VERSION } from '../support/clients/json-rpc.js';
import { metaKey, type JsonObject } from '../support/clients/message.js';
import { WAYS } from '../support/applications/protected-desk.js';
import { openHttp } from '../support/clients/raw-http.js';
import { SseClient } from '../support/clients/sse-client.js';
import { until } from '../support/until.js';
import {
  bootAlerts,
  eventsOf,
  openEvents,
  textsOf,
  type AlertsApp,
} from '../e2e/extensions/events/alerts.app.js';

const MEGABYTE = 1_048_576;
/** Short enough for no string of it to be an object of its own pages, which some machines take a hundred times as long to find. */
const TEXT = 'x'.repeat(49_152);
const FLOOD = 640;
const ALLOWED_GROWTH = 24 * MEGABYTE;

const SUBSCRIBERS = 1000;

const running: AlertsApp[] = [];

afterEach(() => Promise.all(running.splice(0).map((app) => app.close())));

async function boot(parts: Parameters<typeof bootAlerts>[0] = {}): Promise<AlertsApp> {
  const app = await bootAlerts({ auth: 'none', ...parts });
  running.push(app);
  return app;
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Lets a client read nothing while more comes than the server may keep, and then everything. */
async function flood({ alerts: { alerts, keys } }: AlertsApp, stream: EventStream): Promise<void> {
  const { socket } = stream.response;
  socket.pause();
  const before = measureHeap();
  for (let count = 1; count <= FLOOD; count += 1) {
    alerts.next({ severity: 'high', text: `${count} ${TEXT}` });
    keys.next({ text: `${count} ${TEXT}` });
    await turn();
  }
  expect(measureHeap() - before).toBeLessThan(ALLOWED_GROWTH);
  socket.resume();
  await stream.nextMessage(({ params }) => isNumber(params, FLOOD), 15_000);
}

/** The client has the first and the last, and knows where some are missing. */
function assertGap({ messages }: EventStream): void {
  const numbers = textsOf(eventsOf(messages)).map((text) => Number.parseInt(String(text), 10));
  const gaps = messages.filter(({ params }) => params?.['truncated'] === true);
  expect(numbers.length).toBeLessThan(FLOOD / 2);
  expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
  expect(gaps.length).toBeGreaterThan(0);
}

const SOURCES = [
  ['with cursors', 'alert.fired'],
  ['without cursors', 'key.pressed'],
] as const;

describe.each(WAYS)('A client that does not read its events, $wire on $adapter', ({ adapter, connect }) => {
  it.each(SOURCES)(
    'keeps its stream, is told of the gap, and costs no memory, %s (EVT-01) (HTTP-08)',
    async (_, name) => {
      const server = await boot({ adapter, events: { logCharacters: MEGABYTE } });
      const { stream } = await openEvents(await connect(server.url), { name });
      await flood(server, stream);
      assertGap(stream);
      expect(stream.isEnded).toBe(false);
      await stream.close();
    },
  );
});

describe('A client that does not read its events, over HTTP+SSE', () => {
  it.each(SOURCES)('keeps its stream and is told of the gap, %s (EVT-01) (HTTP-08)', async (_, name) => {
    const server = await boot({ events: { logCharacters: MEGABYTE }, options: { sse: true } });
    const client = await SseClient.connect(`${server.origin}/sse`);
    const id = await client.send('events/stream', { name });
    await client.stream.nextNotification('notifications/events/active');
    await flood(server, client.stream);
    assertGap(client.stream);
    await client.notify('notifications/cancelled', { requestId: id });
    await until(() => !server.alerts.keys.observed, 'the end of the subscription');
    await client.close();
  });
});

function isNumber(params: JsonObject | undefined, number: number): boolean {
  const text = (params?.['data'] as JsonObject | undefined)?.['text'];
  return typeof text === 'string' && text.startsWith(`${number} `);
}

describe.each(ADAPTERS)('A thousand subscribers on %s', (adapter) => {
  /** Opens a stream without waiting for anything but its head. */
  async function open(url: string, id: number): Promise<EventStream> {
    const _meta = {
      [metaKey('protocolVersion')]: PER_REQUEST_VERSION,
      [metaKey('clientCapabilities')]: {},
    };
    const response = await openHttp(url, {
      json: { jsonrpc: '2.0', id, method: 'events/stream', params: { name: 'key.pressed', _meta } },
      headers: {
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': PER_REQUEST_VERSION,
        'mcp-method': 'events/stream',
      },
    });
    return new EventStream(response);
  }

  it('all get every event, and one more is refused; when they leave, nothing is left (EVT-01) (SAFE-03)', async () => {
    const server = await boot({ adapter, events: { maxStreams: SUBSCRIBERS } });
    const streams: EventStream[] = [];
    for (let count = 0; count < SUBSCRIBERS; count += 50) {
      const some = Array.from({ length: 50 }, (_, index) => open(server.url, count + index));
      streams.push(...(await Promise.all(some)));
    }
    const refused = await perRequest(server.url).request('events/stream', { name: 'key.pressed' });
    expect(refused.error).toMatchObject({ code: -32013, data: { limit: 'subscriptions', max: SUBSCRIBERS } });
    for (const text of ['a', 'b', 'c']) server.alerts.keys.next({ text });
    await until(() => streams.every(({ messages }) => messages.length === 4), 'all events', 30_000);
    expect(streams.every(({ messages }) => textsOf(eventsOf(messages)).join('') === 'abc')).toBe(true);
    await Promise.all(streams.map((stream) => stream.close()));
    await until(() => !server.alerts.keys.observed, 'the end of all subscriptions', 30_000);
    const again = await open(server.url, 1);
    await again.nextNotification('notifications/events/active');
    await again.close();
  });
});
