import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Subject } from 'rxjs';
import { WebhookPump } from '../../../../../lib/server/extensions/events/webhook-pump.js';
import { HttpDelivery } from '../../../../../lib/server/extensions/events/webhooks/http-delivery.js';
import type { WebhookChange } from '../../../../../lib/server/extensions/events/webhooks/webhook-delivery.interface.js';
import { WEBHOOKS } from '../../../../../lib/server/settings/extensions/events-options.js';
import { until } from '../../../../support/until.js';
import { WebhookReceiver, WEBHOOK_SECRET } from '../../../../support/webhook-receiver.js';
import { ANYBODY, buildFeed } from '../../../support/event-feed.js';

describe('WebhookPump', () => {
  let receiver: WebhookReceiver;
  let delivery: HttpDelivery;
  let changes: WebhookChange[];

  beforeEach(async () => {
    receiver = await WebhookReceiver.start();
    changes = [];
    delivery = new HttpDelivery(
      WEBHOOKS.build({
        allowPrivateAddresses: true,
        allowHttp: true,
        isTrusted: () => true,
        attempts: 1,
        suspendAfter: 1,
      }),
    );
    delivery.changes$.subscribe((change) => changes.push(change));
  });

  afterEach(async () => {
    await delivery.close();
    await receiver.stop();
  });

  const add = () => delivery.add({ id: 'sub_1', url: receiver.url, secret: WEBHOOK_SECRET });
  const happened = (kind: WebhookChange['kind']) =>
    until(() => changes.some((change) => change.kind === kind), `the change "${kind}"`);

  /** Begins a subscription of a source that a Subject feeds. */
  async function start(logSize?: number) {
    const values = new Subject<object>();
    const feed = buildFeed(values, {
      options: { filter: ({ n }, { arguments: { least = 0 } }) => Number(n) >= Number(least) },
      ...(logSize !== undefined && { limits: { logSize } }),
    });
    feed.start();
    await add();
    const pump = new WebhookPump(
      { id: 'sub_1', identity: 'ada', feed, recipient: ANYBODY, after: 0 },
      delivery,
    );
    pump.start();
    return { values, pump, feed };
  }

  const listNumbers = () =>
    receiver.received.flatMap(({ json }) => (json['data'] as { n?: number } | undefined)?.n ?? []);

  it('leaves in the log what comes while the receiver is suspended, and sends it from there (EVT-01)', async () => {
    const { values, pump } = await start();
    receiver.answer(500);
    values.next({ n: 1 });
    await happened('suspended');
    values.next({ n: 2 });
    values.next({ n: 3 });
    await add();
    await until(() => listNumbers().length === 3, 'what came meanwhile');
    expect(listNumbers()).toEqual([1, 2, 3]);
    pump.stop();
  });

  it('tells of a gap where the log lost what came meanwhile (EVT-01)', async () => {
    const { values, pump, feed } = await start(2);
    receiver.answer(500);
    values.next({ n: 1 });
    await happened('suspended');
    for (let n = 2; n <= 5; n += 1) values.next({ n });
    await add();
    await until(() => listNumbers().includes(5), 'what is left');
    const gaps = receiver.received.filter(({ json }) => json['type'] === 'gap');
    expect(listNumbers()).toEqual([1, 4, 5]);
    expect(gaps.at(-1)?.json['cursor']).toBe(feed.formatCursor(3));
    pump.stop();
  });

  it('goes by what the caller may hear since the last refresh (EVT-01)', async () => {
    const { values, pump } = await start();
    values.next({ n: 1 });
    pump.renew({ ...ANYBODY, arguments: { least: 3 } });
    values.next({ n: 2 });
    values.next({ n: 3 });
    await until(() => listNumbers().includes(3), 'what is still for the caller');
    expect(listNumbers()).toEqual([1, 3]);
    pump.stop();
  });

  it('gives nothing again to a receiver that is ahead of this process (RELAY-09)', async () => {
    const values = new Subject<object>();
    const feed = buildFeed(values);
    feed.start();
    for (const n of [1, 2]) values.next({ n });
    const known = feed.log.newest;
    await add();
    const parts = { id: 'sub_1', identity: 'ada', feed, recipient: ANYBODY, after: 0, known };
    const pump = new WebhookPump(parts, delivery);
    expect(pump.cursor).toBe(feed.formatCursor(2));
    pump.start();
    values.next({ n: 3 });
    await until(() => listNumbers().includes(3), 'what is still new');
    expect(listNumbers()).toEqual([3]);
    pump.stop();
  });

  it('sends what waits, and then a farewell, when the source has ended (EVT-01)', async () => {
    const { values } = await start();
    values.next({ n: 1 });
    values.complete();
    await happened('ended');
    await until(() => receiver.received.length === 2, 'the farewell');
    expect(receiver.received.map(({ json }) => json)).toMatchObject([
      { name: 'ticket.closed', data: { n: 1 }, cursor: expect.any(String) },
      { type: 'terminated', error: { code: -32011 } },
    ]);
  });
});
