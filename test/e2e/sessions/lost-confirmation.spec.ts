import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { McpModule, McpNotifier, Tool, type McpContext } from 'nestjs-mcp';
import { ADAPTERS, bootApp, type AdapterName, type RunningApp } from '../../support/applications/boot.js';
import { initialize, SessionClient } from '../../support/clients/json-rpc.js';

const SECRET = 'the secret that both processes were given';

@Injectable()
class ReportingTools {
  @Tool({ description: 'Reports and greets' })
  greet(_: object, context: McpContext): string {
    context.progress(1);
    return `hello, live ${context.session?.isLive}`;
  }

  @Tool({ description: 'Asks who is there' })
  async ask(_: object, context: McpContext): Promise<string> {
    const { action } = await context.elicit({
      message: 'Who is there?',
      schema: { type: 'object', properties: { name: { type: 'string' } } },
    });
    return action;
  }
}

function start(adapter: AdapterName, adopt: boolean): Promise<RunningApp> {
  return bootApp({
    adapter,
    imports: [
      McpModule.forRoot({
        serverInfo: { name: 'desk', version: '1.0.0' },
        secret: SECRET,
        sessions: { recover: adopt },
      }),
    ],
    providers: [ReportingTools],
  });
}

const GREETING = { name: 'greet', _meta: { progressToken: 1 } };

describe.each(ADAPTERS)('a session whose confirmation reached another process, on %s', (adapter) => {
  let first: RunningApp;
  let second: RunningApp;

  beforeAll(async () => {
    [first, second] = [await start(adapter, true), await start(adapter, true)];
  });

  afterAll(async () => {
    await first.close();
    await second.close();
  });

  /** Shakes hands with one process, and tells the other that this is done. */
  async function shakeHands(options: Parameters<typeof initialize>[1] = {}): Promise<SessionClient> {
    const session = await initialize(first.url, { ...options, confirm: false });
    const elsewhere = new SessionClient(second.url, session.handshake, {});
    expect((await elsewhere.notify('notifications/initialized')).status).toBe(202);
    return session;
  }

  it('sends the progress of its first call (FAIR-08)', async () => {
    const session = await shakeHands();
    const { notifications, result } = await session.request('tools/call', GREETING);
    expect(notifications).toMatchObject([{ method: 'notifications/progress' }]);
    expect(result?.['content']).toEqual([{ type: 'text', text: 'hello, live true' }]);
  });

  it('lets its first call ask (FAIR-08)', async () => {
    const session = await shakeHands({ version: '2025-06-18', capabilities: { elicitation: {} } });
    const call = session.start('tools/call', { name: 'ask' });
    const stream = await call.stream();
    const question = await stream.nextMessage(({ method }) => method === 'elicitation/create');
    await session.post({ jsonrpc: '2.0', id: question.id, result: { action: 'decline' } });
    const answer = await stream.nextMessage(({ id }) => id === call.id);
    expect(answer.result).toMatchObject({ content: [{ text: 'decline' }] });
  });

  it('hears of changes after a request, and not after a ping (FAIR-08, SESS-01)', async () => {
    const session = await shakeHands();
    const stream = await session.openStream();
    const notifier = first.app.get(McpNotifier);
    expect((await session.request('ping')).result).toEqual({});
    notifier.toolsListChanged();
    expect((await session.request('tools/list')).status).toBe(200);
    notifier.toolsListChanged();
    notifier.log('error', 'last');
    await stream.nextNotification('notifications/message');
    expect(stream.messages.map(({ method }) => method)).toEqual([
      'notifications/tools/list_changed',
      'notifications/message',
    ]);
    await stream.close();
  });

  it('is confirmed by a batch that has more than pings (FAIR-08, CORE-09)', async () => {
    const session = await shakeHands({ version: '2025-03-26' });
    const ping = { jsonrpc: '2.0', id: 'p', method: 'ping' };
    await session.post([ping]);
    const live = () => first.app.get(McpNotifier).sessions.find(({ id }) => id === session.id)?.isLive;
    expect(live()).toBe(false);
    await session.post([ping, { jsonrpc: '2.0', id: 'l', method: 'tools/list' }]);
    expect(live()).toBe(true);
  });
});

describe.each(ADAPTERS)('a session that no other process may adopt, on %s', (adapter) => {
  it('waits for its confirmation, whatever is asked (SESS-01)', async () => {
    const desk = await start(adapter, false);
    const session = await initialize(desk.url, { confirm: false });
    expect((await session.request('tools/list')).status).toBe(200);
    const early = await session.request('tools/call', GREETING);
    expect([early.notifications, early.result?.['content']]).toEqual([
      [],
      [{ type: 'text', text: 'hello, live false' }],
    ]);
    await session.notify('notifications/initialized');
    expect((await session.request('tools/call', GREETING)).notifications).toHaveLength(1);
    await desk.close();
  });
});
