import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { EventSource, McpEvents } from 'nestjs-mcp';
import { NEVER, Subject, type Observable } from 'rxjs';
import { metaKey } from '../../../support/clients/message.js';
import { initialize } from '../../../support/clients/json-rpc.js';
import { ADAPTERS } from '../../../support/applications/boot.js';
import { CALLERS, WAYS } from '../../../support/applications/protected-desk.js';
import { until, within } from '../../../support/until.js';
import { verifyWebhook, WebhookReceiver, WEBHOOK_SECRET } from '../../../support/webhook-receiver.js';
import { bootAlerts, nextEvent, openEvents, textsOf, type AlertsApp } from './alerts.app.js';

const LOOPBACK = { allowPrivateAddresses: true, allowHttp: true };

/** Sources that offer one way each. */
@Injectable()
class Choosy {
  readonly polled$ = new Subject<object>();

  @EventSource({ name: 'only.polled', delivery: ['poll'] })
  polled(): Observable<object> {
    return this.polled$;
  }

  @EventSource({ name: 'only.pushed', delivery: ['push'] })
  pushed(): Observable<object> {
    return NEVER;
  }

  @EventSource({ name: 'only.posted', delivery: ['webhook'] })
  posted(): Observable<object> {
    return NEVER;
  }
}

const running: AlertsApp[] = [];
const receivers: WebhookReceiver[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((app) => app.close()));
  await Promise.all(receivers.splice(0).map((receiver) => receiver.stop()));
});

async function boot(parts: Parameters<typeof bootAlerts>[0] = {}): Promise<AlertsApp> {
  const app = await bootAlerts({ events: { webhooks: LOOPBACK }, ...parts });
  running.push(app);
  return app;
}

async function receive(): Promise<WebhookReceiver> {
  const receiver = await WebhookReceiver.start();
  receivers.push(receiver);
  return receiver;
}

const refuse = (value: string) => ({ code: -32014, data: { feature: 'deliveryMode', value } });

describe.each(WAYS)('A way of delivery, $wire on $adapter', ({ adapter, connect }) => {
  it('that a source does not offer is refused, whatever else is asked for (XTN-06)', async () => {
    const server = await boot({ adapter, providers: [Choosy] });
    const receiver = await receive();
    const call = await connect(server.url, CALLERS.ada.token);
    const { events } = await call('events/list').result();
    const delivery = { mode: 'webhook', url: receiver.url, secret: WEBHOOK_SECRET };
    const refused: [string, string, string][] = [
      ['events/poll', 'only.pushed', 'poll'],
      ['events/poll', 'only.posted', 'poll'],
      ['events/poll', 'key.pressed', 'poll'],
      ['events/stream', 'only.polled', 'push'],
      ['events/stream', 'only.posted', 'push'],
      ['events/subscribe', 'only.polled', 'webhook'],
      ['events/subscribe', 'only.pushed', 'webhook'],
    ];
    for (const [method, name, mode] of refused) {
      const { error } = await call(method, { name, arguments: { a: 1 }, delivery }).answer();
      expect(error).toMatchObject(refuse(mode));
    }
    expect(events).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'only.polled', delivery: ['poll'] }),
        expect.objectContaining({ name: 'only.pushed', delivery: ['push'] }),
        expect.objectContaining({ name: 'only.posted', delivery: ['webhook'] }),
      ]),
    );
    expect(receiver.asked).toEqual([]);
    expect(await call('events/poll', { name: 'only.polled' }).result()).toMatchObject({ events: [] });
    expect(await call('events/subscribe', { name: 'only.posted', delivery }).result()).toHaveProperty('id');
  });

  it('by a stream has heartbeats and no comments, and a last word that says whose it is (XTN-06)', async () => {
    const server = await boot({
      adapter,
      auth: 'none',
      events: { heartbeatMs: 100 },
      options: { streams: { keepAliveMs: 10 } },
    });
    const { stream, call: started } = await openEvents(await connect(server.url), { name: 'alert.fired' });
    for (let count = 0; count < 3; count += 1) {
      await stream.nextNotification('notifications/events/heartbeat');
    }
    server.app.get(McpEvents).remove('alert.fired');
    await within(stream.ended, 'the end of the stream');
    expect(stream.events.flatMap(({ comments }) => comments)).toEqual([]);
    expect(stream.messages.at(-1)).toMatchObject({
      id: started.id,
      result: { _meta: { [metaKey('subscriptionId')]: started.id } },
    });
  });

  it('by a webhook names each message by its event, and says why the last one is the last (XTN-06)', async () => {
    const server = await boot({ adapter });
    const receiver = await receive();
    const call = await connect(server.url, CALLERS.ada.token);
    const delivery = { mode: 'webhook', url: receiver.url, secret: WEBHOOK_SECRET };
    const { id } = await call('events/subscribe', { name: 'note.taken', delivery }).result();
    server.alerts.notes.next({ owner: 'ada', text: 'mine' });
    await receiver.take(1);
    server.app.get(McpEvents).remove('note.taken');
    const [note, farewell] = await receiver.take(2);
    expect(note?.json['eventId']).toBe('note of ada');
    expect(note?.headers['webhook-id']).toBe('note of ada');
    expect(farewell?.json).toMatchObject({
      type: 'terminated',
      error: { code: -32011, message: expect.any(String), data: { kind: 'event' } },
    });
    expect(farewell?.headers).toMatchObject({
      'webhook-id': expect.stringMatching(/^msg_terminated_./),
      'x-mcp-subscription-id': id,
    });
    expect(await verifyWebhook(note!, WEBHOOK_SECRET)).toBe(true);
    expect(await verifyWebhook(farewell!, WEBHOOK_SECRET)).toBe(true);
    const { error } = await call('events/unsubscribe', { name: 'note.taken', delivery }).answer();
    expect(error).toMatchObject({ code: -32011, data: { kind: 'subscription' } });
  });

  it('by a webhook gives a refresh no cursor ahead of what the receiver has (XTN-06)', async () => {
    const server = await boot({ adapter });
    const receiver = await receive();
    const call = await connect(server.url, CALLERS.ada.token);
    const delivery = { mode: 'webhook', url: receiver.url, secret: WEBHOOK_SECRET };
    const subscribe = () => call('events/subscribe', { name: 'alert.fired', delivery }).result();
    const begun = await subscribe();
    let answer = (): void => undefined;
    receiver.behave((response) => (answer = () => response.end()));
    server.alerts.fire('waits');
    await receiver.take(1);
    const meanwhile = await subscribe();
    answer();
    const settled = await until(async () => {
      const refreshed = await subscribe();
      return refreshed['cursor'] !== begun['cursor'] && refreshed;
    }, 'the settled delivery');
    expect(meanwhile['cursor']).toBe(begun['cursor']);
    const { events } = await call('events/poll', {
      name: 'alert.fired',
      cursor: meanwhile['cursor'],
    }).result();
    expect(textsOf(events as [])).toEqual(['waits']);
    expect(settled['cursor']).toBe(receiver.received[0]?.json['cursor']);
  });

  it('by a webhook grants no end as long a time as there is, and less by default (XTN-06)', async () => {
    const webhooks = { ...LOOPBACK, ttlMs: 600_000, maxTtlMs: 7_200_000 };
    const server = await boot({ adapter, events: { webhooks } });
    const receiver = await receive();
    const call = await connect(server.url, CALLERS.ada.token);
    const delivery = { mode: 'webhook', url: receiver.url, secret: WEBHOOK_SECRET };
    const grant = async (rest: object) => {
      const params = { name: 'alert.fired', delivery, ...rest };
      const { refreshBefore } = await call('events/subscribe', params).result();
      return new Date(String(refreshBefore)).getTime() - Date.now();
    };
    expect(await grant({})).toBeLessThanOrEqual(600_000);
    expect(await grant({ ttlMs: null })).toBeGreaterThan(7_000_000);
    expect(await grant({ ttlMs: 900_000 })).toBeLessThanOrEqual(900_000);
  });
});

describe.each(ADAPTERS)('A stream of events that its client takes up again, on %s', (adapter) => {
  it('has no comments either, while the standing stream has (XTN-06)', async () => {
    const server = await boot({
      adapter,
      auth: 'none',
      events: { heartbeatMs: 100 },
      options: { streams: { keepAliveMs: 10 } },
    });
    const session = await initialize(server.url);
    const started = session.start('events/stream', { name: 'alert.fired' });
    const stream = await started.stream();
    await stream.nextNotification('notifications/events/active');
    const { lastEventId } = stream;
    await stream.close();
    const resumed = await session.openStream({ lastEventId });
    const standing = await session.openStream();
    server.alerts.fire('back');
    expect(textsOf([await nextEvent(resumed)])).toEqual(['back']);
    await standing.next(({ comments }) => comments.length > 0);
    await resumed.nextNotification('notifications/events/heartbeat');
    expect(resumed.events.flatMap(({ comments }) => comments)).toEqual([]);
    await Promise.all([resumed.close(), standing.close()]);
  });
});

describe('A source whose "delivery" leaves nothing', () => {
  @Injectable()
  class Unreachable {
    @EventSource({ name: 'unreachable', cursorless: true, delivery: ['poll'] })
    unreachable(): Observable<object> {
      return NEVER;
    }
  }

  it('keeps the application from starting, and says what there is (XTN-06)', async () => {
    await expect(boot({ auth: 'none', events: true, providers: [Unreachable] })).rejects.toThrow(
      'The option "delivery" excludes every delivery mode: use one of "push"',
    );
  });
});
