import { memoryCluster, type MemoryCluster } from 'nestjs-mcp/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { EventsOptions } from 'nestjs-mcp';
import { authorize, CALLERS } from '../../../support/applications/protected-desk.js';
import { perRequest } from '../../../support/clients/json-rpc.js';
import { Intruder } from '../../../support/cluster/intruder.js';
import type { JsonObject } from '../../../support/clients/message.js';
import { until } from '../../../support/until.js';
import { WebhookReceiver, WEBHOOK_SECRET } from '../../../support/webhook-receiver.js';
import { textsOf, type AlertsApp } from '../../../e2e/extensions/events/alerts.app.js';
import { bootAlertsDesks } from './alerts-desks.js';

const LOOPBACK = { allowPrivateAddresses: true, allowHttp: true, backoffMs: 10 };

describe('The webhooks of a server of several processes', () => {
  let receiver: WebhookReceiver;
  let cluster: MemoryCluster;
  let desks: AlertsApp[];

  beforeEach(async () => {
    receiver = await WebhookReceiver.start();
    cluster = memoryCluster();
    desks = [];
  });

  afterEach(async () => {
    await Promise.all(desks.map((desk) => desk.close()));
    await receiver.stop();
  });

  async function boot(count = 3, events: EventsOptions = {}): Promise<void> {
    const parts = {
      cluster,
      auth: { bearer: Object.values(CALLERS) },
      events: { webhooks: LOOPBACK, ...events },
    };
    desks.push(...(await bootAlertsDesks(count, parts)));
  }

  const call = (desk: number, method: string, rest: JsonObject = {}, who: keyof typeof CALLERS = 'ada') => {
    const client = perRequest(desks[desk]?.url ?? '', { headers: authorize(CALLERS[who].token) });
    const delivery = { mode: 'webhook', url: receiver.url, secret: WEBHOOK_SECRET };
    return client.request(method, { name: 'alert.fired', delivery, ...rest });
  };
  const texts = () => textsOf(receiver.received.map(({ json }) => json));

  it('are sent once, whichever process takes the subscription and whichever emits (RELAY-09)', async () => {
    await boot();
    for (const desk of [0, 1, 2]) {
      const { result } = await call(desk, 'events/subscribe');
      expect(result).toMatchObject({ id: expect.stringMatching(/^sub_/), truncated: false });
    }
    expect(receiver.asked).toHaveLength(1);
    const wanted = Array.from({ length: 30 }, (_, count) => `${count}`);
    for (const [count, text] of wanted.entries()) desks[count % 3]?.alerts.fire(text);
    await receiver.take(30);
    expect(texts()).toHaveLength(30);
    expect(new Set(texts())).toEqual(new Set(wanted));
    desks[1]?.alerts.fire('last');
    await receiver.take(31);
    expect(texts().at(-1)).toBe('last');
  });

  it('end wherever their caller ends them, and for that caller alone (RELAY-09)', async () => {
    await boot();
    await call(1, 'events/subscribe');
    await call(2, 'events/subscribe', {}, 'bob');
    const unknown = { code: -32011, data: { kind: 'subscription' } };
    expect((await call(0, 'events/unsubscribe', {}, 'eve')).error).toMatchObject(unknown);
    expect((await call(2, 'events/unsubscribe')).error).toBeUndefined();
    expect((await call(1, 'events/unsubscribe')).error).toMatchObject(unknown);
    desks[0]?.alerts.fire('heard');
    await receiver.take(1);
    desks[0]?.alerts.fire('too');
    await receiver.take(2);
    expect(texts()).toEqual(['heard', 'too']);
  });

  it('are refused as they would be by one process: bounds, receivers and scopes (RELAY-09)', async () => {
    await boot(2, { maxWebhooksPerCaller: 1, webhooks: { allowHttp: true } });
    for (const desk of [0, 1]) {
      expect((await call(desk, 'events/subscribe')).error).toMatchObject({ code: -32015 });
    }
    await Promise.all(desks.splice(0).map((desk) => desk.close()));
    cluster = memoryCluster();
    await boot(2, { maxWebhooksPerCaller: 1 });
    expect((await call(0, 'events/subscribe')).error).toBeUndefined();
    const { error } = await call(1, 'events/subscribe', { arguments: { severity: 'low' } });
    expect(error).toMatchObject({ code: -32013, data: { limit: 'subscriptions', max: 1 } });
  });

  it('find who sends, although somebody else has written over the record that says it (RELAY-12)', async () => {
    await boot(2);
    const { connection } = await Intruder.join(cluster);
    await until(() => connection.find('webhooks'), 'the record');
    const rubbish = { key: 'webhooks', isWhole: true, set: { sender: 'rubbish' } };
    await connection.change({ ...rubbish, expires: Date.now() + 60_000 });
    for (const desk of [0, 1]) expect((await call(desk, 'events/subscribe')).error).toBeUndefined();
    desks[0]?.alerts.fire('once');
    await receiver.take(1);
    expect(receiver.asked).toHaveLength(1);
  });

  it('are sent on by another process when the one that sends ends: in order, and each once (RELAY-09)', async () => {
    await boot(1);
    await call(0, 'events/subscribe');
    desks[0]?.alerts.fire('one', 'two');
    await receiver.take(2);
    await boot(1);
    const [first] = desks;
    desks = desks.slice(1);
    await first?.close();
    desks[0]?.alerts.fire('three');
    await receiver.take(3);
    desks[0]?.alerts.fire('four');
    await receiver.take(4);
    expect(texts()).toEqual(['one', 'two', 'three', 'four']);
    expect(receiver.asked).toHaveLength(1);
    const { result } = await call(0, 'events/subscribe');
    expect(result).toMatchObject({ deliveryStatus: { active: true } });
    expect((await call(0, 'events/unsubscribe')).error).toBeUndefined();
  });

  it('are taken up behind the last event that their receiver has, after all processes were away (RELAY-09)', async () => {
    await boot(1);
    await call(0, 'events/subscribe');
    desks[0]?.alerts.fire('one');
    await receiver.take(1);
    await Promise.all(desks.splice(0).map((desk) => desk.close()));
    await boot(1);
    desks[0]?.alerts.fire('two');
    await receiver.take(2);
    expect(texts()).toEqual(['one', 'two']);
  });
});
