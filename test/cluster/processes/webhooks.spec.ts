import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { perRequest } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';
import { ProcessCluster } from '../../support/cluster/process-cluster.js';
import { until } from '../../support/until.js';
import { WebhookReceiver, WEBHOOK_SECRET } from '../../support/webhook-receiver.js';

const LONG_MS = 60_000;

let cluster: ProcessCluster;
let receiver: WebhookReceiver;

beforeEach(async () => {
  cluster = await ProcessCluster.start({ environment: { AUTH: '1' } });
  receiver = await WebhookReceiver.start();
}, 120_000);

afterEach(async () => {
  await cluster.stop();
  await receiver.stop();
});

const headers = { authorization: 'Bearer token-of-ada-0123456789' };
const client = (index: number) => perRequest(cluster.urlOf(index), { headers });
const hook = () => ({
  name: 'news.reported',
  delivery: { mode: 'webhook', url: receiver.url, secret: WEBHOOK_SECRET },
});
const subscribe = (index: number) => client(index).start('events/subscribe', hook()).result();

async function report(index: number, ...texts: string[]): Promise<void> {
  for (const text of texts) {
    await client(index).start('tools/call', { name: 'report', arguments: { text } }).result();
  }
}

/** What was reported to the receiver, in the order in which it came. */
function listTexts(): unknown[] {
  return receiver.received.flatMap(({ json }) =>
    json['data'] === undefined ? [] : [(json['data'] as JsonObject)['text']],
  );
}

describe('A webhook of a server of several processes', () => {
  it('is sent what happens in any of them, once and in order (RELAY-09)', async () => {
    await subscribe(0);
    for (const index of [0, 1, 2]) await report(index, `${index} a`, `${index} b`);
    await until(() => listTexts().length >= 6, 'all events', LONG_MS);
    await report(1, 'last');
    await until(() => listTexts().includes('last'), 'the last', LONG_MS);
    expect(listTexts()).toHaveLength(7);
    expect(new Set(listTexts())).toEqual(new Set(['0 a', '0 b', '1 a', '1 b', '2 a', '2 b', 'last']));
    expect(new Set(receiver.received.map((each) => each.headers['webhook-id'])).size).toBe(7);
  });

  it('is one, though it is refreshed in another, and ended in a third (RELAY-09)', async () => {
    const { id } = await subscribe(0);
    expect((await subscribe(1))['id']).toBe(id);
    await report(2, 'once');
    await until(() => listTexts().length > 0, 'the event', LONG_MS);
    await client(2).start('events/unsubscribe', hook()).result();
    await report(0, 'never');
    await subscribe(1);
    await report(0, 'then');
    await until(() => listTexts().includes('then'), 'the next', LONG_MS);
    expect(listTexts()).toEqual(['once', 'then']);
  });

  it('is sent all, though the process that sends is killed (RELAY-09)', async () => {
    await subscribe(0);
    await report(0, 'first');
    await until(() => listTexts().length > 0, 'the first', LONG_MS);
    await cluster.at(0).stop('SIGKILL');
    await report(1, 'second');
    await report(2, 'third');
    await until(() => listTexts().includes('third'), 'all events', LONG_MS);
    // What was sent when its sender died may be sent again, under the same id.
    expect([...new Set(listTexts())]).toEqual(['first', 'second', 'third']);
  });
});
