import type { LookupAddress } from 'node:dns';
import { Socket } from 'node:net';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { until } from '../../../../../support/until.js';
import { WEBHOOK_SECRET, WebhookReceiver } from '../../../../../support/webhook-receiver.js';
import { WebhookFixture } from '../../../../support/webhook-fixture.js';

const PUBLIC: LookupAddress = { address: '93.184.215.14', family: 4 };
const LOOPBACK: LookupAddress = { address: '127.0.0.1', family: 4 };
const STRICT = { allowPrivateAddresses: false, attempts: 1 };

/** Gives one answer after the other, and the last one again and again. */
class ChangingNames {
  readonly asked: string[] = [];
  readonly #answers: (readonly LookupAddress[])[];

  constructor(...answers: (readonly LookupAddress[])[]) {
    this.#answers = answers;
  }

  readonly resolveHost = (hostname: string): Promise<readonly LookupAddress[]> => {
    const answer = this.#answers[Math.min(this.asked.length, this.#answers.length - 1)];
    this.asked.push(hostname);
    return Promise.resolve(answer ?? []);
  };
}

describe('The guard of addresses', () => {
  let desk: WebhookFixture;
  let receiver: WebhookReceiver | undefined;

  afterEach(async () => {
    jest.restoreAllMocks();
    await desk.close();
    await receiver?.stop();
    receiver = undefined;
  });

  const subscribe = (url: string) => desk.delivery.add({ id: 'sub_1', url, secret: WEBHOOK_SECRET });
  const refusal = 'The receiver "url" must point only to public addresses that accept connections';

  it('refuses a subscription by its URL, and by what its name leads to (EVT-01)', async () => {
    const names = new ChangingNames([LOOPBACK], [PUBLIC, LOOPBACK], []);
    desk = new WebhookFixture({ ...STRICT, resolveHost: names.resolveHost });
    await expect(subscribe('https://127.0.0.1/')).rejects.toThrow(refusal);
    expect(names.asked).toEqual([]);
    for (let time = 0; time < 3; time += 1) {
      await expect(subscribe('https://hooks.example.com/')).rejects.toMatchObject({
        code: -32015,
        message: refusal,
        data: { reason: 'connection_refused' },
      });
    }
    expect(names.asked).toHaveLength(3);
    expect(desk.changes).toEqual([]);
  });

  it('refuses a name whose look-up does not end, in the same words (EVT-01)', async () => {
    const resolveHost = () => new Promise<never>(() => undefined);
    desk = new WebhookFixture({ ...STRICT, timeoutMs: 30, resolveHost });
    await expect(subscribe('https://hooks.example.com/')).rejects.toMatchObject({
      message: refusal,
      cause: { name: 'TimeoutError' },
    });
  });

  it('asks for the name before each connection: one that leads elsewhere by then gets nothing (EVT-01)', async () => {
    receiver = await WebhookReceiver.start();
    const names = new ChangingNames([PUBLIC], [LOOPBACK]);
    desk = new WebhookFixture({ ...STRICT, resolveHost: names.resolveHost });
    await subscribe(`http://hooks.example.com:${receiver.port}/`);
    const connect = jest.spyOn(Socket.prototype, 'connect');
    desk.send(1);
    await until(() => desk.lost === 1, 'a refused event');
    expect(connect).not.toHaveBeenCalled();
    expect(names.asked).toEqual(['hooks.example.com', 'hooks.example.com']);
    expect(desk.delivery.findStatus('sub_1')?.lastError).toBe('connection_refused');
    expect(receiver.received).toEqual([]);
    expect(receiver.connections).toBe(0);
  });

  it('asks once for each connection, which goes to the address that was checked (EVT-01)', async () => {
    // The name is one that the system knows at another address, where nobody listens.
    receiver = await WebhookReceiver.start({ host: '127.0.0.9' });
    const names = new ChangingNames([{ address: '127.0.0.9', family: 4 }]);
    desk = new WebhookFixture({ resolveHost: names.resolveHost });
    await subscribe(`http://localhost:${receiver.port}/`);
    desk.send(1);
    const [received] = await receiver.take(1);
    expect(received?.headers.host).toBe(`localhost:${receiver.port}`);
    expect(names.asked).toEqual(['localhost', 'localhost']);
  });

  it('goes on to the next address where one is not reached (EVT-01)', async () => {
    receiver = await WebhookReceiver.start({ host: '127.0.0.9' });
    const addresses = ['127.0.0.8', '127.0.0.9'].map((address) => ({ address, family: 4 }));
    desk = new WebhookFixture({ attempts: 1, resolveHost: new ChangingNames(addresses).resolveHost });
    await subscribe(`http://localhost:${receiver.port}/`);
    desk.send(1);
    await receiver.take(1);
    expect(receiver.events).toEqual([1]);
  });

  it.each([
    'https://127.0.0.1/',
    'http://169.254.169.254/latest/',
    'http://[::1]/',
    '//localhost/',
    '/other',
  ])('does not follow a redirect to %s (EVT-01)', async (location) => {
    desk = new WebhookFixture();
    receiver = await desk.open();
    receiver.behave((response) => response.writeHead(307, { location }).end());
    desk.send(1);
    await until(() => desk.lost === 1, 'a lost event');
    expect(receiver.received).toHaveLength(1);
  });

  it('checks another URL of a known subscription as it checked the first (EVT-01)', async () => {
    const names = new ChangingNames([PUBLIC], [LOOPBACK]);
    desk = new WebhookFixture({ ...STRICT, resolveHost: names.resolveHost });
    await subscribe('https://hooks.example.com/');
    await subscribe('https://hooks.example.com/');
    await expect(subscribe('https://other.example.com/')).rejects.toThrow(refusal);
    expect(names.asked).toEqual(['hooks.example.com', 'other.example.com']);
    expect(desk.kinds).toEqual(['added', 'refreshed']);
  });
});
