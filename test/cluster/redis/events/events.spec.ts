import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { redisCluster } from 'nestjs-mcp/redis';
import { bootAlertsDesks } from '../../memory/events/alerts-desks.js';
import { nextEvent, openEvents, textsOf, type AlertsApp } from '../../../e2e/extensions/events/alerts.app.js';
import { authorize, CALLERS, type Caller } from '../../../support/applications/protected-desk.js';
import { perRequest } from '../../../support/clients/json-rpc.js';
import type { JsonObject } from '../../../support/clients/message.js';
import { RedisServer } from '../../../support/redis/redis-server.js';
import { until } from '../../../support/until.js';
import { WebhookReceiver, WEBHOOK_SECRET } from '../../../support/webhook-receiver.js';

const FIRED = { name: 'alert.fired' };
const LONG_MS = 30_000;

const callAt =
  ({ url }: AlertsApp, token?: string): Caller =>
  (method, params) =>
    perRequest(url, { headers: authorize(token) }).start(method, params);

describe('Events of processes that share a Redis', () => {
  let server: RedisServer;
  let client: Redis;
  let desks: AlertsApp[] = [];

  beforeAll(async () => {
    server = await RedisServer.start();
    client = new Redis(server.url);
    client.on('error', () => undefined);
  });

  afterEach(async () => {
    await Promise.all(desks.map((desk) => desk.close()));
    desks = [];
    await server.send('FLUSHALL');
  });

  afterAll(async () => {
    client.disconnect();
    await server.stop();
  });

  /** Starts further processes. */
  async function boot(count: number, parts: Parameters<typeof bootAlertsDesks>[1] = {}) {
    const booted = await bootAlertsDesks(count, { ...parts, cluster: redisCluster({ client }) });
    desks.push(...booted);
    return booted as readonly [AlertsApp, AlertsApp, AlertsApp];
  }

  const poll = async (desk: AlertsApp, cursor?: unknown) =>
    (await callAt(desk)('events/poll', { ...FIRED, cursor }).result()) as JsonObject & {
      events: readonly JsonObject[];
    };

  it('are streamed and polled anywhere by the same cursors, also by a process that starts later (RELAY-09)', async () => {
    const [here, there] = await boot(2);
    const { cursor } = await poll(here);
    const { stream } = await openEvents(callAt(there), FIRED);
    here.alerts.fire('one', 'two');
    const told = [await nextEvent(stream), await nextEvent(stream)];
    await stream.close();
    const [late] = await boot(1);
    for (const desk of [here, there, late]) {
      const { events, truncated } = await poll(desk, cursor);
      expect([events, truncated]).toEqual([told.map(({ requestId: _id, _meta, ...event }) => event), false]);
    }
    late.alerts.fire('three');
    const next = await until(async () => {
      const polled = await poll(there, told[0]?.['cursor']);
      return polled.events.length === 2 && polled;
    }, 'the next event');
    expect(textsOf(next.events)).toEqual(['two', 'three']);
  });

  it('are told as missing after Redis was emptied, and go on (RELAY-07) (RELAY-09)', async () => {
    const [here, there] = await boot(2);
    const { cursor } = await poll(here);
    here.alerts.fire('lost');
    await until(async () => (await poll(there, cursor)).events.length > 0, 'the event');
    await server.send('FLUSHALL');
    const answer = await until(
      async () => {
        there.alerts.fire('after');
        const polled = await poll(here, cursor);
        return polled['truncated'] === true && textsOf(polled.events).includes('after') && polled;
      },
      'an event of the new log',
      LONG_MS,
    );
    expect(answer['truncated']).toBe(true);
  });

  it('go on where they happen while Redis hangs, and reach the others afterwards (RELAY-07) (RELAY-09)', async () => {
    const [here, there] = await boot(2);
    const [near, far] = await Promise.all([here, there].map((desk) => openEvents(callAt(desk), FIRED)));
    server.pause();
    try {
      here.alerts.fire('alone');
      const { params = {} } = await near!.stream.nextNotification('notifications/events/event', LONG_MS);
      expect(textsOf([params])).toEqual(['alone']);
    } finally {
      server.resume();
    }
    const { params = {} } = await far!.stream.nextNotification('notifications/events/event', LONG_MS);
    expect(textsOf([params])).toEqual(['alone']);
    await Promise.all([near, far].map((opened) => opened!.stream.close()));
  });

  it('are sent to webhooks once, by another process when the one that sends ends, and nothing of them can be read in Redis (RELAY-09)', async () => {
    const receiver = await WebhookReceiver.start();
    try {
      const [, there] = await boot(3, {
        auth: { bearer: Object.values(CALLERS) },
        events: { webhooks: { allowPrivateAddresses: true, allowHttp: true } },
      });
      const delivery = { mode: 'webhook', url: receiver.url, secret: WEBHOOK_SECRET };
      const subscribe = callAt(there, CALLERS.ada.token)('events/subscribe', { ...FIRED, delivery });
      expect((await subscribe.answer()).error).toBeUndefined();
      for (let round = 0; round < 9; round += 1) desks[round % 3]?.alerts.fire(`${round}`);
      await receiver.take(9);
      const dump = JSON.stringify(await dumpAll(server));
      expect(dump).toContain(':record:webhooks:');
      // An id follows from the caller and the URL, which others may guess.
      expect(dump).not.toContain('sub_');
      expect(dump).not.toContain(WEBHOOK_SECRET.slice('whsec_'.length));
      expect(dump).not.toContain(receiver.url);
      for (const leaving of ['a', 'b']) {
        await desks.shift()?.close();
        desks[0]?.alerts.fire(leaving);
        await until(
          () => textsOf(receiver.received.map(({ json }) => json)).includes(leaving),
          leaving,
          LONG_MS,
        );
      }
      expect(receiver.received).toHaveLength(11);
      expect(receiver.asked).toHaveLength(1);
    } finally {
      await Promise.all(desks.splice(0).map((desk) => desk.close()));
      await receiver.stop();
    }
  });
});

const READ: Readonly<Record<string, (key: string) => readonly [string, ...(string | number)[]]>> = {
  string: (key) => ['GET', key],
  hash: (key) => ['HGETALL', key],
  zset: (key) => ['ZRANGE', key, 0, -1],
  stream: (key) => ['XRANGE', key, '-', '+'],
};

/** Reads everything that a Redis has. */
async function dumpAll(server: RedisServer): Promise<readonly unknown[]> {
  const keys = (await server.send('KEYS', '*')) as string[];
  return Promise.all(
    keys.map(async (key) => {
      const command = READ[String(await server.send('TYPE', key))]?.(key) ?? (['EXISTS', key] as const);
      return [key, await server.send(...command)];
    }),
  );
}
