import { afterEach, describe, expect, it } from '@jest/globals';
import { until, within } from '../../../../../support/until.js';
import { WEBHOOK_SECRET } from '../../../../../support/webhook-receiver.js';
import { WebhookFixture } from '../../../../support/webhook-fixture.js';

describe('The end of the delivery to webhooks', () => {
  let desk: WebhookFixture;

  afterEach(() => desk.close());

  it('comes once what is queued was sent (EVT-01)', async () => {
    desk = new WebhookFixture({ closeTimeoutMs: 5000 });
    const receiver = await desk.open();
    receiver.behave((response) => setTimeout(() => response.end(), 5));
    desk.send(1, 10);
    await within(desk.delivery.close(), 'the end');
    expect(receiver.events).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(desk.changes.at(-1)).toMatchObject({ kind: 'ended', reason: 'closed' });
  });

  it('is not later than it may be, whatever receivers do (EVT-01)', async () => {
    desk = new WebhookFixture({ closeTimeoutMs: 100, timeoutMs: 60_000 });
    const receivers = await Promise.all(['a', 'b', 'c'].map((id) => desk.open(id)));
    for (const receiver of receivers) receiver.behave(() => undefined);
    for (const id of ['a', 'b', 'c']) desk.send(1, 5, id);
    await Promise.all(receivers.map((receiver) => receiver.take(1)));
    const begun = performance.now();
    await within(desk.delivery.close(), 'the end');
    expect(performance.now() - begun).toBeLessThan(2000);
    await until(() => receivers.every(({ connections }) => connections === 0), 'the end of the connections');
    expect(desk.kinds.filter((kind) => kind === 'ended')).toHaveLength(3);
  });

  it('does not wait for another attempt, nor begin one where the first failed (EVT-01)', async () => {
    desk = new WebhookFixture({ closeTimeoutMs: 5000, backoffMs: 60_000, maxBackoffMs: 60_000 });
    const receiver = await desk.open();
    receiver.behave((response) => response.writeHead(500).end());
    desk.send(1, 5);
    await receiver.take(1);
    const begun = performance.now();
    await within(desk.delivery.close(), 'the end');
    expect(performance.now() - begun).toBeLessThan(2000);
    expect(receiver.received).toHaveLength(1);
    expect(desk.lost).toBe(5);
  });

  it('waits for a last word, and cuts it off where it takes too long (EVT-01)', async () => {
    desk = new WebhookFixture({ closeTimeoutMs: 100, timeoutMs: 60_000 });
    const receiver = await desk.open();
    receiver.behave(() => undefined);
    desk.delivery.remove('sub_1', { code: -32603, message: 'The source has ended' });
    await receiver.take(1);
    const begun = performance.now();
    await within(desk.delivery.close(), 'the end');
    expect(performance.now() - begun).toBeGreaterThanOrEqual(95);
    await until(() => receiver.connections === 0, 'the end of the connections');
  });

  it('comes with no more last words under way than it may have (EVT-01)', async () => {
    desk = new WebhookFixture({ closeTimeoutMs: 50, timeoutMs: 60_000, maxRequests: 20 });
    const receiver = await desk.open();
    receiver.behave(() => undefined);
    const ids = Array.from({ length: 30 }, (_, index) => `sub_${index}`);
    for (const id of ids) await desk.delivery.add({ id, url: receiver.url, secret: WEBHOOK_SECRET });
    for (const id of ids) desk.delivery.remove(id, { code: -32603, message: 'The source has ended' });
    await receiver.take(20);
    await within(desk.delivery.close(), 'the end');
    expect(receiver.received).toHaveLength(20);
  });

  it('lets nothing begin behind it, and may be asked for twice (EVT-01)', async () => {
    desk = new WebhookFixture();
    const receiver = await desk.open();
    const [first, second] = [desk.delivery.close(), desk.delivery.close()];
    expect(desk.send(1)).toBe(false);
    const subscription = { id: 'sub_2', url: receiver.url, secret: WEBHOOK_SECRET };
    await expect(desk.delivery.add(subscription)).rejects.toThrow('The server is shutting down');
    await Promise.all([first, second]);
    expect(receiver.received).toEqual([]);
    expect(desk.delivery.findStatus('sub_1')).toBeUndefined();
  });

  it('completes what tells of changes (EVT-01)', async () => {
    desk = new WebhookFixture();
    let isComplete = false;
    desk.delivery.changes$.subscribe({ complete: () => (isComplete = true) });
    await desk.delivery.close();
    expect(isComplete).toBe(true);
  });

  it('keeps out a subscription whose name was being looked up (EVT-01)', async () => {
    let answer: () => void = () => undefined;
    const resolveHost = () =>
      new Promise<{ address: string; family: number }[]>((resolve) => {
        answer = () => resolve([{ address: '127.0.0.1', family: 4 }]);
      });
    desk = new WebhookFixture({ resolveHost });
    const added = desk.delivery.add({ id: 'a', url: 'https://localhost/', secret: WEBHOOK_SECRET });
    await desk.delivery.close();
    answer();
    await expect(added).rejects.toThrow('The server is shutting down');
  });
});
