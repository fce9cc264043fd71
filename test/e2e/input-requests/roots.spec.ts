import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, type McpContext } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { EventStream } from '../../support/clients/event-stream.js';
import { initialize, type SessionClient } from '../../support/clients/json-rpc.js';
import type { JsonObject, Message } from '../../support/clients/message.js';
import { answer, nextQuestion, nextResponse, openCall, SESSION, STATELESS, textOf } from './conversation.js';

const HOME = { uri: 'file:///home/ada', name: 'Home' };
const WORK = { uri: 'file:///work' };

@Injectable()
class RootTools {
  @Tool({ description: 'Lists the roots' })
  async list(_: object, context: McpContext): Promise<string> {
    return (await context.listRoots()).map(({ uri }) => uri).join(' ');
  }

  @Tool({ description: 'Lists the roots twice' })
  async listTwice(_: object, context: McpContext): Promise<string> {
    const [first, second] = [await context.listRoots(), await context.listRoots({ key: 'again' })];
    return [...first, ...second].map(({ uri }) => uri).join(' ');
  }
}

describe.each(ADAPTERS)('The roots of a client, on %s', (adapter) => {
  let desk: RunningApp;
  let session: SessionClient;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [RootTools] });
  });

  beforeEach(async () => {
    session = await connect({ listChanged: true });
  });

  afterAll(() => desk.close());

  const connect = (roots: JsonObject) => initialize(desk.url, { capabilities: { roots } });
  const change = () => session.notify('notifications/roots/list_changed');
  const start = () => session.start('tools/call', { name: 'list' });

  let calls = 0;

  /** Lists the roots; the client gives these where it is asked. */
  async function list(roots: readonly JsonObject[]): Promise<{ text: string | undefined; asked: number }> {
    const opened = await openCall(session, {
      id: `call ${(calls += 1)}`,
      method: 'tools/call',
      params: { name: 'list' },
    });
    if (!(opened instanceof EventStream)) return { text: textOf(opened.json as Message), asked: 0 };
    await answer(session, await nextQuestion(opened, 'roots/list'), { roots });
    return { text: textOf(await nextResponse(opened)), asked: 1 };
  }

  it('are asked for once in a session (NOTE-07)', async () => {
    expect(await list([HOME])).toEqual({ text: HOME.uri, asked: 1 });
    expect(await list([WORK])).toEqual({ text: HOME.uri, asked: 0 });
    expect(await list([WORK])).toEqual({ text: HOME.uri, asked: 0 });
  });

  it('are asked for anew once the client says that they changed (NOTE-07)', async () => {
    await list([HOME]);
    const { status, text } = await change();
    expect([status, text]).toEqual([202, '']);
    expect(await list([WORK])).toEqual({ text: WORK.uri, asked: 1 });
    expect(await list([HOME])).toEqual({ text: WORK.uri, asked: 0 });
  });

  it('are asked for anew where they changed while they were asked for (NOTE-07)', async () => {
    const stream = await start().stream();
    const question = await nextQuestion(stream, 'roots/list');
    await change();
    await answer(session, question, { roots: [HOME] });
    expect(textOf(await nextResponse(stream))).toBe(HOME.uri);
    expect(await list([WORK])).toEqual({ text: WORK.uri, asked: 1 });
  });

  it.each([{}, { listChanged: false }])(
    'are asked for each time of a client that declared %j: it may not tell of changes (NOTE-07)',
    async (roots) => {
      session = await connect(roots);
      await list([HOME]);
      expect((await change()).status).toBe(202);
      expect(await list([WORK])).toEqual({ text: WORK.uri, asked: 1 });
    },
  );

  it('are those of each session by itself (NOTE-07) (SESS-04)', async () => {
    const mine = session;
    await list([HOME]);
    session = await connect({ listChanged: true });
    expect(await list([WORK])).toEqual({ text: WORK.uri, asked: 1 });
    await change();
    session = mine;
    expect(await list([WORK])).toEqual({ text: HOME.uri, asked: 0 });
  });

  it('are asked for once by calls that want them at the same time (NOTE-07)', async () => {
    const first = await start().stream();
    const question = await nextQuestion(first, 'roots/list');
    const others = [start(), start()].map((call) => call.answer());
    await session.request('ping');
    await answer(session, question, { roots: [HOME] });
    const answers = await Promise.all(others);
    expect(textOf(await nextResponse(first))).toBe(HOME.uri);
    expect(answers.map(textOf)).toEqual([HOME.uri, HOME.uri]);
    expect(answers.flatMap(({ notifications }) => notifications)).toEqual([]);
  });

  it('are asked for by another call where the one that asked is cancelled (CANC-01) (NOTE-07)', async () => {
    const first = start();
    await nextQuestion(await first.stream(), 'roots/list');
    const second = start();
    const third = start();
    await session.request('ping');
    await session.notify('notifications/cancelled', { requestId: first.id });
    const stream = await second.stream();
    await answer(session, await nextQuestion(stream, 'roots/list'), { roots: [WORK] });
    expect(textOf(await nextResponse(stream))).toBe(WORK.uri);
    expect(textOf(await third.answer())).toBe(WORK.uri);
  });

  it('are asked for anew after an answer that was an error or none (NOTE-07)', async () => {
    const stream = await start().stream();
    const { id } = await nextQuestion(stream);
    await session.post({ jsonrpc: '2.0', id, error: { code: -32603, message: 'Not now' } });
    expect(await nextResponse(stream)).toMatchObject({ result: { isError: true } });
    const broken = await start().stream();
    await answer(session, await nextQuestion(broken), { roots: 'all' });
    expect(await nextResponse(broken)).toMatchObject({ result: { isError: true } });
    expect(await list([HOME])).toEqual({ text: HOME.uri, asked: 1 });
  });

  it('may be none (REV-01)', async () => {
    expect(await list([])).toEqual({ text: '', asked: 1 });
    expect(await list([HOME])).toEqual({ text: '', asked: 0 });
  });

  it('are what each question is answered with on the stateless wire, which keeps nothing (REV-02)', async () => {
    const given = [[HOME], [WORK]];
    const twice = { params: { name: 'listTwice' }, respond: () => ({ roots: given.shift() }) };
    const conversation = await STATELESS.converse(desk.url, twice);
    expect(conversation.asked.map(({ key }) => key)).toEqual(['question-1', 'again']);
    expect(textOf(conversation)).toBe(`${HOME.uri} ${WORK.uri}`);
  });

  it('are asked for with no parameters of ours (REV-01)', async () => {
    for (const { converse } of [SESSION, STATELESS]) {
      const respond = () => ({ roots: [HOME], _meta: {}, extra: 1 });
      const conversation = await converse(desk.url, { params: { name: 'list' }, respond });
      expect(conversation.asked).toMatchObject([{ method: 'roots/list', params: {} }]);
      expect(textOf(conversation)).toBe(HOME.uri);
    }
  });
});
