import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { ClientRequest } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { until } from '../../../../../support/until.js';
import { WEBHOOK_SECRET, WebhookReceiver, verifyWebhook } from '../../../../../support/webhook-receiver.js';
import { WebhookFixture } from '../../../../support/webhook-fixture.js';

/** Answers every connection with these bytes, whatever it is asked. */
async function answerRaw(bytes: string): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => socket.write(bytes));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** A limit that no machine reaches by being slow. */
const LIMIT_MS = 600_000;

/** Holds the limits of attempts, which pass when a test has them pass: at what has happened, however long that took. */
class HeldLimits {
  readonly #due: (() => void)[] = [];

  constructor() {
    const start = globalThis.setTimeout;
    const hold = (callback: () => void, delay?: number, ...rest: []) => {
      if (delay !== LIMIT_MS) return start(callback, delay, ...rest);
      this.#due.push(callback);
      return start(() => undefined);
    };
    jest.spyOn(globalThis, 'setTimeout').mockImplementation(hold);
  }

  /** Has the limit of the attempt that is under way pass. */
  pass(): void {
    this.#due.shift()?.();
  }
}

/** Calls back whenever a client in this process has the head of an answer of this server; gives what ends that. */
function onHead(port: number, callback: () => void): () => void {
  const listener = (message: unknown) => {
    const { request } = message as { request: ClientRequest };
    if (request.socket?.remotePort === port) setImmediate(callback);
  };
  subscribe('http.client.response.finish', listener);
  return () => void unsubscribe('http.client.response.finish', listener);
}

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

describe('A webhook that fails', () => {
  let desk: WebhookFixture;
  let stopListening: () => void = () => undefined;

  afterEach(async () => {
    stopListening();
    jest.restoreAllMocks();
    await desk.close();
  });

  /** Waits until the first message was given up, and gives what subscribers are told of it. */
  async function findFault(): Promise<string | undefined> {
    await until(() => desk.lost > 0, 'a lost event');
    return desk.delivery.findStatus('sub_1')?.lastError;
  }

  it('is sent again after 500, with the same id and body and a signature of its own (EVT-01)', async () => {
    desk = new WebhookFixture({ attempts: 4 });
    const receiver = await desk.open();
    receiver.answer(500, 503, 502);
    desk.send(1, 2);
    const received = await receiver.take(5);
    expect(received.map(({ json }) => json['n'])).toEqual([1, 1, 1, 1, 2]);
    expect(new Set(received.slice(0, 4).map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set(['evt_1']),
    );
    for (const one of received) expect(await verifyWebhook(one, WEBHOOK_SECRET)).toBe(true);
    await until(() => desk.delivery.findStatus('sub_1')?.lastDeliveryAt, 'a delivery');
    expect(desk.delivery.findStatus('sub_1')).not.toHaveProperty('lastError');
    expect(desk.lost).toBe(0);
  });

  it('is sent again later each time (EVT-01)', async () => {
    desk = new WebhookFixture({ attempts: 4, backoffMs: 40, maxBackoffMs: 1000 });
    const receiver = await desk.open();
    receiver.answer(500, 500, 500);
    desk.send(1);
    const times = (await receiver.take(4)).map(({ at }) => at);
    const waits = times.slice(1).map((at, index) => at - Number(times[index]));
    [20, 40, 80].forEach((least, index) => expect(waits[index]).toBeGreaterThanOrEqual(least - 2));
  });

  it('is not sent again before the wait that is set is over (EVT-01)', async () => {
    // All that is left to chance is taken off.
    jest.spyOn(Math, 'random').mockReturnValue(1);
    desk = new WebhookFixture({ attempts: 2, backoffMs: 1_000, maxBackoffMs: 60_000 });
    const receiver = await desk.open();
    receiver.answer(500);
    desk.send(1);
    const [first, second] = await receiver.take(2);
    jest.restoreAllMocks();
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(498);
  });

  it('is not sent again before the receiver wants it, within the bound (EVT-01)', async () => {
    desk = new WebhookFixture({ maxBackoffMs: 150 });
    const receiver = await desk.open();
    receiver.behave((response) => {
      if (receiver.received.length > 1) response.end();
      else response.writeHead(429, { 'retry-after': '3600' }).end();
    });
    desk.send(1);
    const [first, second] = await receiver.take(2);
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(148);
  });

  it.each([408, 425, 429, 500, 501, 502, 503, 504, 599, 600])(
    'is given up after the last attempt that status %i answers (EVT-01)',
    async (status) => {
      desk = new WebhookFixture();
      const receiver = await desk.open();
      receiver.answer(status, status, status);
      desk.send(1);
      expect(await findFault()).toBe(status < 500 ? 'http_4xx' : 'http_5xx');
      expect(receiver.received).toHaveLength(3);
    },
  );

  it.each([300, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 413, 422])(
    'is given up at once at status %i (EVT-01)',
    async (status) => {
      desk = new WebhookFixture();
      const receiver = await desk.open();
      const elsewhere = await desk.open('elsewhere');
      receiver.behave((response) => response.writeHead(status, { location: elsewhere.url }).end());
      desk.send(1);
      expect(await findFault()).toBe(status < 400 ? 'http_3xx_redirect' : 'http_4xx');
      expect(receiver.received).toHaveLength(1);
      expect(elsewhere.received).toEqual([]);
    },
  );

  it('tells the receiver of the loss before the next event (EVT-01)', async () => {
    desk = new WebhookFixture();
    const receiver = await desk.open();
    receiver.answer(400);
    desk.send(1);
    await findFault();
    desk.send(2);
    const received = await receiver.take(3);
    expect(received.map(({ json }) => json)).toEqual([{ n: 1 }, { type: 'gap', cursor: '1' }, { n: 2 }]);
  });

  it('is no failure where the receiver rejects one event by 410: that is not sent again, and the next one is (EVT-01)', async () => {
    desk = new WebhookFixture({ suspendAfter: 1 });
    const receiver = await desk.open();
    receiver.answer(410);
    desk.send(1, 2);
    const received = await receiver.take(2);
    expect(received.map(({ json }) => json)).toEqual([{ n: 1 }, { n: 2 }]);
    await until(() => desk.delivery.findStatus('sub_1')?.lastDeliveryAt, 'a delivery');
    expect(desk.delivery.findStatus('sub_1')).toMatchObject({ isActive: true });
  });

  it('is cut off where the receiver never answers (EVT-01)', async () => {
    const limits = new HeldLimits();
    desk = new WebhookFixture({ timeoutMs: LIMIT_MS, attempts: 2 });
    const receiver = await desk.open();
    receiver.behave(() => limits.pass());
    desk.send(1);
    expect(await findFault()).toBe('timeout');
    expect(receiver.received).toHaveLength(2);
    await until(() => receiver.connections === 0, 'the end of the connections');
  });

  it('waits for a slow receiver as long as it may (EVT-01)', async () => {
    desk = new WebhookFixture({ timeoutMs: LIMIT_MS });
    const receiver = await desk.open();
    receiver.behave((response) => setTimeout(() => response.end(), 100));
    desk.send(1, 2);
    await receiver.take(2);
    await until(() => desk.delivery.findStatus('sub_1')?.lastDeliveryAt, 'a delivery');
    expect(receiver.events).toEqual([1, 2]);
  });

  it('is none where the status is good and the body does not end (EVT-01)', async () => {
    desk = new WebhookFixture({ maxResponseBytes: 1000 });
    const receiver = await desk.open();
    let written = 0;
    receiver.behave((response) => {
      response.writeHead(200);
      const more = () => {
        do written += 16_384;
        while (response.writable && response.write('x'.repeat(16_384)));
      };
      response.on('drain', more);
      more();
    });
    desk.send(1, 3);
    await receiver.take(3);
    await until(() => receiver.connections === 0, 'the end of the connections');
    expect(receiver.events).toEqual([1, 2, 3]);
    expect(written).toBeLessThan(64 * 1024 * 1024);
    expect(desk.lost).toBe(0);
  });

  it('is none where the status is good and the body comes drop by drop (EVT-01)', async () => {
    const limits = new HeldLimits();
    desk = new WebhookFixture({ timeoutMs: LIMIT_MS });
    const receiver = await desk.open();
    stopListening = onHead(receiver.port, () => limits.pass());
    receiver.behave((response) => {
      response.writeHead(200);
      const drop = setInterval(() => response.write('x'), 5);
      response.on('close', () => clearInterval(drop));
    });
    desk.send(1, 2);
    await receiver.take(2);
    await until(() => receiver.connections === 0, 'the end of the connections');
    expect(receiver.events).toEqual([1, 2]);
    expect(desk.lost).toBe(0);
  });

  it.each([
    ['garbage', 'this is not HTTP\r\n\r\n'],
    ['endless headers', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
  ])('is given up at %s (EVT-01)', async (_what, bytes) => {
    desk = new WebhookFixture({ attempts: 1 });
    const server = await answerRaw(bytes);
    await desk.delivery.add({ id: 'sub_1', url: urlOf(server), secret: WEBHOOK_SECRET });
    desk.send(1);
    expect(await findFault()).toBe('connection_refused');
    server.close();
  });

  it('is cut off where interim answers do not end (EVT-01)', async () => {
    desk = new WebhookFixture({ attempts: 1, timeoutMs: 60 });
    const server = createServer((socket) => {
      const drop = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 5);
      socket.on('error', () => undefined).on('close', () => clearInterval(drop));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    await desk.delivery.add({ id: 'sub_1', url: urlOf(server), secret: WEBHOOK_SECRET });
    desk.send(1);
    expect(await findFault()).toBe('timeout');
    server.close();
  });

  it('is given up where nobody listens, or connections are cut (EVT-01)', async () => {
    desk = new WebhookFixture({ attempts: 1 });
    const receiver = await desk.open();
    receiver.behave((response) => response.destroy());
    desk.send(1);
    expect(await findFault()).toBe('connection_refused');
    await receiver.stop();
    desk.send(2);
    await until(() => desk.lost === 2, 'the second loss');
    expect(desk.delivery.findStatus('sub_1')?.lastError).toBe('connection_refused');
  });

  it('is not sent to who has no trusted certificate of the name (EVT-01)', async () => {
    desk = new WebhookFixture({ attempts: 1, certificateAuthorities: [] });
    const receiver: WebhookReceiver = await desk.open('sub_1', { isSecure: true });
    desk.send(1);
    expect(await findFault()).toBe('tls_error');
    expect(receiver.received).toEqual([]);
  });

  it('is not sent to who has a certificate of another name (EVT-01)', async () => {
    desk = new WebhookFixture({ attempts: 1 });
    const receiver = await desk.open('other', { isSecure: true });
    const url = `https://127.0.0.1:${receiver.port}/`;
    await desk.delivery.add({ id: 'sub_1', url, secret: WEBHOOK_SECRET });
    desk.send(1);
    expect(await findFault()).toBe('tls_error');
    expect(receiver.received).toEqual([]);
  });
});
