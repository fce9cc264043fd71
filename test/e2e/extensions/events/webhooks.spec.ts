import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { EventsOptions } from 'nestjs-mcp';
import type { Answer } from '../../../support/clients/call.js';
import type { JsonObject } from '../../../support/clients/message.js';
import { CALLERS, WAYS, type Caller } from '../../../support/applications/protected-desk.js';
import { until } from '../../../support/until.js';
import { verifyWebhook, WebhookReceiver, WEBHOOK_SECRET } from '../../../support/webhook-receiver.js';
import { bootAlerts, textsOf, type AlertsApp } from './alerts.app.js';

/** What lets a test send to its own receiver. */
const LOOPBACK = { allowPrivateAddresses: true, allowHttp: true };

const UNKNOWN = { code: -32011, data: { kind: 'subscription' } };

describe.each(WAYS)('A webhook, $wire on $adapter', ({ adapter, connect }) => {
  let receiver: WebhookReceiver;
  const running: AlertsApp[] = [];

  beforeEach(async () => {
    receiver = await WebhookReceiver.start();
    receiver.behave((response, { json: { challenge } }) => response.end(JSON.stringify({ challenge })));
  });

  afterEach(async () => {
    await Promise.all(running.splice(0).map((app) => app.close()));
    await receiver.stop();
  });

  /** What came besides the question whether the receiver wants it at all. */
  const listDelivered = () => receiver.received.filter(({ json }) => json['type'] !== 'verification');

  /** Waits until so many messages have come. */
  async function take(count: number): Promise<ReturnType<typeof listDelivered>> {
    await until(() => listDelivered().length >= count, `${count} webhooks`, 30_000);
    return listDelivered();
  }

  async function boot(events: EventsOptions = {}, auth?: 'none'): Promise<AlertsApp> {
    const app = await bootAlerts({
      adapter,
      events: { webhooks: LOOPBACK, ...events },
      ...(auth && { auth }),
    });
    running.push(app);
    return app;
  }

  const callAs = (app: AlertsApp, who: keyof typeof CALLERS) => connect(app.url, CALLERS[who].token);

  function describeHook(rest: JsonObject = {}): JsonObject {
    const delivery = { mode: 'webhook', url: receiver.url, secret: WEBHOOK_SECRET };
    return { name: 'alert.fired', delivery, ...rest };
  }

  const subscribe = (call: Caller, rest?: JsonObject) =>
    call('events/subscribe', describeHook(rest)).result();
  const unsubscribe = (call: Caller, rest?: JsonObject) =>
    call('events/unsubscribe', describeHook(rest)).answer();

  it('is sent the events that come, signed, in the shape of the others (EVT-01)', async () => {
    const server = await boot();
    const call = await callAs(server, 'ada');
    const { events } = await call('events/list').result();
    const subscribed = await subscribe(call);
    server.alerts.fire('one', 'two');
    const received = await take(2);
    const [first] = received;
    expect(events).toContainEqual(expect.objectContaining({ delivery: ['push', 'poll', 'webhook'] }));
    expect(subscribed).toMatchObject({
      id: expect.stringMatching(/^sub_/),
      cursor: expect.any(String),
      truncated: false,
    });
    expect(new Date(String(subscribed['refreshBefore'])).getTime()).toBeGreaterThan(Date.now());
    expect(textsOf(received.map(({ json }) => json))).toEqual(['one', 'two']);
    expect(first?.json).toMatchObject({
      name: 'alert.fired',
      eventId: expect.any(String),
      cursor: expect.any(String),
    });
    expect(first?.headers).toMatchObject({
      'webhook-id': first?.json['eventId'],
      'x-mcp-subscription-id': subscribed['id'],
    });
    expect(await verifyWebhook(first!, WEBHOOK_SECRET)).toBe(true);
  });

  it('is refreshed by the same call, and is another with other arguments (EVT-01)', async () => {
    const server = await boot();
    const call = await callAs(server, 'ada');
    const first = await subscribe(call);
    const low = await subscribe(call, { arguments: { severity: 'low' } });
    server.alerts.fire('loud');
    await take(1);
    const again = await until(async () => {
      const refreshed = await subscribe(call, { ttlMs: 1, arguments: {} });
      return 'deliveryStatus' in refreshed && refreshed;
    }, 'the status of the delivery');
    expect(again).toMatchObject({ id: first['id'], deliveryStatus: { active: true, lastError: null } });
    expect(again['cursor']).not.toBe(first['cursor']);
    expect(low['id']).not.toBe(first['id']);
    expect(listDelivered()).toHaveLength(1);
  });

  it('that begins with a cursor is sent first what came since (EVT-01)', async () => {
    const server = await boot();
    const call = await callAs(server, 'ada');
    const { cursor } = await call('events/poll', { name: 'alert.fired' }).result();
    server.alerts.fire('missed', 'too');
    expect(await subscribe(call, { cursor })).toMatchObject({ cursor, truncated: false });
    expect(textsOf((await take(2)).map(({ json }) => json))).toEqual(['missed', 'too']);
  });

  it('is sent more than may wait at once, in order and without a gap (EVT-01)', async () => {
    const server = await boot();
    await subscribe(await callAs(server, 'ada'));
    const texts = Array.from({ length: 300 }, (_, count) => String(count));
    server.alerts.fire(...texts);
    expect(textsOf((await take(300)).map(({ json }) => json))).toEqual(texts);
  });

  it('is sent nothing any more once its caller unsubscribes, and nothing listens for it (EVT-01)', async () => {
    const server = await boot();
    const call = await callAs(server, 'ada');
    await subscribe(call, { name: 'key.pressed' });
    await subscribe(call);
    expect(server.alerts.keys.observed).toBe(true);
    expect((await unsubscribe(call, { name: 'key.pressed' })).error).toBeUndefined();
    expect(server.alerts.keys.observed).toBe(false);
    expect((await unsubscribe(call, { name: 'key.pressed' })).error).toMatchObject(UNKNOWN);
    server.alerts.keys.next({ key: 'unheard' });
    server.alerts.fire('heard');
    const [delivered, ...others] = await take(1);
    expect([delivered?.json['name'], others]).toEqual(['alert.fired', []]);
  });

  it('that fails says why when it is refreshed, and goes on with that (EVT-01)', async () => {
    const server = await boot({ webhooks: { ...LOOPBACK, attempts: 1, suspendAfter: 1 } });
    const call = await callAs(server, 'ada');
    await subscribe(call);
    receiver.answer(500);
    server.alerts.fire('lost');
    await take(1);
    const failed = await until(async () => {
      const { deliveryStatus } = (await subscribe(call)) as { deliveryStatus?: JsonObject };
      return deliveryStatus?.['lastError'] && deliveryStatus;
    }, 'the failure');
    server.alerts.fire('sent');
    const isSent = ({ json }: { json: JsonObject }) =>
      (json['data'] as JsonObject | undefined)?.['text'] === 'sent';
    await until(() => listDelivered().some(isSent), 'the next event');
    expect(failed).toMatchObject({ active: false, lastError: 'http_5xx', failedSince: expect.any(String) });
  });

  it('is out of reach of everybody else: theirs is another, and none is what they end (EVT-01)', async () => {
    const server = await boot();
    const [ada, bob] = [await callAs(server, 'ada'), await callAs(server, 'bob')];
    const own = await subscribe(ada);
    const refused = await unsubscribe(bob);
    const never = await unsubscribe(bob, { arguments: { severity: 'low' } });
    expect(refused.error).toMatchObject(UNKNOWN);
    expect(refused.error).toEqual(never.error);
    expect((await subscribe(bob))['id']).not.toBe(own['id']);
    await unsubscribe(bob);
    server.alerts.fire('still here');
    const [first] = await take(1);
    expect(first?.headers['x-mcp-subscription-id']).toBe(own['id']);
  });

  it('is one of few of each caller (EVT-01)', async () => {
    const server = await boot({ maxWebhooksPerCaller: 1 });
    const [ada, bob] = [await callAs(server, 'ada'), await callAs(server, 'bob')];
    await subscribe(ada);
    await subscribe(ada);
    const low = describeHook({ arguments: { severity: 'low' } });
    const { error } = await ada('events/subscribe', low).answer();
    expect(error).toMatchObject({ code: -32013, data: { limit: 'subscriptions', max: 1 } });
    await subscribe(bob);
    await unsubscribe(ada);
    expect((await ada('events/subscribe', low).answer()).error).toBeUndefined();
  });

  it.each([
    ['no delivery', { delivery: undefined }, { code: -32602 }],
    [
      'another way of delivery',
      { delivery: { mode: 'push' } },
      { code: -32014, data: { feature: 'deliveryMode', value: 'push' } },
    ],
    ['an id of the client', { id: 'sub_1' }, { code: -32602 }],
    ['an event that there is not', { name: 'alert.lost' }, { code: -32011, data: { kind: 'event' } }],
    ['arguments that do not fit', { arguments: { severity: 'odd' } }, { code: -32602 }],
    ['a weak secret', { delivery: { url: 'https://a.example/', secret: 'whsec_eA==' } }, { code: -32602 }],
  ])('is refused with %s, and takes no place (EVT-01)', async (_case, change, error) => {
    const server = await boot({ maxWebhooksPerCaller: 1 });
    const call = await callAs(server, 'ada');
    for (let count = 0; count < 3; count += 1) {
      expect((await call('events/subscribe', describeHook(change)).answer()).error).toMatchObject(error);
    }
    expect(await subscribe(call)).toHaveProperty('id');
  });

  it('is refused with the cursor of another event before its receiver is asked (EVT-01)', async () => {
    const server = await boot({ maxWebhooksPerCaller: 1 });
    const call = await callAs(server, 'ada');
    const { cursor } = await call('events/poll', { name: 'note.taken' }).result();
    const { error } = await call('events/subscribe', describeHook({ cursor })).answer();
    expect(error).toMatchObject({ code: -32602 });
    expect((await unsubscribe(call)).error).toMatchObject(UNKNOWN);
    expect(receiver.asked).toEqual([]);
    expect(await subscribe(call, { arguments: { severity: 'low' } })).toHaveProperty('id');
  });

  it('has its place while it begins, though the same call failed meanwhile (EVT-01)', async () => {
    const server = await boot({ maxWebhooksPerCaller: 1 });
    const call = await callAs(server, 'ada');
    const finish: (() => void)[] = [];
    receiver.confirm((response, { json: { challenge } }) =>
      finish.push(() => response.end(JSON.stringify({ challenge }))),
    );
    const slow = call('events/subscribe', describeHook()).answer();
    await until(() => finish.length === 1, 'the question');
    receiver.confirm((response) => response.end());
    expect((await call('events/subscribe', describeHook()).answer()).error).toMatchObject({ code: -32015 });
    const low = await call('events/subscribe', describeHook({ arguments: { severity: 'low' } })).answer();
    finish[0]?.();
    expect(low.error).toMatchObject({ code: -32013 });
    expect((await slow).error).toBeUndefined();
  });

  it('takes memory of its owner once it has begun, though the same call failed meanwhile (EVT-01) (FAIR-02)', async () => {
    const server = await bootAlerts({
      adapter,
      events: { webhooks: LOOPBACK },
      options: { memory: { maxBytesPerCaller: 150_000 } },
    });
    running.push(server);
    const call = await callAs(server, 'ada');
    const questions: ((isRight: boolean) => void)[] = [];
    receiver.confirm((response, { json: { challenge } }) =>
      questions.push((isRight) => response.end(JSON.stringify({ challenge: isRight ? challenge : '' }))),
    );
    /** Has two calls begin the same webhook, of which the first fails; gives what the other one came to. */
    const begin = async (path: string): Promise<Answer> => {
      const delivery = { mode: 'webhook', url: `${receiver.url}/${path}`, secret: WEBHOOK_SECRET };
      const start = () => call('events/subscribe', describeHook({ delivery })).answer();
      const asked = (count: number) => until(() => questions.length === count, `${count} questions`);
      questions.length = 0;
      const failing = start();
      await Promise.race([failing, asked(1)]);
      const answer = start();
      await Promise.race([answer, asked(2)]);
      questions[0]?.(false);
      await failing;
      questions[1]?.(true);
      return answer;
    };
    const statuses: number[] = [];
    for (let count = 0; count < 5; count += 1) statuses.push((await begin(String(count))).status);
    expect([statuses[0], statuses.at(-1)]).toEqual([200, 429]);
  });

  it('goes nowhere private where that is not allowed (EVT-01)', async () => {
    const server = await boot({ webhooks: true });
    const call = await callAs(server, 'ada');
    const delivery = { mode: 'webhook', url: 'https://127.0.0.1/', secret: WEBHOOK_SECRET };
    const { error } = await call('events/subscribe', describeHook({ delivery })).answer();
    expect(error).toMatchObject({ code: -32015 });
  });

  it('belongs to somebody, so an open server has none (EVT-01)', async () => {
    const server = await boot({}, 'none');
    const call = await connect(server.url);
    const { events } = await call('events/list').result();
    expect(JSON.stringify(events)).not.toContain('webhook');
    expect((await call('events/subscribe', describeHook()).answer()).error).toMatchObject({ code: -32012 });
    expect((await unsubscribe(call)).error).toMatchObject({ code: -32012 });
  });

  it('is sent what is queued when the server shuts down, and no farewell (EVT-01)', async () => {
    const server = await boot();
    await subscribe(await callAs(server, 'ada'));
    server.alerts.fire('last words');
    await server.close();
    expect(listDelivered().map(({ json }) => json['type'] ?? textsOf([json])[0])).toEqual(['last words']);
  });
});
