import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { McpNotifier, Tool, type McpContext } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import type { EventStream } from '../../support/clients/event-stream.js';
import { Gates } from '../../support/applications/gate.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';

@Injectable()
class WordyTool {
  readonly gates = new Gates();

  @Tool({
    description: 'Reports in several lines, and waits',
    inputSchema: { type: 'object', properties: { gate: { type: 'string' } }, required: ['gate'] },
  })
  async wait({ gate }: { gate: string }, context: McpContext): Promise<string> {
    context.progress(1, 2, 'one\r\ntwo\nthree\u2028four');
    await this.gates.at(gate).pass(context.signal);
    return 'done';
  }
}

const KINDS = ['a standing stream', 'a call in a session', 'a stateless call', 'a subscription'] as const;

describe.each(ADAPTERS)('event streams on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter, options: { streams: { keepAliveMs: 20 } }, providers: [WordyTool] });
  });

  afterAll(() => desk.close());

  async function open(kind: (typeof KINDS)[number], gate: string): Promise<EventStream> {
    const params = { name: 'wait', arguments: { gate }, _meta: { progressToken: 1 } };
    switch (kind) {
      case 'a standing stream':
        return (await initialize(desk.url)).openStream();
      case 'a call in a session':
        return (await initialize(desk.url)).start('tools/call', params).stream();
      case 'a stateless call':
        return perRequest(desk.url).start('tools/call', params).stream();
      case 'a subscription':
        return perRequest(desk.url).listen({});
    }
  }

  it.each(KINDS)('are not to be buffered or kept: %s (HTTP-08)', async (kind) => {
    const stream = await open(kind, `headers ${adapter} ${kind}`);
    expect(stream.headers).toMatchObject({
      'content-type': expect.stringMatching(/^text\/event-stream/),
      'cache-control': expect.stringContaining('no-cache'),
      'x-accel-buffering': 'no',
    });
    await stream.close();
  });

  it.each(KINDS)('carry comments that keep them alive: %s (HTTP-08)', async (kind) => {
    const stream = await open(kind, `alive ${adapter} ${kind}`);
    const isComment = ({ comments }: { comments: readonly string[] }) => comments.length > 0;
    await stream.next(isComment);
    const { id, event, data } = await stream.next(isComment);
    expect([id, event, data]).toEqual([undefined, undefined, undefined]);
    await stream.close();
  });

  it('carry one message in one line of data (HTTP-08)', async () => {
    const gate = `lines ${adapter}`;
    const stream = await perRequest(desk.url)
      .start('tools/call', { name: 'wait', arguments: { gate }, _meta: { progressToken: 1 } })
      .stream();
    const progress = await stream.nextNotification('notifications/progress');
    expect(progress.params?.['message']).toBe('one\r\ntwo\nthree\u2028four');
    expect(stream.events.filter(({ data }) => data?.includes('\n'))).toEqual([]);
    await stream.close();
  });

  it('are named as messages or not at all (HTTP-08)', async () => {
    const session = await initialize(desk.url);
    const stream = await session.openStream();
    desk.app.get(McpNotifier).log('info', 'hello');
    await stream.nextNotification('notifications/message');
    const names = stream.events.filter(({ data }) => data).map(({ event }) => event ?? 'message');
    expect(new Set(names)).toEqual(new Set(['message']));
    await stream.close();
  });
});
