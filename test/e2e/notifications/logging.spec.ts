import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { McpNotifier, Tool, type LogLevel, type McpContext } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize, perRequest, type SessionClient } from '../../support/clients/json-rpc.js';
import { metaKey, type Message } from '../../support/clients/message.js';

const LEVELS: LogLevel[] = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

@Injectable()
class LoggingTool {
  @Tool({ description: 'Logs on every level' })
  logAll(_: object, context: McpContext): string {
    for (const level of LEVELS) context.log(level, { at: level }, 'desk');
    return 'logged';
  }
}

const levelsOf = (messages: readonly Message[]) =>
  messages.flatMap(({ method, params }) => (method === 'notifications/message' ? [params?.['level']] : []));

describe.each(ADAPTERS)('log entries on %s', (adapter) => {
  let desk: RunningApp;
  let silent: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [LoggingTool] });
    silent = await bootServer({
      adapter,
      options: { capabilities: { logging: false } },
      providers: [LoggingTool],
    });
  });

  afterAll(async () => {
    await desk.close();
    await silent.close();
  });

  /** Emits on every level and gives the levels that reach the session. */
  async function levelsReaching(session: SessionClient): Promise<unknown[]> {
    const stream = await session.openStream();
    for (const level of LEVELS) desk.app.get(McpNotifier).log(level, 'entry');
    await stream.nextMessage(({ params }) => params?.['level'] === 'emergency');
    await stream.close();
    await session.delete();
    return levelsOf(stream.messages);
  }

  it('reach a session from "info" on unless it says otherwise (NOTE-05)', async () => {
    expect(await levelsReaching(await initialize(desk.url))).toEqual(LEVELS.slice(1));
  });

  it.each(LEVELS)('reach a session at or above the level %s that it sets (NOTE-05)', async (level) => {
    const session = await initialize(desk.url);
    await session.request('logging/setLevel', { level });
    expect(await levelsReaching(session)).toEqual(LEVELS.slice(LEVELS.indexOf(level)));
  });

  it('carry level, logger and data (NOTE-05)', async () => {
    const stream = await (await initialize(desk.url)).openStream();
    const notifier = desk.app.get(McpNotifier);
    notifier.log('warning', { disk: 'full', left: 0 }, 'storage');
    notifier.log('error', 'plain');
    expect((await stream.nextNotification('notifications/message')).params).toEqual({
      level: 'warning',
      logger: 'storage',
      data: { disk: 'full', left: 0 },
    });
    expect((await stream.nextNotification('notifications/message')).params).toEqual({
      level: 'error',
      data: 'plain',
    });
    await stream.close();
  });

  it('keep the level of one session to it (NOTE-05)', async () => {
    const [loud, quiet] = [await initialize(desk.url), await initialize(desk.url)];
    await loud.request('logging/setLevel', { level: 'debug' });
    await quiet.request('logging/setLevel', { level: 'emergency' });
    expect(await levelsReaching(quiet)).toEqual(['emergency']);
    expect(await levelsReaching(loud)).toEqual(expect.arrayContaining(['debug']));
  });

  it('go on the stream of the call that logs, by the level of its session (NOTE-05, NOTE-06)', async () => {
    const session = await initialize(desk.url);
    const standing = await session.openStream();
    await session.request('logging/setLevel', { level: 'error' });
    const answer = await session.request('tools/call', { name: 'logAll' });
    expect(levelsOf(answer.notifications)).toEqual(LEVELS.slice(4));
    expect(answer.notifications[0]?.params).toEqual({
      level: 'error',
      logger: 'desk',
      data: { at: 'error' },
    });
    desk.app.get(McpNotifier).log('emergency', 'sentinel');
    await standing.nextMessage(({ params }) => params?.['data'] === 'sentinel');
    expect(standing.messages).toHaveLength(1);
    await standing.close();
  });

  it('are none of a server that did not declare them (NOTE-05)', async () => {
    const session = await initialize(silent.url);
    expect(session.result['capabilities']).not.toHaveProperty('logging');
    const stream = await session.openStream();
    silent.app.get(McpNotifier).log('emergency', 'entry');
    const answer = await session.request('tools/call', { name: 'logAll' });
    silent.app.get(McpNotifier).toolsListChanged();
    await stream.nextNotification('notifications/tools/list_changed');
    expect([levelsOf(answer.notifications), levelsOf(stream.messages)]).toEqual([[], []]);
    await stream.close();
  });

  it('are none of a server that did not declare them on the stateless wire (NOTE-05)', async () => {
    const meta = { [metaKey('logLevel')]: 'debug' };
    const answer = await perRequest(silent.url).request('tools/call', { name: 'logAll' }, { meta });
    expect(levelsOf(answer.notifications)).toEqual([]);
  });

  it('reach a request of the stateless wire only where it asks for them (NOTE-05)', async () => {
    const answer = await perRequest(desk.url).request('tools/call', { name: 'logAll' });
    expect(answer.notifications).toEqual([]);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
  });

  it.each(LEVELS)(
    'reach a request of the stateless wire at or above its level %s (NOTE-05)',
    async (level) => {
      const meta = { [metaKey('logLevel')]: level };
      const answer = await perRequest(desk.url).request('tools/call', { name: 'logAll' }, { meta });
      expect(levelsOf(answer.notifications)).toEqual(LEVELS.slice(LEVELS.indexOf(level)));
    },
  );

  it('never reach a subscription (NOTE-05, NOTE-08)', async () => {
    const client = perRequest(desk.url);
    const stream = await client.listen(
      { toolsListChanged: true },
      { meta: { [metaKey('logLevel')]: 'debug' } },
    );
    desk.app.get(McpNotifier).log('emergency', 'entry');
    await client.request('tools/call', { name: 'logAll' }, { meta: { [metaKey('logLevel')]: 'debug' } });
    desk.app.get(McpNotifier).toolsListChanged();
    await stream.nextNotification('notifications/tools/list_changed');
    expect(levelsOf(stream.messages)).toEqual([]);
    await stream.close();
  });
});
