import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { McpNotifier, type McpOptions } from 'nestjs-mcp';
import { AnyResource } from '../../support/applications/any-resource.js';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { WaitingTools } from '../../support/applications/waiting-tools.js';
import type { EventStream } from '../../support/clients/event-stream.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';

const HOUR_MS = 3_600_000;

describe.each(ADAPTERS)('The room that sessions have on %s', (adapter) => {
  let desk: RunningApp;
  let notifier: McpNotifier;

  afterEach(async () => {
    jest.restoreAllMocks();
    await desk.close();
  });

  async function boot(options: Partial<McpOptions>): Promise<void> {
    const capabilities = { resources: true };
    desk = await bootServer({
      adapter,
      options: { capabilities, ...options },
      providers: [WaitingTools, AnyResource],
    });
    notifier = desk.app.get(McpNotifier);
  }

  /** Gives the log entries on a stream up to one that is sent now. */
  async function entriesOn(stream: EventStream): Promise<unknown[]> {
    notifier.log('error', 'end');
    await stream.nextMessage(({ params }) => params?.['data'] === 'end');
    return stream.messages.map(({ params }) => params?.['data']).slice(0, -1);
  }

  it('is made for another by those whose time is over, before anybody looked for them (HTTP-10, SESS-05)', async () => {
    const [idleTimeoutMs, unusedTimeoutMs] = [10 * HOUR_MS, 10 * HOUR_MS];
    await boot({ sessions: { maxSessions: 1, lifetimeMs: HOUR_MS, idleTimeoutMs, unusedTimeoutMs } });
    const first = await initialize(desk.url);
    first.start('tools/call', { name: 'wait', arguments: { gate: 'for ever' } });
    await desk.app.get(WaitingTools).gates.at('for ever').reached();
    await expect(initialize(desk.url)).rejects.toThrow('429');
    const now = Date.now();
    jest.spyOn(Date, 'now').mockReturnValue(now + HOUR_MS);
    expect((await (await initialize(desk.url)).request('ping')).result).toEqual({});
    expect(desk.app.get(WaitingTools).aborted).toEqual(['for ever']);
    expect((await first.request('ping')).status).toBe(404);
  });

  it('for subscriptions is given back by unsubscribing, in characters too (HTTP-10)', async () => {
    await boot({ sessions: { maxSubscriptionCharacters: 15 } });
    const session = await initialize(desk.url);
    const change = async (method: string, uri: string) =>
      (await session.request(method, { uri })).error?.code;
    for (const uri of ['desk://first', 'desk://other', 'desk://third']) {
      expect(await change('resources/subscribe', uri)).toBeUndefined();
      expect(await change('resources/subscribe', 'desk://fourth')).toBe(-32602);
      expect(await change('resources/unsubscribe', uri)).toBeUndefined();
      expect(await change('resources/unsubscribe', uri)).toBeUndefined();
    }
    expect(await change('resources/subscribe', 'desk://much-too-long')).toBe(-32602);
  });

  it('for subscriptions is that of each session by itself (HTTP-10) (SESS-04)', async () => {
    await boot({ sessions: { maxSubscriptions: 1 } });
    const [first, second] = [await initialize(desk.url), await initialize(desk.url)];
    for (const session of [first, second]) {
      expect((await session.request('resources/subscribe', { uri: 'desk://a' })).result).toEqual({});
    }
    const listen = perRequest(desk.url);
    const notifications = { resourceSubscriptions: ['desk://a', 'desk://b'] };
    const { error } = await listen.request('subscriptions/listen', { notifications });
    expect(error?.code).toBe(-32602);
    await (await listen.listen({ resourceSubscriptions: ['desk://a'] })).close();
  });

  it('for events is bounded by their number: the oldest make room (HTTP-08)', async () => {
    await boot({ sessions: { eventLogSize: 8 } });
    const session = await initialize(desk.url);
    for (let count = 1; count <= 20; count += 1) notifier.log('error', count);
    const kept = await entriesOn(await session.openStream());
    expect(kept.length).toBeLessThanOrEqual(8);
    expect(kept.length).toBeGreaterThan(0);
    expect(kept).toEqual(Array.from({ length: kept.length }, (_, index) => 20 - kept.length + 1 + index));
  });

  it('for events is bounded by their characters: the oldest make room (HTTP-08)', async () => {
    await boot({ sessions: { eventLogCharacters: 1000 } });
    const session = await initialize(desk.url);
    for (let count = 1; count <= 20; count += 1) notifier.log('error', `${count} ${'x'.repeat(200)}`);
    const kept = await entriesOn(await session.openStream());
    expect(kept.length).toBeLessThan(5);
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.at(-1)).toMatch(/^20 x/);
  });

  it('for events is not given to one that would take all of it (HTTP-08)', async () => {
    await boot({ sessions: { eventLogCharacters: 1000 } });
    const session = await initialize(desk.url);
    notifier.log('error', 'before');
    notifier.log('error', 'x'.repeat(2000));
    notifier.log('error', 'after');
    expect(await entriesOn(await session.openStream())).toEqual(['before', 'after']);
  });
});
