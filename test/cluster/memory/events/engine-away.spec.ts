import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { memoryCluster, type MemoryCluster } from 'nestjs-mcp/testing';
import { authorize, CALLERS, type Caller } from '../../../support/applications/protected-desk.js';
import { perRequest } from '../../../support/clients/json-rpc.js';
import type { JsonObject } from '../../../support/clients/message.js';
import { until } from '../../../support/until.js';
import { WebhookReceiver, WEBHOOK_SECRET } from '../../../support/webhook-receiver.js';
import {
  eventsOf,
  nextEvent,
  openEvents,
  textsOf,
  type AlertsApp,
} from '../../../e2e/extensions/events/alerts.app.js';
import { bootAlertsDesks } from './alerts-desks.js';
import { getParts } from '../../../support/applications/get-parts.js';

const FIRED = { name: 'alert.fired' };

const callAt =
  ({ url }: AlertsApp, token?: string): Caller =>
  (method, params) =>
    perRequest(url, { headers: authorize(token) }).start(method, params);

describe('Events while the engine is away', () => {
  let cluster: MemoryCluster;
  let desks: readonly AlertsApp[];

  beforeEach(() => {
    cluster = memoryCluster();
    desks = [];
  });

  afterEach(async () => {
    cluster.heal();
    await Promise.all(desks.map((desk) => desk.close()));
  });

  async function boot(parts: Parameters<typeof bootAlertsDesks>[1] = {}) {
    desks = await bootAlertsDesks(2, { cluster, ...parts });
    return desks as [AlertsApp, AlertsApp];
  }

  const poll = async (call: Caller, cursor?: unknown) =>
    (await call('events/poll', { ...FIRED, cursor }).result()) as JsonObject & {
      events: readonly JsonObject[];
    };

  it('come once to a client that is ahead of the process that it asks (RELAY-09)', async () => {
    const [here, there] = await boot();
    const begun = await poll(callAt(here));
    const { member } = getParts(there.app).foundation.bus;
    cluster.cut(member);
    here.alerts.fire('known');
    const ahead = await until(async () => {
      const polled = await poll(callAt(here), begun['cursor']);
      return polled.events.length > 0 && polled;
    }, 'an event');
    expect(await poll(callAt(there), ahead['cursor'])).toMatchObject({ events: [], cursor: ahead['cursor'] });
    const { stream } = await openEvents(callAt(there), { ...FIRED, cursor: ahead['cursor'] });
    cluster.heal();
    await until(() => getParts(there.app).foundation.bus.isConnected, 'the connection');
    here.alerts.fire('news');
    expect(textsOf([await nextEvent(stream)])).toEqual(['news']);
    const polled = await poll(callAt(there), ahead['cursor']);
    expect([textsOf(polled.events), polled['truncated']]).toEqual([['news'], false]);
    await stream.close();
  });

  it('go on where they happen, and reach the others when it is back, once (RELAY-07) (RELAY-09)', async () => {
    const [here, there] = await boot();
    const [near, far] = await Promise.all([here, there].map((desk) => openEvents(callAt(desk), FIRED)));
    cluster.cut();
    here.alerts.fire('alone');
    expect(textsOf([await nextEvent(near!.stream)])).toEqual(['alone']);
    cluster.heal();
    expect(textsOf([await nextEvent(far!.stream)])).toEqual(['alone']);
    there.alerts.fire('together');
    for (const opened of [near, far]) {
      await nextEvent(opened!.stream);
      expect(textsOf(eventsOf(opened!.stream.messages))).toEqual(['alone', 'together']);
      await opened!.stream.close();
    }
  });

  it('are lost to nobody who comes back elsewhere with a cursor of then (RELAY-07) (RELAY-09)', async () => {
    const [here, there] = await boot();
    const { cursor: before } = await poll(callAt(here));
    cluster.cut();
    here.alerts.fire('one', 'two');
    const { events, cursor } = await poll(callAt(here), before);
    expect(textsOf(events)).toEqual(['one', 'two']);
    here.alerts.fire('three');
    const next = await poll(callAt(here), cursor);
    expect([textsOf(next.events), next['truncated']]).toEqual([['three'], false]);
    cluster.heal();
    const again = await until(async () => {
      const polled = await poll(callAt(there), cursor);
      return textsOf(polled.events).includes('three') && polled;
    }, 'the last event');
    // Names tell what a client has already.
    const known = new Set(events.map(({ eventId }) => eventId));
    expect(textsOf(again.events.filter(({ eventId }) => !known.has(eventId)))).toEqual(['three']);
    expect(again['truncated']).toBe(false);
  });

  it('are told as missing if the log was emptied meanwhile (RELAY-07) (RELAY-09)', async () => {
    const [here, there] = await boot();
    const { cursor } = await poll(callAt(here));
    cluster.clear();
    there.alerts.fire('after');
    const answer = await until(async () => {
      const polled = await poll(callAt(here), cursor);
      return polled.events.length > 0 && polled;
    }, 'the event');
    expect([textsOf(answer.events), answer['truncated']]).toEqual([['after'], true]);
    expect((await poll(callAt(there), answer['cursor'])).events).toEqual([]);
  });

  it('are sent to webhooks by the process that sends; whoever would change one is told to try again (RELAY-07) (RELAY-09)', async () => {
    const receiver = await WebhookReceiver.start();
    try {
      const [here, there] = await boot({
        auth: { bearer: Object.values(CALLERS) },
        events: { webhooks: { allowPrivateAddresses: true, allowHttp: true } },
      });
      const delivery = { mode: 'webhook', url: receiver.url, secret: WEBHOOK_SECRET };
      const subscribe = (desk: AlertsApp) =>
        callAt(desk, CALLERS.ada.token)('events/subscribe', { ...FIRED, delivery }).answer();
      expect((await subscribe(here)).error).toBeUndefined();
      cluster.cut();
      here.alerts.fire('alone');
      await receiver.take(1);
      for (const desk of [here, there]) expect((await subscribe(desk)).status).toBe(503);
      cluster.heal();
      await until(async () => (await subscribe(there)).error === undefined, 'a subscription');
      there.alerts.fire('together');
      await receiver.take(2);
      expect(textsOf(receiver.received.map(({ json }) => json))).toEqual(['alone', 'together']);
    } finally {
      await Promise.all(desks.map((desk) => desk.close()));
      desks = [];
      await receiver.stop();
    }
  });
});
