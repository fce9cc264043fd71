import type { LookupAddress } from 'node:dns';
import { afterEach, describe, expect, it } from '@jest/globals';
import { until, within } from '../../../../../support/until.js';
import { WEBHOOK_SECRET, WebhookReceiver, verifyWebhook } from '../../../../../support/webhook-receiver.js';
import { WebhookFixture } from '../../../../support/webhook-fixture.js';

const ASKING = { isTrusted: () => false };

describe('The confirmation of a webhook receiver (sketch of events, "Endpoint verification")', () => {
  let desk: WebhookFixture;
  let receiver: WebhookReceiver;

  afterEach(async () => {
    await desk.close();
    await receiver.stop();
  });

  async function start(options: ConstructorParameters<typeof WebhookFixture>[0] = ASKING): Promise<void> {
    desk = new WebhookFixture(options);
    receiver = await WebhookReceiver.start();
  }

  function subscribe(id = 'sub_1', owner = 'alice', url = receiver.url) {
    return desk.delivery.add({ id, owner, url, secret: WEBHOOK_SECRET });
  }

  it('is asked for before the first event, signed as events are (EVT-01)', async () => {
    await start();
    await subscribe();
    const [asked] = receiver.asked;
    expect(asked?.json).toEqual({ type: 'verification', challenge: expect.stringMatching(/^[\w-]{43}$/) });
    expect(asked?.headers).toMatchObject({
      'webhook-id': expect.stringMatching(/^msg_verification_[\w-]{16}$/),
      'x-mcp-subscription-id': 'sub_1',
    });
    expect(await verifyWebhook(asked!, WEBHOOK_SECRET)).toBe(true);
    desk.send(1);
    await receiver.take(1);
  });

  it('is asked for once by each owner and URL, with a challenge of its own (EVT-01)', async () => {
    await start();
    await subscribe('sub_1');
    await subscribe('sub_1');
    await subscribe('sub_2');
    desk.delivery.remove('sub_1');
    await subscribe('sub_1');
    expect(receiver.asked).toHaveLength(1);
    await subscribe('sub_3', 'bob');
    await subscribe('sub_4', 'alice', `${receiver.url}/other`);
    expect(receiver.asked).toHaveLength(3);
    expect(new Set(receiver.asked.map(({ json }) => json['challenge'])).size).toBe(3);
  });

  it.each([
    ['nothing', ''],
    ['what is no JSON', 'ok'],
    ['no object', '"challenge"'],
    ['no challenge', '{}'],
    ['another challenge', JSON.stringify({ challenge: 'x'.repeat(43) })],
    ['a challenge that is no text', '{"challenge":["x"]}'],
    ['too much', JSON.stringify({ filling: 'x'.repeat(100_000) })],
  ])('is missing where the answer is %s (EVT-01)', async (_what, answer) => {
    await start();
    receiver.confirm((response) => response.end(answer));
    await expect(subscribe()).rejects.toMatchObject({ code: -32015, data: { reason: 'challenge_failed' } });
    expect(desk.delivery.findStatus('sub_1')).toBeUndefined();
    expect(desk.send(1)).toBe(false);
    expect(receiver.received).toEqual([]);
  });

  it.each([301, 404, 410, 425, 500])(
    'is missing where the status is %i, which the subscriber does not learn, though the challenge is right (EVT-01)',
    async (status) => {
      await start();
      receiver.confirm((response, { json }) =>
        response.writeHead(status, { location: receiver.url }).end(JSON.stringify(json)),
      );
      await expect(subscribe()).rejects.toMatchObject({
        code: -32015,
        message:
          'The receiver "url" must point to a receiver that responds to the "verification" message with its "challenge"',
        data: { reason: 'challenge_failed' },
      });
      expect(receiver.asked).toHaveLength(1);
    },
  );

  it('is not waited for beyond the limit of time (EVT-01)', async () => {
    await start({ ...ASKING, timeoutMs: 50 });
    receiver.confirm(() => undefined);
    await expect(subscribe()).rejects.toMatchObject({ code: -32015, data: { reason: 'timeout' } });
    await until(() => receiver.connections === 0, 'the end of the connections');
  });

  it('is not asked for at an address that is not public (EVT-01)', async () => {
    const answers: LookupAddress[] = [{ address: '127.0.0.1', family: 4 }];
    await start({ ...ASKING, allowPrivateAddresses: false, resolveHost: async () => answers });
    const subscribed = subscribe('sub_1', 'alice', `http://hooks.example.com:${receiver.port}/`);
    await expect(subscribed).rejects.toMatchObject({ data: { reason: 'connection_refused' } });
    expect(receiver.asked).toEqual([]);
  });

  it('is not asked for where the application trusts the receiver (EVT-01)', async () => {
    const seen: unknown[] = [];
    await start({
      isTrusted: (url, owner) => {
        seen.push([url, owner]);
        return owner === 'alice';
      },
    });
    await subscribe('sub_1', 'alice');
    expect(receiver.asked).toHaveLength(0);
    await subscribe('sub_2', 'bob');
    expect(receiver.asked).toHaveLength(1);
    expect(seen).toEqual([
      [receiver.url, 'alice'],
      [receiver.url, 'bob'],
    ]);
  });

  it.each<[string, () => Promise<boolean>]>([
    ['a promise', () => Promise.resolve(true)],
    ['a rejection', () => Promise.reject(new Error('no'))],
  ])(
    'is asked for where the application answers with %s, which is no answer (EVT-01)',
    async (_how, answer) => {
      await start({ isTrusted: answer as never });
      await subscribe('sub_1', 'alice');
      expect(receiver.asked).toHaveLength(1);
    },
  );

  it('is not asked for more often than a host has to bear (EVT-01)', async () => {
    await start({ ...ASKING, confirmationsPerMinute: 2 });
    receiver.confirm((response) => response.end());
    for (const id of ['a', 'b']) {
      await expect(subscribe(id)).rejects.toMatchObject({ data: { reason: 'challenge_failed' } });
    }
    for (const id of ['a', 'c']) {
      await expect(subscribe(id, 'bob', `${receiver.url}/${id}`)).rejects.toMatchObject({
        code: -32013,
        data: { limit: 'verifications' },
      });
    }
    expect(receiver.asked).toHaveLength(2);
  });

  it('is not asked for at one port of a host after the other without a bound (EVT-01)', async () => {
    await start({ ...ASKING, confirmationsPerMinute: 1 });
    const elsewhere = await WebhookReceiver.start();
    await subscribe();
    await expect(subscribe('sub_2', 'alice', elsewhere.url)).rejects.toMatchObject({
      data: { limit: 'verifications' },
    });
    expect(elsewhere.asked).toEqual([]);
    await elsewhere.stop();
  });

  it('is cut off when the delivery closes (EVT-01)', async () => {
    await start({ ...ASKING, timeoutMs: 60_000 });
    receiver.confirm(() => undefined);
    const subscribed = subscribe();
    const settled = Promise.allSettled([subscribed]);
    await until(() => receiver.asked.length === 1, 'a question');
    await within(desk.delivery.close(), 'the end');
    const [refusal] = await within(settled, 'a refusal');
    expect(refusal).toMatchObject({
      status: 'rejected',
      reason: { message: 'The server is shutting down: try again later' },
    });
  });
});
