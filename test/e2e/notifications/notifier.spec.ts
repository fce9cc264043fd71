import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { McpNotifier, Tool, type SessionEvent } from 'nestjs-mcp';
import { firstValueFrom, take, toArray } from 'rxjs';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize } from '../../support/clients/json-rpc.js';
import { within } from '../../support/until.js';

@Injectable()
class DeskService {
  constructor(readonly notifier: McpNotifier) {}

  @Tool({ description: 'Closes the ticket for all to hear' })
  close(): string {
    this.notifier.log('info', 'ticket closed');
    return 'closed';
  }
}

/** Counts how often it is turned into JSON. */
class CountedPayload {
  count = 0;

  toJSON(): object {
    this.count += 1;
    return { ticket: 7 };
  }
}

describe.each(ADAPTERS)('the notifier on %s', (adapter) => {
  let desk: RunningApp;
  let notifier: McpNotifier;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [DeskService] });
    notifier = desk.app.get(DeskService).notifier;
  });

  afterAll(() => desk.close());

  it('shows the sessions that are open (NOTE-01)', async () => {
    const session = await initialize(desk.url, { version: '2025-06-18', capabilities: { roots: {} } });
    const view = notifier.sessions.find(({ id }) => id === session.id);
    expect(view).toMatchObject({
      id: session.id,
      isLive: true,
      revision: { version: '2025-06-18' },
      client: { capabilities: { roots: {} }, info: { name: 'e2e', version: '1.0.0' } },
    });
    await session.delete();
    expect(notifier.sessions.map(({ id }) => id)).not.toContain(session.id);
  });

  it('emits what happens to sessions, to each observer (NOTE-01)', async () => {
    const observe = () => within(firstValueFrom(notifier.sessions$.pipe(take(3), toArray())), 'three events');
    const seen = [observe(), observe()];
    const session = await initialize(desk.url);
    await session.delete();
    for (const events of await Promise.all(seen)) {
      expect(events.map(({ type, session: { id } }) => [type, id])).toEqual([
        ['opened', session.id],
        ['initialized', session.id],
        ['closed', session.id],
      ]);
    }
  });

  it('tells an observer nothing more once it has unsubscribed (NOTE-01)', async () => {
    const seen: SessionEvent[] = [];
    const watching = notifier.sessions$.subscribe((event) => seen.push(event));
    const session = await initialize(desk.url);
    const before = seen.length;
    watching.unsubscribe();
    await session.delete();
    expect(notifier.sessions.map(({ id }) => id)).not.toContain(session.id);
    expect([before, seen.length]).toEqual([2, 2]);
  });

  it('emits from application code to every session (NOTE-01, NOTE-02)', async () => {
    const [caller, listener] = [await initialize(desk.url), await initialize(desk.url)];
    const streams = [await caller.openStream(), await listener.openStream()];
    await caller.request('tools/call', { name: 'close' });
    for (const stream of streams) {
      const message = await stream.nextNotification('notifications/message');
      expect(message.params).toEqual({ level: 'info', data: 'ticket closed' });
      expect(stream.messages).toHaveLength(1);
      await stream.close();
    }
  });

  it('keeps the order of what it emits (NOTE-01)', async () => {
    const stream = await (await initialize(desk.url)).openStream();
    for (let count = 0; count < 100; count += 1) notifier.log('info', count);
    await stream.nextMessage(({ params }) => params?.['data'] === 99);
    expect(stream.messages.map(({ params }) => params?.['data'])).toEqual([...Array(100).keys()]);
    await stream.close();
  });

  it('serializes once, however many sessions receive it (NOTE-09)', async () => {
    const sessions = await Promise.all(Array.from({ length: 20 }, () => initialize(desk.url)));
    const streams = await Promise.all(sessions.map((session) => session.openStream()));
    const payload = new CountedPayload();
    notifier.log('error', payload);
    for (const stream of streams) {
      const { params } = await stream.nextNotification('notifications/message');
      expect(params?.['data']).toEqual({ ticket: 7 });
      await stream.close();
    }
    expect(payload.count).toBe(1);
  });

  it('reaches nobody, and fails nobody, where no session is open (NOTE-02)', async () => {
    const empty = await bootServer({ adapter });
    const alone = empty.app.get(McpNotifier);
    alone.toolsListChanged();
    alone.resourceUpdated('desk://a');
    alone.log('emergency', 'nobody hears');
    expect(alone.sessions).toEqual([]);
    await empty.close();
  });
});
