import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventStream } from '../../support/clients/event-stream.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';
import { ProcessCluster } from '../../support/cluster/process-cluster.js';
import { until } from '../../support/until.js';

const LONG_MS = 30_000;
const NAME = 'news.reported';

let cluster: ProcessCluster;

beforeAll(async () => {
  cluster = await ProcessCluster.start();
}, 120_000);

afterAll(() => cluster.stop());

const client = (index: number) => perRequest(cluster.urlOf(index));
const report = (index: number, text: string) =>
  client(index).request('tools/call', { name: 'report', arguments: { text } });

const textOf = (event: JsonObject) => (event['data'] as JsonObject | undefined)?.['text'];

async function openEvents(index: number, params: JsonObject = {}): Promise<EventStream> {
  const stream = await client(index)
    .start('events/stream', { name: NAME, ...params })
    .stream();
  await stream.nextNotification('notifications/events/active', LONG_MS);
  return stream;
}

function eventsOf(stream: EventStream): JsonObject[] {
  return stream.messages.flatMap(({ method, params }) =>
    method === 'notifications/events/event' ? [params ?? {}] : [],
  );
}

async function poll(index: number, params: JsonObject = {}): Promise<JsonObject> {
  return client(index)
    .start('events/poll', { name: NAME, ...params })
    .result();
}

const textsOf = (polled: JsonObject) => (polled['events'] as JsonObject[]).map(textOf);

describe('Events of a source that is in several processes', () => {
  it('come on a stream of each, whichever they happened in, in one order and with one cursor (RELAY-09)', async () => {
    const streams = await Promise.all([0, 1, 2].map((index) => openEvents(index)));
    for (const index of [0, 1, 2, 0, 1, 2]) await report(index, `news ${index}`);
    await until(() => streams.every((stream) => eventsOf(stream).length >= 6), 'all events', LONG_MS);
    const [first, ...others] = streams.map((stream) =>
      eventsOf(stream).map(({ eventId, cursor, data }) => ({ eventId, cursor, data })),
    );
    for (const other of others) expect(other).toEqual(first);
    expect(first).toHaveLength(6);
    await Promise.all(streams.map((stream) => stream.close()));
  });

  it('are polled from any process, by a cursor of any other, in order and once (RELAY-09)', async () => {
    let { cursor } = await poll(0);
    const heard: unknown[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      await report((turn + 1) % 3, `polled ${turn}`);
      await until(
        async () => {
          const polled = await poll(turn % 3, { cursor });
          heard.push(...textsOf(polled));
          cursor = polled['cursor'];
          expect(polled['truncated'] ?? false).toBe(false);
          return heard.includes(`polled ${turn}`);
        },
        'an event',
        LONG_MS,
      );
    }
    expect(heard).toEqual([0, 1, 2, 3, 4, 5].map((turn) => `polled ${turn}`));
  });

  it('are taken up on a stream in another process (RELAY-09)', async () => {
    const first = await openEvents(0);
    await report(1, 'before');
    // A process that is a little late gives the stream what happened before it was opened, too.
    const findFirst = () => eventsOf(first).find((event) => textOf(event) === 'before');
    const { cursor } = await until(findFirst, 'the first', LONG_MS);
    await first.close();
    await report(2, 'meanwhile');
    const second = await openEvents(1, { cursor });
    await report(0, 'after');
    await until(() => eventsOf(second).length >= 2, 'the others', LONG_MS);
    expect(eventsOf(second).map(textOf)).toEqual(['meanwhile', 'after']);
    await second.close();
  });

  it('go on after the process in which they happened was killed (RELAY-09)', async () => {
    const { cursor } = await poll(1);
    await report(0, 'last words');
    await until(async () => textsOf(await poll(1, { cursor })).includes('last words'), 'the event', LONG_MS);
    await cluster.at(0).stop('SIGKILL');
    await report(2, 'life goes on');
    await until(
      async () => textsOf(await poll(1, { cursor })).join() === 'last words,life goes on',
      'both events',
      LONG_MS,
    );
    const { url } = await cluster.replace(0);
    const polled = await perRequest(url).start('events/poll', { name: NAME, cursor }).result();
    expect(textsOf(polled)).toEqual(['last words', 'life goes on']);
  }, 120_000);
});
