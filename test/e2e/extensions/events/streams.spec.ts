import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { EventSource } from 'nestjs-mcp';
import { defer, Subject, type Observable } from 'rxjs';
import { ADAPTERS } from '../../../support/applications/boot.js';
import { initialize, perRequest } from '../../../support/clients/json-rpc.js';
import { WAYS, type Caller } from '../../../support/applications/protected-desk.js';
import { RecordedLog } from '../../../support/records/recorded-log.js';
import { until, within } from '../../../support/until.js';
import { bootAlerts, eventsOf, nextEvent, openEvents, textsOf, type AlertsApp } from './alerts.app.js';

/** Sources that come to an end of one kind or the other. */
@Injectable()
class EndingSources {
  readonly ending = new Subject<object>();
  /** A fresh one for each time that the source is subscribed to. */
  failing = new Subject<object>();

  @EventSource({ name: 'ending' })
  ends(): Observable<object> {
    return this.ending;
  }

  @EventSource({ name: 'failing', cursorless: true })
  fails(): Observable<object> {
    return defer(() => {
      this.failing = new Subject();
      return this.failing;
    });
  }
}

const running: AlertsApp[] = [];

afterEach(() => Promise.all(running.splice(0).map((app) => app.close())));

async function boot(parts: Parameters<typeof bootAlerts>[0] = {}): Promise<AlertsApp> {
  const app = await bootAlerts({ auth: 'none', ...parts });
  running.push(app);
  return app;
}

describe.each(WAYS)('A stream of events, $wire on $adapter', ({ adapter, connect }) => {
  it('ends with its result when the server shuts down, after what was to be sent (EVT-01)', async () => {
    const server = await boot({ adapter });
    const call = await connect(server.url);
    const streams = [
      await openEvents(call, { name: 'alert.fired' }),
      await openEvents(call, { name: 'key.pressed' }),
    ];
    server.alerts.fire('last words');
    await within(server.close(), 'the end of the server');
    for (const { stream, call: started } of streams) {
      await within(stream.ended, 'the end of the stream');
      expect(stream.messages.at(-1)).toMatchObject({ id: started.id, result: { _meta: expect.any(Object) } });
    }
    expect(textsOf(eventsOf(streams[0]!.stream.messages))).toEqual(['last words']);
    expect([server.alerts.alerts.observed, server.alerts.keys.observed]).toEqual([false, false]);
  });

  it('is terminated, and then answered, where its source completes; what is kept can be had (EVT-01)', async () => {
    const server = await boot({ adapter, providers: [EndingSources] });
    const { ending } = server.app.get(EndingSources);
    const call = await connect(server.url);
    const { stream, active } = await openEvents(call, { name: 'ending' });
    ending.next({ text: 'last' });
    ending.complete();
    await within(stream.ended, 'the end of the stream');
    expect(stream.messages.slice(1)).toMatchObject([
      { method: 'notifications/events/event', params: { data: { text: 'last' } } },
      {
        method: 'notifications/events/terminated',
        params: { error: { code: -32011, message: expect.any(String) } },
      },
      { result: {} },
    ]);
    const late = await openEvents(call, { name: 'ending', cursor: active['cursor'] });
    await within(late.stream.ended, 'the end of the late stream');
    expect(textsOf(eventsOf(late.stream.messages))).toEqual(['last']);
  });

  it('goes on where its source fails, and says so without the reason (EVT-01)', async () => {
    const log = new RecordedLog();
    const server = await boot({ adapter, providers: [EndingSources], nest: { logger: log } });
    const sources = server.app.get(EndingSources);
    const call = await connect(server.url);
    const { stream } = await openEvents(call, { name: 'failing' });
    const { failing } = sources;
    failing.error(new Error('the password is swordfish'));
    const { params } = await stream.nextNotification('notifications/events/error');
    await until(() => sources.failing !== failing && sources.failing.observed, 'another subscription');
    sources.failing.next({ text: 'back' });
    expect(textsOf([await nextEvent(stream)])).toEqual(['back']);
    expect(params).toMatchObject({
      error: { code: -32603, message: expect.not.stringContaining('swordfish') },
    });
    expect(log.text).toContain('swordfish');
    await stream.close();
  });

  it('leaves out a payload that does not fit, and goes on (EVT-01)', async () => {
    const server = await boot({ adapter });
    const { stream } = await openEvents(await connect(server.url), { name: 'alert.fired' });
    server.alerts.alerts.next({ severity: 'odd', text: 'secret' });
    server.alerts.fire('good');
    const { params } = await stream.nextNotification('notifications/events/error');
    expect(JSON.stringify(params)).not.toContain('secret');
    expect(textsOf([await nextEvent(stream)])).toEqual(['good']);
    await stream.close();
  });

  it('says that an event is too long, and nothing of what is in it (EVT-01)', async () => {
    const server = await boot({ adapter, events: { payloadCharacters: 100 } });
    const { stream } = await openEvents(await connect(server.url), { name: 'alert.fired' });
    server.alerts.fire(`secret ${'x'.repeat(100)}`, 'good');
    const { params } = await stream.nextNotification('notifications/events/error');
    const message = 'An event was dropped: it is too long to send';
    expect(params).toMatchObject({ error: { message } });
    expect(JSON.stringify(params)).not.toContain('secret');
    expect(textsOf([await nextEvent(stream)])).toEqual(['good']);
    await stream.close();
  });

  it('shows that it lives, and how far it has come (EVT-01)', async () => {
    const server = await boot({ adapter, events: { heartbeatMs: 20 } });
    const call = await connect(server.url);
    const { stream, active } = await openEvents(call, {
      name: 'alert.fired',
      arguments: { severity: 'low' },
    });
    const first = await stream.nextNotification('notifications/events/heartbeat');
    server.alerts.fire('for others');
    const moved = await until(async () => {
      const { params } = await stream.nextNotification('notifications/events/heartbeat');
      return params?.['cursor'] !== active['cursor'] && params;
    }, 'a heartbeat that is further');
    const { events } = await call('events/poll', { name: 'alert.fired', cursor: moved['cursor'] }).result();
    expect(first.params).toMatchObject({ cursor: active['cursor'] });
    expect(events).toEqual([]);
    await stream.close();
  });

  it('needs a client that takes streams (EVT-01)', async () => {
    const server = await boot({ adapter });
    const headers = { accept: 'application/json' };
    const { error } = await (
      connect === WAYS[0]?.connect
        ? (await initialize(server.url)).start('events/stream', { name: 'key.pressed' }, headers)
        : perRequest(server.url, { headers }).start('events/stream', { name: 'key.pressed' })
    ).answer();
    expect(error).toMatchObject({ code: -32014, data: { feature: 'deliveryMode', value: 'push' } });
    expect(server.alerts.keys.observed).toBe(false);
  });

  it('is begun by a cursor of another life of the server with all that is kept, and a gap is told (EVT-01)', async () => {
    const options = { secret: 'a secret of thirty-two characters' };
    const before = await boot({ adapter, options });
    const { active, stream } = await openEvents(await connect(before.url), { name: 'alert.fired' });
    await stream.close();
    const after = await boot({ adapter, options });
    after.alerts.fire('since then');
    const again = await openEvents(await connect(after.url), {
      name: 'alert.fired',
      cursor: active['cursor'],
    });
    expect(again.active).toMatchObject({ truncated: true, cursor: expect.any(String) });
    expect(textsOf([await nextEvent(again.stream)])).toEqual(['since then']);
    await again.stream.close();
  });
});

describe('A stream of events on a server without sessions', () => {
  it('is there for clients of every revision (EVT-01) (STLS-01)', async () => {
    const server = await boot({ options: { stateless: true } });
    const session = await initialize(server.url);
    for (const start of [session.start.bind(session), perRequest(server.url).start] as Caller[]) {
      const { stream } = await openEvents(start, { name: 'key.pressed' });
      server.alerts.keys.next({ text: 'heard' });
      expect(textsOf([await nextEvent(stream)])).toEqual(['heard']);
      await stream.close();
      await until(() => !server.alerts.keys.observed, 'the end of the subscription');
    }
    expect(session.id).toBe('');
  });
});

describe.each(ADAPTERS)('A client that leaves its stream, on %s', (adapter) => {
  it('leaves nothing behind on the stateless wire (EVT-01)', async () => {
    const server = await boot({ adapter });
    const client = perRequest(server.url);
    const { stream } = await openEvents(client.start, { name: 'key.pressed' });
    expect(server.alerts.keys.observed).toBe(true);
    await stream.close();
    await until(() => !server.alerts.keys.observed, 'the end of the subscription');
  });

  it('can come back in a session for what it missed, or cancel it, and then leaves nothing (EVT-01)', async () => {
    const server = await boot({ adapter });
    const session = await initialize(server.url);
    const started = session.start('events/stream', { name: 'key.pressed' });
    const stream = await started.stream();
    await stream.nextNotification('notifications/events/active');
    const { lastEventId } = stream;
    await stream.close();
    server.alerts.keys.next({ text: 'missed' });
    const resumed = await session.openStream({ lastEventId });
    expect(textsOf([await nextEvent(resumed)])).toEqual(['missed']);
    await session.notify('notifications/cancelled', { requestId: started.id });
    await within(resumed.ended, 'the end of the stream');
    expect(server.alerts.keys.observed).toBe(false);
  });

  it('and does not come back to its session loses it after a while (EVT-01)', async () => {
    const server = await boot({ adapter, events: { heartbeatMs: 20, unreadTimeoutMs: 40 } });
    const session = await initialize(server.url);
    const { stream } = await openEvents((...request) => session.start(...request), { name: 'key.pressed' });
    await stream.close();
    await until(() => !server.alerts.keys.observed, 'the end of the subscription');
    expect((await session.request('ping')).result).toEqual({});
  });
});
