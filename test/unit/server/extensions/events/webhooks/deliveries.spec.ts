import { afterEach, describe, expect, it } from '@jest/globals';
import { until } from '../../../../../support/until.js';
import { WEBHOOK_SECRET, verifyWebhook } from '../../../../../support/webhook-receiver.js';
import { WebhookFixture } from '../../../../support/webhook-fixture.js';

const OTHER_SECRET = `whsec_${Buffer.alloc(40, 5).toString('base64')}`;

describe('The delivery of events to webhooks', () => {
  let desk: WebhookFixture;

  afterEach(() => desk.close());

  it.each([
    ['HTTP', false],
    ['HTTPS', true],
  ])('sends an event by %s with a signature that is good (EVT-01)', async (_protocol, isSecure) => {
    desk = new WebhookFixture();
    const receiver = await desk.open('sub_1', { isSecure });
    const body = { name: 'ticket.closed', payload: { text: 'ü 😀 "quoted"' } };
    expect(desk.delivery.deliver('sub_1', { id: 'evt_1', body })).toBe(true);
    const [received] = await receiver.take(1);
    expect(received?.json).toEqual(body);
    expect(received?.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(String(received?.text))),
      host: `${isSecure ? 'localhost' : '127.0.0.1'}:${receiver.port}`,
      'webhook-id': 'evt_1',
      'x-mcp-subscription-id': 'sub_1',
    });
    const age = Date.now() / 1000 - Number(received?.headers['webhook-timestamp']);
    expect(age).toBeGreaterThanOrEqual(0);
    expect(age).toBeLessThan(10);
    expect(await verifyWebhook(received!, WEBHOOK_SECRET)).toBe(true);
    expect(await verifyWebhook(received!, OTHER_SECRET)).toBe(false);
    expect(await verifyWebhook({ ...received!, text: `${received?.text} ` }, WEBHOOK_SECRET)).toBe(false);
  });

  it('sends to the path and query of the URL (EVT-01)', async () => {
    desk = new WebhookFixture();
    const receiver = await desk.open();
    const url = `${receiver.url}/deep?key=a%20b#part`;
    await desk.delivery.add({ id: 'sub_2', url, secret: WEBHOOK_SECRET });
    desk.send(1, 1, 'sub_2');
    const [received] = await receiver.take(1);
    expect(received?.url).toBe('/hook/deep?key=a%20b');
  });

  it('keeps the order of events for each receiver, one at a time (EVT-01)', async () => {
    desk = new WebhookFixture();
    const receiver = await desk.open();
    let underWay = 0;
    let most = 0;
    receiver.behave((response, { json }) => {
      underWay += 1;
      most = Math.max(most, underWay);
      setTimeout(
        () => {
          underWay -= 1;
          response.end();
        },
        Number(json['n']) % 3,
      );
    });
    desk.send(1, 40);
    await receiver.take(40);
    expect(receiver.events).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    expect(most).toBe(1);
  });

  it('takes a connection of its own for each message, so that none is to an address of before (EVT-01)', async () => {
    desk = new WebhookFixture();
    const receiver = await desk.open();
    desk.send(1, 5);
    const received = await receiver.take(5);
    expect(new Set(received.map(({ remotePort }) => remotePort)).size).toBe(5);
  });

  it('does not let one receiver wait for another (EVT-01)', async () => {
    desk = new WebhookFixture();
    const silent = await desk.open('silent');
    const quick = await desk.open('quick');
    silent.behave(() => undefined);
    desk.send(1, 3, 'silent');
    await silent.take(1);
    desk.send(1, 20, 'quick');
    await quick.take(20);
    expect(silent.received).toHaveLength(1);
    expect(desk.delivery.findStatus('silent')).toMatchObject({ isActive: true, queued: 2 });
  });

  it('has no more requests under way than it may (EVT-01)', async () => {
    desk = new WebhookFixture({ maxRequests: 2 });
    const receivers = await Promise.all(['a', 'b', 'c', 'd'].map((id) => desk.open(id)));
    for (const receiver of receivers) receiver.behave(() => undefined);
    for (const id of ['a', 'b', 'c', 'd']) desk.send(1, 1, id);
    const count = () => receivers.reduce((sum, { received }) => sum + received.length, 0);
    await until(() => count() === 2, 'two requests');
    expect(desk.delivery.remove('a')).toBe(true);
    await until(() => count() === 3, 'the third request');
    expect(receivers.reduce((sum, { connections }) => sum + connections, 0)).toBeLessThanOrEqual(3);
  });

  it('signs with both secrets while one replaces the other (EVT-01)', async () => {
    desk = new WebhookFixture();
    const receiver = await desk.open();
    await desk.delivery.add({ id: 'sub_1', url: receiver.url, secret: OTHER_SECRET });
    desk.send(1);
    const [received] = await receiver.take(1);
    expect(await verifyWebhook(received!, WEBHOOK_SECRET)).toBe(true);
    expect(await verifyWebhook(received!, OTHER_SECRET)).toBe(true);
  });

  it('tells a receiver of what it was not sent, behind what it was (EVT-01)', async () => {
    desk = new WebhookFixture();
    const receiver = await desk.open();
    desk.send(1, 2);
    desk.delivery.skip('sub_1', '9');
    desk.send(10);
    const received = await receiver.take(4);
    expect(received.map(({ json }) => json)).toEqual([
      { n: 1 },
      { n: 2 },
      { type: 'gap', cursor: '9' },
      { n: 10 },
    ]);
    expect(await verifyWebhook(received[2]!, WEBHOOK_SECRET)).toBe(true);
  });

  it('queues nothing for a subscription that it does not have (EVT-01)', () => {
    desk = new WebhookFixture();
    expect(desk.send(1)).toBe(false);
    expect(desk.delivery.findStatus('sub_1')).toBeUndefined();
    expect(desk.delivery.remove('sub_1')).toBe(false);
    expect(() => desk.delivery.skip('sub_1')).not.toThrow();
  });
});
