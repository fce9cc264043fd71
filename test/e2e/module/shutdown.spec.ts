import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { McpNotifier } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { WaitingTools } from '../../support/applications/waiting-tools.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import { until, within } from '../../support/until.js';

describe.each(ADAPTERS)('app.close() on %s', (adapter) => {
  let desk: RunningApp;
  let tools: WaitingTools;

  beforeEach(async () => {
    desk = await bootServer({ adapter, providers: [WaitingTools] });
    tools = desk.app.get(WaitingTools);
  });

  afterEach(() => desk.close());

  const close = () => within(desk.close(), 'the application to close');

  it('ends standing streams as a server that is done does (MOD-12)', async () => {
    const sessions = [await initialize(desk.url), await initialize(desk.url, { version: '2025-03-26' })];
    const streams = await Promise.all(sessions.map((session) => session.openStream()));
    await close();
    for (const stream of streams) {
      await within(stream.ended, 'the end of a stream');
      expect(stream.response.complete).toBe(true);
    }
  });

  it('delivers what was emitted before (MOD-12)', async () => {
    const stream = await (await initialize(desk.url)).openStream();
    desk.app.get(McpNotifier).log('error', 'last words');
    await close();
    await within(stream.ended, 'the end of a stream');
    expect(stream.messages.map(({ params }) => params?.['data'])).toEqual(['last words']);
  });

  it.each(['session', 'stateless wire'])(
    'cancels what runs on the %s and answers it (MOD-12)',
    async (wire) => {
      const client = wire === 'session' ? await initialize(desk.url) : perRequest(desk.url);
      const quiet = client.start('tools/call', { name: 'wait', arguments: { gate: 'quiet' } });
      const streaming = client.start('tools/call', {
        name: 'wait',
        arguments: { gate: 'streaming' },
        _meta: { progressToken: 1 },
      });
      for (const gate of ['quiet', 'streaming']) await tools.gates.at(gate).reached();
      await close();
      const answers = [await quiet.answer(), await streaming.answer()];
      expect(tools.aborted.toSorted()).toEqual(['quiet', 'streaming']);
      for (const { result, error } of answers) expect([result, error?.code]).toEqual([undefined, -32603]);
      expect(answers[1]?.notifications).toHaveLength(1);
    },
  );

  it('waits for no handler that heeds nothing (MOD-12)', async () => {
    const session = await initialize(desk.url);
    const call = session.start('tools/call', { name: 'ignore', arguments: { gate: 'never' } });
    await tools.gates.at('never').reached();
    await close();
    expect((await call.answer()).result).toBeUndefined();
  });

  it('lets nobody in any more (MOD-12)', async () => {
    const session = await initialize(desk.url);
    await close();
    await expect(session.request('ping')).rejects.toThrow(/ECONNREFUSED/);
  });

  it('tells the application of every session that closes, and is done with it (MOD-12)', async () => {
    const notifier = desk.app.get(McpNotifier);
    const session = await initialize(desk.url);
    const closed: string[] = [];
    let isComplete = false;
    notifier.sessions$.subscribe({
      next: ({ type, session: { id } }) => type === 'closed' && closed.push(id),
      complete: () => (isComplete = true),
    });
    await close();
    await until(() => isComplete, 'the end of the events');
    expect(closed).toEqual([session.id]);
    expect(notifier.sessions).toEqual([]);
  });

  it('has nothing against emitting afterwards (MOD-12)', async () => {
    const notifier = desk.app.get(McpNotifier);
    await initialize(desk.url);
    await close();
    expect(() => {
      notifier.toolsListChanged();
      notifier.resourceUpdated('desk://a');
      notifier.log('emergency', 'too late');
    }).not.toThrow();
  });
});
