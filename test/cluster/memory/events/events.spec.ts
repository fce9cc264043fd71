import { memoryCluster } from 'nestjs-mcp/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { EventSource } from 'nestjs-mcp';
import { defer, NEVER, Observable, Subject } from 'rxjs';
import type { Caller } from '../../../support/applications/protected-desk.js';
import { perRequest } from '../../../support/clients/json-rpc.js';
import type { JsonObject } from '../../../support/clients/message.js';
import { until } from '../../../support/until.js';
import {
  bootAlerts,
  eventsOf,
  nextEvent,
  openEvents,
  textsOf,
  type AlertsApp,
} from '../../../e2e/extensions/events/alerts.app.js';
import { CLUSTER_SECRET } from '../../../support/cluster/task-desks.js';
import { WatchedCluster } from '../../../support/cluster/watched-cluster.js';
import { bootAlertsDesks } from './alerts-desks.js';

const FIRED = { name: 'alert.fired' };

/** What every process hears of, and what one of them is to hear of. */
@Injectable()
class Orders {
  static readonly rows = new Subject<{ id: string }>();
  static subscribed = 0;

  @EventSource<{ id: string }>({ name: 'order.paid', eventId: ({ id }) => id })
  paid(): Observable<object> {
    return Orders.rows;
  }

  @EventSource<{ id: string }>({ name: 'order.polled', singleInstance: true })
  polled(): Observable<object> {
    return defer(() => {
      Orders.subscribed += 1;
      return new Observable<object>((observer) => {
        const rows = Orders.rows.subscribe(observer);
        return () => {
          rows.unsubscribe();
          Orders.subscribed -= 1;
        };
      });
    });
  }

  @EventSource({ name: 'order.never' })
  never(): Observable<object> {
    return NEVER;
  }
}

describe('Events of a server of several processes', () => {
  let desks: readonly AlertsApp[] = [];

  afterEach(async () => {
    await Promise.all(desks.map((desk) => desk.close()));
    desks = [];
  });

  async function boot(parts: Parameters<typeof bootAlertsDesks>[1] = {}) {
    desks = await bootAlertsDesks(2, parts);
    const [here, there] = desks as [AlertsApp, AlertsApp];
    return { here, there, atHere: callAt(here), atThere: callAt(there) };
  }

  const callAt =
    ({ url }: AlertsApp): Caller =>
    (method, params) =>
      perRequest(url).start(method, params);

  const poll = async (call: Caller, params: JsonObject) =>
    (await call('events/poll', params).result()) as JsonObject & { events: readonly JsonObject[] };

  it('reach streams of every process, with the same cursors (RELAY-09)', async () => {
    const { here, there, atHere, atThere } = await boot();
    const streams = await Promise.all([openEvents(atHere, FIRED), openEvents(atThere, FIRED)]);
    here.alerts.fire('one');
    there.alerts.fire('two');
    here.alerts.fire('three');
    const told = await Promise.all(
      streams.map(async ({ stream }) => [
        await nextEvent(stream),
        await nextEvent(stream),
        await nextEvent(stream),
      ]),
    );
    expect(told[0]).toEqual(
      told[1]?.map((event) => ({ ...event, requestId: expect.anything(), _meta: expect.anything() })),
    );
    expect(new Set(textsOf(told[0] ?? []))).toEqual(new Set(['one', 'two', 'three']));
    await Promise.all(streams.map(({ stream }) => stream.close()));
  });

  it('cost the processes no message for each listener who comes and goes (FAIR-03)', async () => {
    const cluster = new WatchedCluster(memoryCluster());
    const { atHere } = await boot({ cluster });
    const count = () => cluster.commands.filter((name) => name === 'send').length;
    const before = count();
    const begun = performance.now();
    for (let turn = 0; turn < 30; turn += 1) {
      const { stream } = await openEvents(atHere, FIRED);
      await stream.close();
    }
    // However long that took, each second may tell once that nobody listens any more, that somebody does, and that somebody still does.
    const seconds = Math.ceil((performance.now() - begun) / 1000);
    expect(count() - before).toBeLessThanOrEqual(3 * seconds);
  });

  it('are polled anywhere, from a cursor of anywhere, in order and once (RELAY-09)', async () => {
    const { here, there, atHere, atThere } = await boot();
    let { cursor } = await poll(atHere, FIRED);
    const given: JsonObject[] = [];
    for (let round = 0; round < 10; round += 1) {
      (round % 3 === 0 ? there : here).alerts.fire(`${round}`);
      const call = round % 2 === 0 ? atThere : atHere;
      const answer = await until(async () => {
        const polled = await poll(call, { ...FIRED, cursor });
        return polled.events.length > 0 && polled;
      }, 'an event');
      given.push(...answer.events);
      ({ cursor } = answer);
      expect(answer['truncated']).toBe(false);
    }
    expect(textsOf(given)).toEqual(Array.from({ length: 10 }, (_, round) => `${round}`));
  });

  it('are given to a cursor of before a process began, by that process (RELAY-09)', async () => {
    const cluster = memoryCluster();
    const { here, atHere } = await boot({ cluster });
    const { cursor } = await poll(atHere, FIRED);
    here.alerts.fire('before', 'and before');
    const late = await bootAlerts({ auth: 'none', options: { secret: CLUSTER_SECRET, cluster } });
    desks = [...desks, late];
    const atLate = callAt(late);
    const answer = await poll(atLate, { ...FIRED, cursor });
    expect([textsOf(answer.events), answer['truncated']]).toEqual([['before', 'and before'], false]);
    late.alerts.fire('after');
    const { stream } = await openEvents(atLate, { ...FIRED, cursor });
    const told = [await nextEvent(stream), await nextEvent(stream), await nextEvent(stream)];
    expect(textsOf(told)).toEqual(['before', 'and before', 'after']);
    await stream.close();
  });

  it('are told as missing where the log does not reach back (RELAY-09)', async () => {
    const cluster = memoryCluster();
    const { here, atHere } = await boot({ cluster });
    const { cursor } = await poll(atHere, FIRED);
    here.alerts.fire('lost');
    await until(async () => (await poll(atHere, { ...FIRED, cursor })).events.length > 0, 'the event');
    cluster.trim();
    const late = await bootAlerts({ auth: 'none', options: { secret: CLUSTER_SECRET, cluster } });
    desks = [...desks, late];
    const answer = await poll(callAt(late), {
      ...FIRED,
      cursor,
    });
    expect([answer.events, answer['truncated']]).toEqual([[], true]);
  });

  it('count once, if several processes emit what the application names (RELAY-09)', async () => {
    const { atHere, atThere } = await boot({ providers: [Orders] });
    const { cursor } = await poll(atHere, { name: 'order.paid' });
    Orders.rows.next({ id: 'a' });
    Orders.rows.next({ id: 'b' });
    for (const call of [atHere, atThere]) {
      const polled = await until(async () => {
        const answer = await poll(call, { name: 'order.paid', cursor });
        return answer.events.length > 1 && answer;
      }, 'both events');
      expect(polled.events.map(({ eventId }) => eventId)).toEqual(['a', 'b']);
    }
  });

  it('come from one process at a time, if the source is exclusive, and from another once that has ended (RELAY-09)', async () => {
    const { here, atThere } = await boot({ providers: [Orders] });
    await until(() => Orders.subscribed === 1, 'one subscription');
    const { stream } = await openEvents(atThere, { name: 'order.polled' });
    Orders.rows.next({ id: 'a' });
    expect(await nextEvent(stream)).toMatchObject({ data: { id: 'a' } });
    await here.close();
    desks = desks.slice(1);
    await until(() => Orders.subscribed === 1, 'a subscription of the other process', 20_000);
    Orders.rows.next({ id: 'b' });
    expect(await nextEvent(stream)).toMatchObject({ data: { id: 'b' } });
    expect(eventsOf(stream.messages)).toHaveLength(2);
    await stream.close();
  });

  it('of a source without cursors are emitted while somebody listens, wherever that is (RELAY-09)', async () => {
    const { here, atThere } = await boot();
    expect(here.alerts.keys.observed).toBe(false);
    const { stream } = await openEvents(atThere, { name: 'key.pressed' });
    await until(() => here.alerts.keys.observed, 'a subscription');
    here.alerts.keys.next({ key: 'a' });
    expect(await nextEvent(stream)).toMatchObject({ data: { key: 'a' }, cursor: null });
    await stream.close();
    await until(() => !here.alerts.keys.observed, 'the end of the subscription');
  });

  it('end their streams once the source has ended in every process (RELAY-09)', async () => {
    const { here, there, atHere, atThere } = await boot();
    const streams = await Promise.all([openEvents(atHere, FIRED), openEvents(atThere, FIRED)]);
    here.alerts.alerts.complete();
    there.alerts.fire('still');
    for (const { stream } of streams) expect(textsOf([await nextEvent(stream)])).toEqual(['still']);
    there.alerts.alerts.complete();
    for (const { stream } of streams) await stream.nextNotification('notifications/events/terminated');
  });

  it('tell of what is missing in every process (RELAY-09)', async () => {
    const { here, atThere } = await boot();
    const { stream } = await openEvents(atThere, FIRED);
    here.alerts.alerts.next('no object');
    expect(await stream.nextNotification('notifications/events/error')).toBeDefined();
    await stream.close();
  });
});
