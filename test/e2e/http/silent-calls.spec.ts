import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, type McpContext, type McpOptions } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { Gates } from '../../support/applications/gate.js';
import { bootDesk, CALLERS, PUBLISHED, WAYS } from '../../support/applications/protected-desk.js';
import { bootServer } from '../../support/applications/server.js';
import { WaitingTools } from '../../support/applications/waiting-tools.js';
import type { Call } from '../../support/clients/call.js';
import type { EventStream } from '../../support/clients/event-stream.js';
import { HANDSHAKE_VERSIONS, initialize, perRequest, post } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';
import { openHttp, readResponse } from '../../support/clients/raw-http.js';
import { until } from '../../support/until.js';

const SOON: Partial<McpOptions> = { streams: { beginAfterMs: 20, keepAliveMs: 30 } };

/** A call that says nothing before its answer. */
const silent = (gate: string): JsonObject => ({ name: 'ignore', arguments: { gate } });

describe.each(ADAPTERS)('a call that says nothing for long, on %s', (adapter) => {
  let desk: RunningApp;

  afterEach(() => desk.close());

  const boot = async (options: Partial<McpOptions> = SOON) => {
    desk = await bootServer({ adapter, options, providers: [WaitingTools] });
  };
  const gate = (name: string) => desk.app.get(WaitingTools).gates.at(name);
  const textsOf = (stream: EventStream) =>
    stream.messages.flatMap(({ result }) =>
      (result?.['content'] as { text: string }[] | undefined)?.map(({ text }) => text),
    );

  /** Lets a call begin its stream, and then go on to its end. */
  async function finish(call: Call, name: string): Promise<EventStream> {
    const stream = await call.stream();
    gate(name).open();
    await stream.ended;
    return stream;
  }

  it.each(HANDSHAKE_VERSIONS)(
    'begins its stream, in %s with the event that this begins with there (HTTP-02, HTTP-04)',
    async (version) => {
      await boot();
      const session = await initialize(desk.url, { version });
      const stream = await finish(session.start('tools/call', silent('a')), 'a');
      const [first] = stream.events.filter(({ comments }) => comments.length === 0);
      const beginning = version === '2025-11-25' ? /^$/ : /"result"/;
      expect(first).toMatchObject({ id: expect.any(String), data: expect.stringMatching(beginning) });
      expect(textsOf(stream)).toEqual(['a']);
    },
  );

  it('begins its stream on the stateless wire, without ids (HTTP-02, VER-03)', async () => {
    await boot();
    const stream = await finish(perRequest(desk.url).start('tools/call', silent('a')), 'a');
    expect(stream.events.filter(({ id }) => id !== undefined)).toEqual([]);
    expect(textsOf(stream)).toEqual(['a']);
  });

  it('begins its stream where the server keeps no sessions, without ids (HTTP-02, STLS-01)', async () => {
    await boot({ ...SOON, stateless: true });
    const session = await initialize(desk.url);
    const stream = await finish(session.start('tools/call', silent('a')), 'a');
    expect(stream.events.filter(({ id }) => id !== undefined)).toEqual([]);
    expect(textsOf(stream)).toEqual(['a']);
  });

  it('is kept alive from then on (HTTP-08)', async () => {
    await boot();
    const session = await initialize(desk.url);
    const stream = await session.start('tools/call', silent('a')).stream();
    for (let beat = 0; beat < 2; beat += 1) await stream.next(({ comments }) => comments.length > 0);
    expect(stream.messages).toEqual([]);
    gate('a').open();
    await stream.ended;
    expect(textsOf(stream)).toEqual(['a']);
  });

  it('is answered to a client that comes back, which has an id from the beginning (HTTP-04)', async () => {
    await boot();
    const session = await initialize(desk.url);
    const stream = await session.start('tools/call', silent('a')).stream();
    await stream.next(({ id }) => id !== undefined);
    await stream.close();
    gate('a').open();
    const resumed = await session.openStream({ lastEventId: stream.lastEventId });
    await resumed.ended;
    expect(textsOf(resumed)).toEqual(['a']);
  });

  it('is cancelled on the stateless wire when its client leaves (HTTP-09)', async () => {
    await boot();
    const call = perRequest(desk.url).start('tools/call', { name: 'wait', arguments: { gate: 'a' } });
    await (await call.stream()).close();
    const { aborted } = desk.app.get(WaitingTools);
    expect(await until(() => aborted.length > 0 && aborted, 'the cancellation')).toEqual(['a']);
  });

  it('is one stream for a batch (HTTP-02, CORE-09)', async () => {
    await boot();
    const session = await initialize(desk.url, { version: '2025-03-26' });
    const calls = ['a', 'b'].map((name) => ({
      jsonrpc: '2.0',
      id: name,
      method: 'tools/call',
      params: silent(name),
    }));
    const headers = { accept: 'application/json, text/event-stream', ...session.headers };
    const response = await openHttp(desk.url, { json: calls, headers });
    expect(response.headers['content-type']).toBe('text/event-stream');
    for (const name of ['a', 'b']) gate(name).open();
    const { text } = await readResponse(response);
    expect(text).toMatch(/data: \[\{.*"id":"a".*"id":"b".*\}\]/);
  });

  it.each([
    ['that takes no stream', 'application/json'],
    ['that takes anything', '*/*'],
    ['that says nothing of it', undefined],
  ])('stays one JSON answer for a client %s (HTTP-02)', async (_, accept) => {
    await boot();
    const session = await initialize(desk.url);
    const plain = session.start('tools/call', silent('a'), { accept });
    await gate('a').reached();
    // What came later and has begun its stream shows that the time is over.
    const stream = await session.start('tools/call', silent('b')).stream();
    for (const name of ['a', 'b']) gate(name).open();
    const { headers, result } = await plain.answer();
    expect([headers['content-type'], result]).toMatchObject([
      'application/json',
      { content: [{ text: 'a' }] },
    ]);
    await stream.ended;
  });

  it('stays one JSON answer where streams are never to begin so (HTTP-02)', async () => {
    await boot({ streams: { beginAfterMs: 0, keepAliveMs: 20 } });
    const session = await initialize(desk.url);
    const plain = session.start('tools/call', silent('a'));
    await gate('a').reached();
    const standing = await session.openStream();
    for (let beat = 0; beat < 3; beat += 1) await standing.next(({ comments }) => comments.length > 0);
    gate('a').open();
    expect((await plain.answer()).headers['content-type']).toBe('application/json');
    await standing.close();
  });

  it('stays one JSON answer if it is answered soon (HTTP-02)', async () => {
    await boot({ streams: { beginAfterMs: 60_000 } });
    const session = await initialize(desk.url);
    const call = session.start('tools/call', silent('a'));
    await gate('a').reached();
    gate('a').open();
    expect((await call.answer()).headers['content-type']).toBe('application/json');
  });

  it('ends with an error on its stream when the server shuts down (MOD-12)', async () => {
    await boot();
    const session = await initialize(desk.url);
    const stream = await session.start('tools/call', silent('a')).stream();
    await desk.close();
    await stream.ended;
    expect(stream.messages).toMatchObject([{ error: { code: -32603 } }]);
  });

  it('keeps the status of what is refused at once (HTTP-03, VER-01)', async () => {
    await boot();
    const refused = await post(desk.url, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect(refused.status).toBe(400);
  });
});

@Injectable()
class LateTools {
  readonly gates = new Gates();

  @Tool({ description: 'Asks for a scope after a while' })
  async late(_arguments: object, context: McpContext): Promise<string> {
    await this.gates.at('late').pass(context.signal);
    context.auth.requireScope('desk:late');
    return 'done';
  }
}

describe.each(WAYS)('a call that says nothing for long $wire on $adapter', ({ adapter, connect }) => {
  let desk: RunningApp;

  afterEach(() => desk.close());

  it('is told on its stream which scope it lacks (STEP-03)', async () => {
    desk = await bootDesk(adapter, {
      auth: { ...PUBLISHED, bearer: Object.values(CALLERS) },
      options: SOON,
      providers: [LateTools],
    });
    const request = await connect(desk.url, CALLERS.ada.token);
    const stream = await request('tools/call', { name: 'late' }).stream();
    desk.app.get(LateTools).gates.at('late').open();
    await stream.ended;
    expect(stream.status).toBe(200);
    expect(stream.messages).toMatchObject([
      {
        result: {
          isError: true,
          content: [{ text: expect.stringMatching(/^insufficient_scope: .*desk:late/) }],
        },
      },
    ]);
  });
});
