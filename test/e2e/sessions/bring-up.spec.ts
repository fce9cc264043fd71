import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { McpCatalog, McpNotifier, Tool, type McpContext, type SessionEvent } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize } from '../../support/clients/json-rpc.js';
import { until } from '../../support/until.js';

@Injectable()
class ReportingTool {
  @Tool({ description: 'Reports and greets' })
  greet(_: object, context: McpContext): string {
    context.progress(1);
    return `hello, live ${context.session?.isLive}`;
  }
}

describe.each(ADAPTERS)('the bring-up of a session on %s', (adapter) => {
  let desk: RunningApp;
  let notifier: McpNotifier;
  let catalog: McpCatalog;

  beforeAll(async () => {
    desk = await bootServer({
      adapter,
      options: { capabilities: { resources: true } },
      providers: [ReportingTool],
    });
    notifier = desk.app.get(McpNotifier);
    catalog = desk.app.get(McpCatalog);
  });

  afterAll(() => desk.close());

  const methods = (messages: { method?: string }[]) => messages.map(({ method }) => method);

  it('keeps everything but log entries from a client that has not confirmed (SESS-01)', async () => {
    const session = await initialize(desk.url, { confirm: false });
    const stream = await session.openStream();
    await session.request('resources/subscribe', { uri: 'desk://a' });
    notifier.toolsListChanged();
    notifier.resourceUpdated('desk://a');
    notifier.log('error', 'on fire');
    await stream.nextNotification('notifications/message');
    expect(methods(stream.messages)).toEqual(['notifications/message']);

    await session.notify('notifications/initialized');
    notifier.log('error', 'last');
    await stream.nextNotification('notifications/message');
    expect(methods(stream.messages)).toEqual(['notifications/message', 'notifications/message']);
    await stream.close();
  });

  it('sends what comes after notifications/initialized (SESS-01)', async () => {
    const session = await initialize(desk.url, { confirm: false });
    const stream = await session.openStream();
    expect((await session.notify('notifications/initialized')).status).toBe(202);
    notifier.toolsListChanged();
    await stream.nextNotification('notifications/tools/list_changed');
    expect(stream.messages).toHaveLength(1);
    await stream.close();
  });

  it('serves an early request (SESS-01)', async () => {
    const session = await initialize(desk.url, { confirm: false });
    expect((await session.request('ping')).result).toEqual({});
    expect((await session.request('tools/list')).result).toHaveProperty('tools');
    const { result } = await session.request('tools/call', { name: 'greet' });
    expect(result?.['content']).toEqual([{ type: 'text', text: 'hello, live false' }]);
  });

  it('sends an early call no progress (SESS-01)', async () => {
    const session = await initialize(desk.url, { confirm: false });
    const params = { name: 'greet', _meta: { progressToken: 1 } };
    expect((await session.request('tools/call', params)).notifications).toEqual([]);
    await session.notify('notifications/initialized');
    expect((await session.request('tools/call', params)).notifications).toHaveLength(1);
  });

  it('is observed step by step (SESS-01, NOTE-01)', async () => {
    const events: SessionEvent[] = [];
    const watching = notifier.sessions$.subscribe((event) => events.push(event));
    const session = await initialize(desk.url, { confirm: false });
    const types = () => events.filter((event) => event.session.id === session.id).map(({ type }) => type);
    expect(types()).toEqual(['opened']);
    expect(events.at(-1)?.session.isLive).toBe(false);

    await session.notify('notifications/initialized');
    await session.notify('notifications/initialized');
    await until(() => types().length === 2, 'the event of the confirmation');
    expect(events.at(-1)?.session.isLive).toBe(true);

    await session.delete();
    expect(types()).toEqual(['opened', 'initialized', 'closed']);
    watching.unsubscribe();
  });

  it('holds back what the catalog tells as well (SESS-01)', async () => {
    const session = await initialize(desk.url, { confirm: false });
    const stream = await session.openStream();
    catalog.tools.add({ name: 'extra' }, () => 'extra');
    await until(() => catalog.tools.find('extra'), 'the tool');
    const confirmed = await initialize(desk.url);
    const other = await confirmed.openStream();
    catalog.tools.remove('extra');
    await other.nextNotification('notifications/tools/list_changed');
    notifier.log('error', 'last');
    await stream.nextNotification('notifications/message');
    expect(stream.messages).toHaveLength(1);
    await stream.close();
    await other.close();
  });
});
