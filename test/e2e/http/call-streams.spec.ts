import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { McpNotifier, Tool, type McpContext } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import type { EventStream } from '../../support/clients/event-stream.js';
import { Gates } from '../../support/applications/gate.js';
import {
  HANDSHAKE_VERSIONS,
  initialize,
  perRequest,
  type SessionClient,
} from '../../support/clients/json-rpc.js';

@Injectable()
class ReportingTool {
  readonly gates = new Gates();

  @Tool({
    description: 'Reports, waits, reports and answers',
    inputSchema: { type: 'object', properties: { gate: { type: 'string' } }, required: ['gate'] },
  })
  async work({ gate }: { gate: string }, context: McpContext): Promise<string> {
    context.progress(1, 3);
    await this.gates.at(gate).pass();
    context.progress(2, 3);
    context.progress(3, 3);
    return `done ${gate}`;
  }
}

let counter = 0;

describe.each(ADAPTERS)('the streams of calls on %s', (adapter) => {
  let desk: RunningApp;
  let session: SessionClient;
  let gate: string;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [ReportingTool] });
  });

  beforeEach(async () => {
    session = await initialize(desk.url);
    gate = `${adapter} ${(counter += 1)}`;
  });

  afterAll(() => desk.close());

  const params = (name: string) => ({
    name: 'work',
    arguments: { gate: name },
    _meta: { progressToken: name },
  });
  const gates = () => desk.app.get(ReportingTool).gates;

  /** Starts a call and reads its first message. */
  async function start(name = gate): Promise<EventStream> {
    const stream = await session.start('tools/call', params(name)).stream();
    await stream.nextNotification('notifications/progress');
    return stream;
  }

  const progress = (stream: EventStream) =>
    stream.messages.flatMap((message) => message.params?.['progress'] ?? []);
  const results = (stream: EventStream) => stream.messages.flatMap(({ result }) => result?.['content'] ?? []);
  const ids = (stream: EventStream) => stream.events.flatMap(({ id, data }) => (data ? [id] : []));

  it('count their events by an id of their own stream (HTTP-04)', async () => {
    const stream = await start();
    gates().at(gate).open();
    await stream.ended;
    const parts = ids(stream).map((id) => id?.split(':'));
    expect(new Set(parts.map((part) => part?.[0])).size).toBe(1);
    expect(parts.map((part) => Number(part?.[1]))).toEqual([1, 2, 3, 4]);
  });

  it('share no event id with another stream of the session (HTTP-04)', async () => {
    const standing = await session.openStream();
    desk.app.get(McpNotifier).log('info', 'hello');
    await standing.nextNotification('notifications/message');
    const streams = [await start(`${gate} a`), await start(`${gate} b`)];
    for (const name of ['a', 'b']) gates().at(`${gate} ${name}`).open();
    await Promise.all(streams.map(({ ended }) => ended));

    const all = [standing, ...streams].flatMap(ids);
    expect(all).toHaveLength(9);
    expect(new Set(all).size).toBe(9);
    await standing.close();
  });

  it('are taken up by a GET where they were cut, to the response (HTTP-04)', async () => {
    const stream = await start();
    await stream.close();
    gates().at(gate).open();

    const resumed = await session.openStream({ lastEventId: stream.lastEventId });
    await resumed.ended;
    expect([progress(resumed), results(resumed)]).toEqual([[2, 3], [{ type: 'text', text: `done ${gate}` }]]);
    expect(ids(resumed)).not.toContain(stream.lastEventId);
  });

  it('are given again from an earlier event on (HTTP-04)', async () => {
    const stream = await start();
    gates().at(gate).open();
    await stream.ended;
    const resumed = await session.openStream({ lastEventId: ids(stream)[1] });
    await resumed.ended;
    expect(progress(resumed)).toEqual([3]);
    expect(results(resumed)).toHaveLength(1);
  });

  it('go on live after what was missed (HTTP-04)', async () => {
    const stream = await start();
    await stream.close();
    const resumed = await session.openStream({ lastEventId: stream.lastEventId });
    gates().at(gate).open();
    await resumed.ended;
    expect(progress(resumed)).toEqual([2, 3]);
    expect(results(resumed)).toHaveLength(1);
  });

  it('give nothing of another stream of the session when they are taken up (HTTP-04)', async () => {
    const standing = await session.openStream();
    const first = await start(`${gate} a`);
    const second = await start(`${gate} b`);
    await first.close();
    await second.close();
    desk.app.get(McpNotifier).log('info', 'for the standing stream');
    for (const name of ['a', 'b']) gates().at(`${gate} ${name}`).open();

    const resumed = await session.openStream({ lastEventId: first.lastEventId });
    await resumed.ended;
    expect(results(resumed)).toEqual([{ type: 'text', text: `done ${gate} a` }]);
    expect(resumed.messages).toHaveLength(3);

    await standing.nextNotification('notifications/message');
    expect(standing.messages).toHaveLength(1);
    await standing.close();
  });

  it('stand beside the standing stream, which gets nothing of theirs (HTTP-04)', async () => {
    const standing = await session.openStream();
    const stream = await start();
    gates().at(gate).open();
    await stream.ended;
    desk.app.get(McpNotifier).log('info', 'last');
    await standing.nextNotification('notifications/message');
    expect(standing.messages).toHaveLength(1);
    await standing.close();
  });

  it.each(HANDSHAKE_VERSIONS)(
    'begin in %s with an empty event from 2025-11-25 on (HTTP-04)',
    async (version) => {
      session = await initialize(desk.url, { version });
      const stream = await start();
      gates().at(gate).open();
      await stream.ended;
      const isPrimed = stream.events[0]?.id !== undefined && !stream.events[0].data;
      expect(isPrimed).toBe(version === '2025-11-25');
      expect(stream.events.filter(({ data }) => data)).toHaveLength(4);
    },
  );

  it('are taken up from the empty event that they begin with (HTTP-04)', async () => {
    const stream = await start();
    gates().at(gate).open();
    await stream.ended;
    const resumed = await session.openStream({ lastEventId: stream.events[0]?.id });
    await resumed.ended;
    expect(progress(resumed)).toEqual([1, 2, 3]);
  });

  it('have no event ids on the stateless wire, which cannot take them up (HTTP-04, VER-03)', async () => {
    const call = perRequest(desk.url).start('tools/call', params(gate));
    const stream = await call.stream();
    gates().at(gate).open();
    await stream.ended;
    expect(stream.events.filter(({ id, retry }) => id !== undefined || retry !== undefined)).toEqual([]);
    expect(results(stream)).toHaveLength(1);
  });

  it('of another session cannot be taken up (HTTP-04)', async () => {
    const stream = await start();
    const other = await initialize(desk.url);
    const taken = other.openStream({ lastEventId: stream.lastEventId });
    await expect(taken).rejects.toThrow(/was answered with 40[04]/);
    gates().at(gate).open();
    await stream.ended;
    expect(results(stream)).toHaveLength(1);
  });
});
