import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { McpNotifier, Tool, type McpContext } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { Gates } from '../../support/applications/gate.js';
import { initialize, PER_REQUEST_VERSION, post, type SessionClient } from '../../support/clients/json-rpc.js';
import { metaKey, type JsonObject, type Message } from '../../support/clients/message.js';
import { until } from '../../support/until.js';

const MARKED = {
  type: 'object',
  properties: { mark: { type: 'string' }, steps: { type: 'integer' } },
  required: ['mark'],
} as const;

@Injectable()
class MarkedTools {
  readonly gates = new Gates();
  readonly aborted: string[] = [];

  @Tool({ description: 'Reports its mark at its own pace', inputSchema: MARKED })
  async march({ mark, steps = 5 }: { mark: string; steps?: number }, context: McpContext): Promise<string> {
    for (let step = 1; step <= steps; step += 1) {
      context.progress(step, steps, mark);
      context.log('info', mark);
      for (let turns = (step * 7 + mark.length) % 4; turns > 0; turns -= 1) {
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    return mark;
  }

  @Tool({ description: 'Waits', inputSchema: MARKED })
  async wait({ mark }: { mark: string }, context: McpContext): Promise<string> {
    context.signal.addEventListener('abort', () => this.aborted.push(mark));
    await this.gates.at(mark).pass(context.signal);
    return mark;
  }
}

describe.each(ADAPTERS)('sessions side by side on %s', (adapter) => {
  let desk: RunningApp;
  let tools: MarkedTools;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [MarkedTools] });
    tools = desk.app.get(MarkedTools);
  });

  afterAll(() => desk.close());

  /** Calls with an id and a token that other sessions use too, and gives what came back as text. */
  function callAs(session: SessionClient, name: string, mark: string): Promise<string> {
    const params = { name, arguments: { mark }, _meta: { progressToken: 'shared' } };
    const request = { jsonrpc: '2.0', id: 'shared', method: 'tools/call', params };
    const text = session.post(request).then((answer) => answer.text);
    // A test that fails before it waits for its calls is to fail for its own reason.
    text.catch(() => undefined);
    return text;
  }

  const marksIn = (text: string) => [...new Set(text.match(/mark-\w+/g))];

  it('see only messages of their own, though ids and tokens are the same (SESS-04)', async () => {
    const sessions = await Promise.all(Array.from({ length: 12 }, () => initialize(desk.url)));
    for (let round = 0; round < 4; round += 1) {
      const marks = sessions.map((_, index) => `mark-${'x'.repeat(index % 5)}${index}_${round}`);
      const texts = await Promise.all(
        sessions.map((session, index) => callAs(session, 'march', marks[index]!)),
      );
      expect(texts.map(marksIn)).toEqual(marks.map((mark) => [mark]));
    }
  });

  it('get on their standing streams nothing of the calls of others (SESS-04)', async () => {
    const [quiet, busy] = [await initialize(desk.url), await initialize(desk.url)];
    const stream = await quiet.openStream();
    await callAs(busy, 'march', 'mark-busy');
    desk.app.get(McpNotifier).log('error', 'last');
    await stream.nextMessage(({ params }) => params?.['data'] === 'last');
    expect(stream.messages).toHaveLength(1);
    await stream.close();
  });

  it('keep progress of a client that takes JSON alone to its own session (SESS-04)', async () => {
    const [quiet, busy] = [await initialize(desk.url), await initialize(desk.url)];
    const streams = [await quiet.openStream(), await busy.openStream()];
    const params = { name: 'march', arguments: { mark: 'mark-json' }, _meta: { progressToken: 1 } };
    await busy.request('tools/call', params, { accept: 'application/json' });
    desk.app.get(McpNotifier).log('error', 'last');
    for (const stream of streams) await stream.nextMessage(({ params: given }) => given?.['data'] === 'last');
    expect(streams.map(({ messages }) => marksIn(JSON.stringify(messages)))).toEqual([[], ['mark-json']]);
    for (const stream of streams) await stream.close();
  });

  it('do not cancel the calls of others, though ids are the same (SESS-04)', async () => {
    const [first, second] = [await initialize(desk.url), await initialize(desk.url)];
    const marks = ['mark-first', 'mark-second'].map((mark) => `${mark}${adapter}`);
    const calls = [callAs(first, 'wait', marks[0]!), callAs(second, 'wait', marks[1]!)];
    for (const mark of marks) await tools.gates.at(mark).reached();
    await first.notify('notifications/cancelled', { requestId: 'shared' });
    await until(() => tools.aborted.includes(marks[0]!), 'an aborted handler');

    tools.gates.at(marks[1]!).open();
    const [cancelled, finished] = await Promise.all(calls);
    expect(marksIn(cancelled!)).toEqual([]);
    expect(marksIn(finished!)).toEqual([marks[1]]);
    expect(tools.aborted).not.toContain(marks[1]);
  });

  it('hear nothing of what others subscribed to (SESS-04)', async () => {
    const [first, second] = [await initialize(desk.url), await initialize(desk.url)];
    const streams = [await first.openStream(), await second.openStream()];
    desk.app.get(McpNotifier).log('debug', 'for nobody');
    await first.request('logging/setLevel', { level: 'debug' });
    desk.app.get(McpNotifier).log('debug', 'for the first');
    desk.app.get(McpNotifier).log('error', 'for both');
    for (const stream of streams) await stream.nextMessage(({ params }) => params?.['data'] === 'for both');
    expect(streams.map(({ messages }) => messages.map(({ params }) => params?.['data']))).toEqual([
      ['for the first', 'for both'],
      ['for both'],
    ]);
    for (const stream of streams) await stream.close();
  });

  it('share nothing with calls of the stateless wire of the same id (SESS-04)', async () => {
    const session = await initialize(desk.url);
    const _meta: JsonObject = {
      [metaKey('protocolVersion')]: PER_REQUEST_VERSION,
      [metaKey('clientCapabilities')]: {},
      progressToken: 'shared',
    };
    const stateless = (mark: string) =>
      post(
        desk.url,
        {
          jsonrpc: '2.0',
          id: 'shared',
          method: 'tools/call',
          params: { name: 'march', arguments: { mark }, _meta },
        },
        { 'mcp-protocol-version': PER_REQUEST_VERSION, 'mcp-method': 'tools/call', 'mcp-name': 'march' },
      );
    const [own, one, two] = await Promise.all([
      callAs(session, 'march', 'mark-own'),
      stateless('mark-one'),
      stateless('mark-two'),
    ]);
    expect([own, one.text, two.text].map(marksIn)).toEqual([['mark-own'], ['mark-one'], ['mark-two']]);
  });

  it('refuse the id of a request that still runs, without harm to it (SESS-04)', async () => {
    const mark = `mark-twice${adapter}`;
    const session = await initialize(desk.url);
    const running = callAs(session, 'wait', mark);
    await tools.gates.at(mark).reached();
    const again = await session.post({ jsonrpc: '2.0', id: 'shared', method: 'ping' });
    expect((again.json as Message).error?.code).toBe(-32600);
    tools.gates.at(mark).open();
    expect(marksIn(await running)).toEqual([mark]);
  });
});
