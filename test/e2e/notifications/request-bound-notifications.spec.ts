import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { McpNotifier, Tool, type McpContext } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { WaitingTools } from '../../support/applications/waiting-tools.js';
import { initialize, perRequest, type SessionClient } from '../../support/clients/json-rpc.js';
import type { Message } from '../../support/clients/message.js';

@Injectable()
class ReportingTool {
  readonly contexts: McpContext[] = [];

  @Tool({ description: 'Reports and logs' })
  report(_: object, context: McpContext): string {
    this.contexts.push(context);
    context.progress(1, 2);
    context.log('error', 'half way');
    context.progress(2, 2);
    return 'done';
  }
}

const BOUND = ['notifications/progress', 'notifications/message', 'notifications/progress'];
const params = { name: 'report', _meta: { progressToken: 'p' } };
const methods = (messages: readonly Message[]) => messages.map(({ method }) => method);

describe.each(ADAPTERS)('notifications that belong to a request on %s', (adapter) => {
  let desk: RunningApp;
  let notifier: McpNotifier;
  let session: SessionClient;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [ReportingTool, WaitingTools] });
    notifier = desk.app.get(McpNotifier);
  });

  beforeEach(async () => {
    session = await initialize(desk.url);
  });

  afterAll(() => desk.close());

  it('go on the stream of that call, and on no other (NOTE-06)', async () => {
    const standing = await session.openStream();
    const answer = await session.request('tools/call', params);
    notifier.log('error', 'last');
    await standing.nextNotification('notifications/message');
    expect(methods(answer.notifications)).toEqual(BOUND);
    expect(standing.messages).toHaveLength(1);
    await standing.close();
  });

  it('go before the response (NOTE-06)', async () => {
    const stream = await session.start('tools/call', params).stream();
    await stream.ended;
    expect(methods(stream.messages)).toEqual([...BOUND, undefined]);
  });

  it('go on the standing stream where the client takes no other (NOTE-06)', async () => {
    const standing = await session.openStream();
    const answer = await session.request('tools/call', params, { accept: 'application/json' });
    expect([answer.notifications, answer.result?.['content']]).toEqual([
      [],
      [{ type: 'text', text: 'done' }],
    ]);
    for (const method of BOUND) await standing.nextNotification(method);
    expect(methods(standing.messages)).toEqual(BOUND);
    await standing.close();
  });

  it('are of no use later to a client that reads neither (NOTE-06)', async () => {
    await session.request('tools/call', params, { accept: 'application/json' });
    const standing = await session.openStream();
    notifier.log('error', 'last');
    await standing.nextMessage(({ params: given }) => given?.['data'] === 'last');
    expect(standing.messages).toHaveLength(1);
    await standing.close();
  });

  it('never go on the stream of another call (NOTE-06)', async () => {
    const gate = `other ${adapter}`;
    const other = await session
      .start('tools/call', { name: 'wait', arguments: { gate }, _meta: { progressToken: 'other' } })
      .stream();
    await other.nextNotification('notifications/progress');
    await session.request('tools/call', params, { accept: 'application/json' });
    desk.app.get(WaitingTools).gates.at(gate).open();
    await other.ended;
    expect(methods(other.messages)).toEqual(['notifications/progress', undefined]);
  });

  it('of the stateless wire go on the response alone, and nowhere where it is JSON (NOTE-06)', async () => {
    const stream = await perRequest(desk.url).listen({ toolsListChanged: true });
    const answers = [
      await perRequest(desk.url).request('tools/call', params),
      await perRequest(desk.url).request('tools/call', params, { headers: { accept: 'application/json' } }),
    ];
    notifier.toolsListChanged();
    await stream.nextNotification('notifications/tools/list_changed');
    expect(answers.map(({ notifications }) => methods(notifications))).toEqual([
      ['notifications/progress', 'notifications/progress'],
      [],
    ]);
    expect(stream.messages).toHaveLength(2);
    await stream.close();
  });

  it('go nowhere once the request is answered (NOTE-06, PROG-01)', async () => {
    const { contexts } = desk.app.get(ReportingTool);
    const standing = await session.openStream();
    await session.request('tools/call', params);
    await session.request('tools/call', params, { accept: 'application/json' });
    await perRequest(desk.url).request('tools/call', params);
    for (const context of contexts) {
      context.progress(99, 100);
      context.log('emergency', 'too late');
    }
    notifier.log('error', 'last');
    await standing.nextMessage(({ params: given }) => given?.['data'] === 'last');
    expect(methods(standing.messages)).toEqual([...BOUND, 'notifications/message']);
    await standing.close();
  });
});
