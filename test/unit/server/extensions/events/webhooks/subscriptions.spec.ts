import { afterEach, describe, expect, it } from '@jest/globals';
import { until, within } from '../../../../../support/until.js';
import { WEBHOOK_SECRET, verifyWebhook } from '../../../../../support/webhook-receiver.js';
import { WebhookFixture } from '../../../../support/webhook-fixture.js';

const ANYWHERE = { url: 'https://127.0.0.1:9/', secret: WEBHOOK_SECRET };

describe('A webhook subscription', () => {
  let desk: WebhookFixture;

  afterEach(() => desk.close());

  it('is suspended after repeated failure and sent nothing more (EVT-01)', async () => {
    desk = new WebhookFixture({ attempts: 1, suspendAfter: 3 });
    const receiver = await desk.open();
    receiver.behave((response) => response.writeHead(500).end());
    desk.send(1, 10);
    expect(await desk.changed('suspended')).toMatchObject({ id: 'sub_1', problem: 'http_5xx' });
    const count = receiver.received.length;
    expect(count).toBe(3);
    expect(desk.lost).toBe(10);
    expect(desk.send(11)).toBe(false);
    expect(desk.lost).toBe(11);
    expect(desk.delivery.findStatus('sub_1')).toMatchObject({
      isActive: false,
      lastError: 'http_5xx',
      failedSince: expect.any(Number),
      queued: 1,
    });
    expect(receiver.received).toHaveLength(count);
  });

  it('is not suspended by failures with a success between them (EVT-01)', async () => {
    desk = new WebhookFixture({ attempts: 1, suspendAfter: 2 });
    const receiver = await desk.open();
    receiver.behave((response, { json }) => response.writeHead('n' in json ? 500 : 200).end());
    for (let n = 1; n <= 6; n += 1) {
      desk.send(n);
      await until(() => desk.lost === n, 'a lost event');
    }
    expect(desk.kinds).not.toContain('suspended');
  });

  it('is not tried again by itself because of one event (EVT-01)', async () => {
    desk = new WebhookFixture({ attempts: 2 });
    const receiver = await desk.open();
    receiver.behave((response) => response.writeHead(500).end());
    desk.send(1);
    await until(() => desk.lost === 1, 'a lost event');
    const quiet = await desk.open('quiet');
    desk.send(1, 5, 'quiet');
    await quiet.take(5);
    expect(receiver.received).toHaveLength(2);
  });

  it('is resumed when it is added again, and told first what it lost (EVT-01)', async () => {
    desk = new WebhookFixture({ attempts: 1, suspendAfter: 1 });
    const receiver = await desk.open();
    receiver.answer(500);
    desk.send(1, 3);
    await desk.changed('suspended');
    desk.send(4);
    const status = await desk.delivery.add({ id: 'sub_1', url: receiver.url, secret: WEBHOOK_SECRET });
    expect(status).toMatchObject({ isActive: true });
    expect(status).not.toHaveProperty('lastError');
    expect(desk.send(5)).toBe(true);
    const received = await receiver.take(3);
    expect(received.map(({ json }) => json)).toEqual([{ n: 1 }, { type: 'gap', cursor: '4' }, { n: 5 }]);
    expect(desk.kinds).toEqual(['added', 'lost', 'suspended', 'lost', 'refreshed', 'resumed']);
  });

  it('is told what it lost when it is resumed, without another event (EVT-01)', async () => {
    desk = new WebhookFixture({ attempts: 1, suspendAfter: 1 });
    const receiver = await desk.open();
    receiver.answer(500);
    desk.send(1);
    await desk.changed('suspended');
    await desk.delivery.add({ id: 'sub_1', url: receiver.url, secret: WEBHOOK_SECRET });
    const [, told] = await receiver.take(2);
    expect(told?.json).toEqual({ type: 'gap', cursor: '1' });
  });

  it('loses the oldest events of a full queue and tells the receiver (EVT-01)', async () => {
    desk = new WebhookFixture({ maxQueued: 5 });
    const receiver = await desk.open();
    let release: () => void = () => undefined;
    receiver.behave((response) => (release = () => response.end()));
    desk.send(1);
    await receiver.take(1);
    desk.send(2, 1000);
    expect(desk.delivery.findStatus('sub_1')).toMatchObject({ queued: 6 });
    expect(desk.lost).toBe(994);
    receiver.answer();
    release();
    const received = await receiver.take(7);
    expect(received[1]?.json).toEqual({ type: 'gap', cursor: '995' });
    expect(receiver.events).toEqual([1, 996, 997, 998, 999, 1000]);
  });

  it('loses an event that is too large (EVT-01)', async () => {
    desk = new WebhookFixture({ maxBodyBytes: 100 });
    const receiver = await desk.open();
    const body = { n: 1, text: 'x'.repeat(100) };
    desk.delivery.deliver('sub_1', { id: 'evt_1', body, cursor: '1' });
    desk.send(2);
    expect((await receiver.take(2)).map(({ json }) => json)).toEqual([
      { type: 'gap', cursor: '1' },
      { n: 2 },
    ]);
    expect(desk.lost).toBe(1);
  });

  it('ends when its time is over, and begins anew when it is added again (EVT-01)', async () => {
    desk = new WebhookFixture({ ttlMs: 60_000 });
    const before = Date.now();
    const { expiresAt } = await desk.delivery.add({ ...ANYWHERE, id: 'sub_1' });
    expect(expiresAt - before).toBeGreaterThanOrEqual(60_000);
    expect(expiresAt - before).toBeLessThan(70_000);
    await desk.delivery.add({ ...ANYWHERE, id: 'sub_1', ttlMs: 20 });
    expect(await desk.changed('ended')).toMatchObject({ id: 'sub_1', reason: 'expired' });
    expect(desk.delivery.findStatus('sub_1')).toBeUndefined();
    await desk.delivery.add({ ...ANYWHERE, id: 'sub_1' });
    expect(desk.kinds).toEqual(['added', 'refreshed', 'ended', 'added']);
  });

  it('does not end at its former time once it was added again (EVT-01)', async () => {
    desk = new WebhookFixture();
    await desk.delivery.add({ ...ANYWHERE, id: 'sub_1', ttlMs: 20 });
    await desk.delivery.add({ ...ANYWHERE, id: 'sub_1', ttlMs: 60_000 });
    await desk.delivery.add({ ...ANYWHERE, id: 'sub_2', ttlMs: 40 });
    expect(await desk.changed('ended')).toMatchObject({ id: 'sub_2' });
    expect(desk.delivery.findStatus('sub_1')).toBeDefined();
  });

  it.each([
    [1, 300_000],
    [400_000, 400_000],
    [2 ** 53, 86_400_000],
    [undefined, 3_600_000],
  ])('that asks for %j ms lives %i ms (EVT-01)', async (ttlMs, lived) => {
    desk = new WebhookFixture({ minTtlMs: 300_000 });
    const { expiresAt } = await desk.delivery.add({ ...ANYWHERE, id: 'sub_1', ttlMs });
    expect(Math.abs(expiresAt - Date.now() - lived)).toBeLessThan(5000);
  });

  it('ends when it is removed, with its last word where there is one (EVT-01)', async () => {
    desk = new WebhookFixture();
    const receiver = await desk.open();
    receiver.behave(() => undefined);
    desk.send(1, 5);
    await receiver.take(1);
    receiver.answer();
    expect(desk.delivery.remove('sub_1', { code: -32012, message: 'The token was revoked' })).toBe(true);
    const [, farewell] = await receiver.take(2);
    expect(farewell?.json).toEqual({
      type: 'terminated',
      error: { code: -32012, message: 'The token was revoked' },
    });
    expect(farewell?.headers['webhook-id']).toMatch(/^msg_terminated_[\w-]{16}$/);
    expect(await verifyWebhook(farewell!, WEBHOOK_SECRET)).toBe(true);
    expect(await desk.changed('ended')).toMatchObject({ reason: 'removed' });
    await until(() => receiver.connections === 0, 'the end of the connections');
    expect(receiver.events).toEqual([1]);
  });

  it('is finished once what is queued was sent, and its last word comes last (EVT-01)', async () => {
    desk = new WebhookFixture();
    const receiver = await desk.open();
    desk.send(1, 5);
    expect(desk.delivery.finish('sub_1', { code: -32603, message: 'The source has ended' })).toBe(true);
    expect(desk.delivery.findStatus('sub_1')).toBeDefined();
    const received = await receiver.take(6);
    expect(receiver.events).toEqual([1, 2, 3, 4, 5]);
    expect(received[5]?.json).toMatchObject({ type: 'terminated' });
    expect(desk.changes.at(-1)).toMatchObject({ kind: 'ended', reason: 'removed' });
    expect(desk.lost).toBe(0);
  });

  it('is finished at once where nothing is queued, and where what is queued was given up (EVT-01)', async () => {
    desk = new WebhookFixture();
    const receiver = await desk.open();
    receiver.behave((response) => response.writeHead(500).end());
    await desk.open('quiet');
    expect(desk.delivery.finish('quiet')).toBe(true);
    expect(desk.delivery.finish('quiet')).toBe(false);
    desk.send(1);
    desk.delivery.finish('sub_1');
    await until(() => desk.delivery.findStatus('sub_1') === undefined, 'the end');
    expect(desk.lost).toBe(1);
    expect(receiver.received).toHaveLength(3);
  });

  it('is refreshed by its owner alone (EVT-01)', async () => {
    desk = new WebhookFixture();
    await desk.delivery.add({ ...ANYWHERE, id: 'sub_1', owner: 'alice' });
    for (const owner of ['bob', undefined]) {
      await expect(desk.delivery.add({ ...ANYWHERE, id: 'sub_1', owner })).rejects.toThrow(
        'a different "owner"',
      );
    }
    await desk.delivery.add({ ...ANYWHERE, id: 'sub_1', owner: 'alice' });
    expect(desk.changes.map(({ owner }) => owner)).toEqual(['alice', 'alice']);
  });

  it('is refused beyond the bound, and refreshed within it (EVT-01)', async () => {
    desk = new WebhookFixture({ maxSubscriptions: 2 });
    const ids = ['a', 'b', 'c', 'd'];
    const added = await Promise.allSettled(ids.map((id) => desk.delivery.add({ ...ANYWHERE, id })));
    expect(added.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
    await expect(desk.delivery.add({ ...ANYWHERE, id: 'c' })).rejects.toMatchObject({
      code: -32013,
      data: { limit: 'subscriptions' },
    });
    await desk.delivery.add({ ...ANYWHERE, id: 'a' });
    desk.delivery.remove('a');
    await desk.delivery.add({ ...ANYWHERE, id: 'c' });
  });

  it.each(['', 'two words', 'line\nbreak', 'ü', 'x'.repeat(257)])(
    'cannot have the id %j, which is no header (EVT-01)',
    async (id) => {
      desk = new WebhookFixture();
      await expect(desk.delivery.add({ ...ANYWHERE, id })).rejects.toThrow(RangeError);
    },
  );

  it('is refused with a secret that is none (EVT-01)', async () => {
    desk = new WebhookFixture();
    const added = desk.delivery.add({ ...ANYWHERE, id: 'sub_1', secret: 'whsec_short' });
    await expect(within(added, 'a refusal')).rejects.toMatchObject({ code: -32602 });
  });
});
