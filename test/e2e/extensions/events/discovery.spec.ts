import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { EventSource, McpEvents, type EventDefinition } from 'nestjs-mcp';
import { NEVER, Subject, type Observable } from 'rxjs';
import { initialize, perRequest } from '../../../support/clients/json-rpc.js';
import { WAYS, type Caller } from '../../../support/applications/protected-desk.js';
import { until, within } from '../../../support/until.js';
import { bootAlerts, eventsOf, openEvents, textsOf, type AlertsApp } from './alerts.app.js';

/** A source that has been listened to enough. */
@Injectable()
class Ending {
  readonly ending = new Subject<object>();

  @EventSource({ name: 'ending' })
  ends(): Observable<object> {
    return this.ending;
  }
}

const running: AlertsApp[] = [];

afterEach(() => Promise.all(running.splice(0).map((app) => app.close())));

async function boot(parts: Parameters<typeof bootAlerts>[0] = {}): Promise<AlertsApp> {
  const app = await bootAlerts({ auth: 'none', ...parts });
  running.push(app);
  return app;
}

async function listNames(call: Caller): Promise<readonly string[]> {
  const { events } = await call('events/list').result();
  return (events as readonly EventDefinition[]).map(({ name }) => name);
}

/** Reads the list to its end; a list that does not end fails. */
async function listPages(call: Caller): Promise<readonly (readonly string[])[]> {
  const pages: (readonly string[])[] = [];
  let cursor: unknown;
  do {
    const page = await call('events/list', cursor === undefined ? undefined : { cursor }).result();
    pages.push((page['events'] as readonly EventDefinition[]).map(({ name }) => name));
    cursor = page['nextCursor'];
  } while (cursor !== undefined && pages.length < 10);
  return pages;
}

describe.each(WAYS)('The discovery of events, $wire on $adapter', ({ adapter, connect }) => {
  it('is by every name that clients look for (XTN-06) (EVT-01)', async () => {
    const server = await boot({ adapter });
    const session = await initialize(server.url);
    const discovered = await perRequest(server.url).request('server/discover');
    for (const answer of [session.result, discovered.result]) {
      expect(answer?.['capabilities']).toMatchObject({
        events: { listChanged: true },
        experimental: { events: {} },
        extensions: {
          'io.nestjs-mcp/events': { specVersion: '2026-07-28', stability: 'experimental' },
        },
      });
      expect(answer?.['capabilities']).toHaveProperty(['extensions', 'io.modelcontextprotocol/events'], {
        listChanged: true,
      });
    }
  });

  it('promises no news of changes to clients that have no session to hear them in (XTN-06) (STLS-01)', async () => {
    const server = await boot({ adapter, options: { stateless: true } });
    const { result } = await initialize(server.url);
    expect(result['capabilities']).toMatchObject({
      events: {},
      extensions: { 'io.modelcontextprotocol/events': {}, 'io.nestjs-mcp/events': {} },
    });
    expect(JSON.stringify(result['capabilities'])).not.toContain('listChanged');
    // On the stateless wire a client listens, and hears of them.
    const discovered = await perRequest(server.url).request('server/discover');
    expect(discovered.result?.['capabilities']).toMatchObject({
      extensions: { 'io.modelcontextprotocol/events': { listChanged: true } },
    });
  });

  it('goes page by page (XTN-06)', async () => {
    const server = await boot({ adapter, options: { pageSize: 2 } });
    const call = await connect(server.url);
    expect(await listPages(call)).toEqual([['alert.fired', 'key.pressed'], ['note.taken']]);
    for (const cursor of ['nowhere', '', 7, { after: 2 }]) {
      expect((await call('events/list', { cursor }).answer()).error).toMatchObject({ code: -32602 });
    }
    expect(await call('events/list', { cursor: null }).result()).toHaveProperty('nextCursor');
  });

  it('shows of each source what the draft of the working group needs (XTN-06)', async () => {
    const server = await boot({ adapter });
    const { events } = await (await connect(server.url))('events/list').result();
    for (const { name, delivery, inputSchema, payloadSchema } of events as readonly EventDefinition[]) {
      expect(name).not.toBe('');
      expect(new Set(delivery).size).toBe(delivery.length);
      expect(delivery.length).toBeGreaterThan(0);
      expect(inputSchema).toMatchObject({ type: 'object' });
      expect(payloadSchema).toMatchObject({ type: 'object' });
    }
  });

  it('shows what is added while the server runs, until it is removed (XTN-06)', async () => {
    const server = await boot({ adapter });
    const events = server.app.get(McpEvents);
    const call = await connect(server.url);
    const builds = new Subject<object>();
    events.add({ name: 'build.done', description: 'Fires when a build is done' }, builds);
    expect(await listNames(call)).toContain('build.done');
    const { stream } = await openEvents(call, { name: 'build.done' });
    builds.next({ text: 'first' });
    expect(events.remove('build.done')).toBe(true);
    await within(stream.ended, 'the end of the stream');
    expect(textsOf(eventsOf(stream.messages))).toEqual(['first']);
    expect(stream.messages.slice(2)).toMatchObject([
      {
        method: 'notifications/events/terminated',
        params: { error: { code: -32011, data: { kind: 'event' } } },
      },
      { result: {} },
    ]);
    const gone = { code: -32011, data: { kind: 'event' } };
    expect((await call('events/poll', { name: 'build.done' }).answer()).error).toMatchObject(gone);
    expect((await call('events/stream', { name: 'build.done' }).answer()).error).toMatchObject(gone);
    expect(await listNames(call)).not.toContain('build.done');
    expect([events.remove('build.done'), builds.observed]).toEqual([false, false]);
    events.add({ name: 'build.done' }, builds);
    expect(await listNames(call)).toContain('build.done');
  });

  it('lists no source that is over; what that has kept can be had, and nothing more (XTN-06)', async () => {
    const server = await boot({ adapter, providers: [Ending] });
    const { ending } = server.app.get(Ending);
    const call = await connect(server.url);
    const begun = await call('events/poll', { name: 'ending' }).result();
    ending.next({ text: 'last' });
    ending.complete();
    expect(await listNames(call)).not.toContain('ending');
    const rest = await call('events/poll', { name: 'ending', cursor: begun['cursor'] }).result();
    expect(textsOf(rest['events'] as [])).toEqual(['last']);
    const error = { code: -32011, data: { kind: 'event' } };
    for (const cursor of [rest['cursor'], null]) {
      const params = { name: 'ending', cursor };
      expect((await call('events/poll', params).answer()).error).toMatchObject(error);
      expect((await call('events/stream', params).answer()).error).toMatchObject(error);
    }
  });

  it('ends streams for a schema that they do not fit, and for nothing else (XTN-06)', async () => {
    const server = await boot({ adapter });
    const events = server.app.get(McpEvents);
    const call = await connect(server.url);
    const { stream } = await openEvents(call, { name: 'note.taken' });
    const payloadSchema = { type: 'object', properties: { owner: { type: 'string' } } } as const;
    events.update('note.taken', { description: 'Fires when a note is taken', payloadSchema });
    const { events: listed } = await call('events/list').result();
    server.alerts.notes.next({ owner: undefined, text: 'kept' });
    expect(listed).toContainEqual(
      expect.objectContaining({
        name: 'note.taken',
        description: 'Fires when a note is taken',
        payloadSchema,
      }),
    );
    expect(stream.isEnded).toBe(false);
    events.update('note.taken', { inputSchema: { type: 'object' } }, 'inputSchema');
    await within(stream.ended, 'the end of the stream');
    expect(stream.messages.at(-2)).toMatchObject({
      method: 'notifications/events/terminated',
      params: { error: { code: -32014, data: { feature: 'inputSchema', reason: 'schema_changed' } } },
    });
    const again = await openEvents(call, { name: 'note.taken', arguments: { any: 1 } });
    await again.stream.close();
  });

  it('tells each change of the list, on no stream of events (XTN-06)', async () => {
    const server = await boot({ adapter });
    const events = server.app.get(McpEvents);
    const session = await initialize(server.url);
    const streamed = await openEvents((...request) => session.start(...request), { name: 'alert.fired' });
    events.add({ name: 'early' }, NEVER);
    const standing = await session.openStream();
    const listening = await perRequest(server.url)
      .start('subscriptions/listen', { notifications: { eventsListChanged: true, toolsListChanged: true } })
      .stream();
    const acknowledged = await listening.nextNotification('notifications/subscriptions/acknowledged');
    events.add({ name: 'late' }, NEVER);
    events.update('late', { title: 'Late' });
    await standing.nextNotification('notifications/events/list_changed');
    await listening.nextNotification('notifications/events/list_changed');
    server.alerts.fire('on its own stream');
    await streamed.stream.nextNotification('notifications/events/event');
    expect(acknowledged.params).toMatchObject({ notifications: { eventsListChanged: true } });
    expect(streamed.stream.messages.map(({ method }) => method)).toEqual([
      'notifications/events/active',
      'notifications/events/event',
    ]);
    await Promise.all([standing.close(), listening.close(), streamed.stream.close()]);
    await until(() => events.remove('late'), 'the removal');
  });
});

describe('The discovery of events on a server without', () => {
  it('tells of no changes, and has none of the methods (XTN-06)', async () => {
    const server = await bootAlerts({ auth: 'none', options: { events: undefined } as never });
    running.push(server);
    const client = perRequest(server.url);
    const { result } = await client.request('server/discover');
    expect(JSON.stringify(result?.['capabilities'])).not.toContain('events');
    expect((await client.request('events/list')).error).toMatchObject({ code: -32601 });
    expect(() => server.app.get(McpEvents).add({ name: 'early' }, NEVER)).toThrow('"events" is required');
    const listening = await client
      .start('subscriptions/listen', { notifications: { eventsListChanged: true } })
      .stream();
    const { params } = await listening.nextNotification('notifications/subscriptions/acknowledged');
    expect(params).toMatchObject({ notifications: {} });
    expect(JSON.stringify(params)).not.toContain('eventsListChanged');
    await listening.close();
  });
});
