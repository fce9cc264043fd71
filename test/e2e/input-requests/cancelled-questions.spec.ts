import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { elicitation, sampling, Tool, type McpContext } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { Gates } from '../../support/applications/gate.js';
import { bootServer } from '../../support/applications/server.js';
import type { EventStream } from '../../support/clients/event-stream.js';
import { HANDSHAKE_VERSIONS, initialize, type SessionClient } from '../../support/clients/json-rpc.js';
import type { JsonObject, Message } from '../../support/clients/message.js';
import { until, within } from '../../support/until.js';
import { AskingTool, MARKED } from './asking-tool.js';
import { ABLE, accept, answer, nextQuestion, nextResponse, textOf } from './conversation.js';
import { GUESS, NAME } from './wordings.js';

@Injectable()
class OverdueTools extends AskingTool {
  readonly gates = new Gates();

  @Tool({ description: 'Asks the model', inputSchema: MARKED })
  askModel({ mark }: { mark: string }, context: McpContext): Promise<string> {
    return this.noteEnd(mark, context.sample(GUESS));
  }

  @Tool({ description: 'Asks two questions at once', inputSchema: MARKED })
  askTwo({ mark }: { mark: string }, context: McpContext): Promise<string> {
    const questions = { name: elicitation(NAME), guess: sampling(GUESS) };
    return this.noteEnd(mark, context.requestAll(questions));
  }

  @Tool({ description: 'Asks and does not wait', inputSchema: MARKED })
  async forget({ mark }: { mark: string }, context: McpContext): Promise<string> {
    void context.elicit(NAME).catch((error: unknown) => (this.ends[mark] = error));
    return 'done already';
  }

  @Tool({ description: 'Asks and does not care', inputSchema: MARKED })
  ignore(_: object, context: McpContext): string {
    void context.elicit(NAME);
    return 'ignored';
  }

  @Tool({ description: 'Asks and has little time', inputSchema: MARKED, timeoutMs: 100 })
  hurry(given: { mark: string }, context: McpContext): Promise<string> {
    return this.ask(given, context);
  }

  @Tool({ description: 'Asks when its call is over', inputSchema: MARKED })
  async linger({ mark }: { mark: string }, context: McpContext): Promise<string> {
    await this.gates
      .at(mark)
      .pass(context.signal)
      .catch(() => undefined);
    await context.elicit(NAME).catch((error: unknown) => (this.ends[mark] = error));
    return 'too late';
  }
}

let counter = 0;

describe.each(ADAPTERS)('The questions of a call that is over, on %s', (adapter) => {
  let desk: RunningApp;
  let tools: OverdueTools;
  let session: SessionClient;
  let mark: string;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [OverdueTools] });
    tools = desk.app.get(OverdueTools);
  });

  beforeEach(async () => {
    session = await initialize(desk.url, { capabilities: ABLE });
    mark = `${adapter} ${(counter += 1)}`;
  });

  afterAll(() => desk.close());

  const start = (name: string) => session.start('tools/call', { name, arguments: { mark } });
  const cancel = (requestId: unknown, rest: JsonObject = {}) =>
    session.notify('notifications/cancelled', { requestId, ...rest });
  const isOver = () => until(() => tools.ends[mark], 'the end of the question');
  const cancelledIn = (stream: EventStream) =>
    stream.messages.filter(({ method }) => method === 'notifications/cancelled').map(({ params }) => params);

  it.each(HANDSHAKE_VERSIONS)(
    'are cancelled at the client in %s when it cancels the call (CANC-01)',
    async (version) => {
      session = await initialize(desk.url, { version, capabilities: ABLE });
      const call = start('askModel');
      const stream = await call.stream();
      const question = await nextQuestion(stream);
      await cancel(call.id, { reason: 'changed my mind' });
      await within(stream.ended, 'the end of the stream');
      expect(cancelledIn(stream)).toEqual([{ requestId: question.id, reason: 'changed my mind' }]);
      expect(stream.messages.at(-1)).not.toHaveProperty('result');
      expect(await isOver()).toMatchObject({ message: 'changed my mind' });
    },
  );

  it('are all cancelled, each by its id (CANC-01)', async () => {
    const call = start('askTwo');
    const stream = await call.stream();
    const questions = [await nextQuestion(stream), await nextQuestion(stream)];
    await cancel(call.id);
    await within(stream.ended, 'the end of the stream');
    expect(cancelledIn(stream).map((params) => params?.['requestId'])).toEqual(questions.map(({ id }) => id));
    await isOver();
  });

  it('are dropped: an answer that comes late is taken and means nothing (CANC-01) (CANC-02)', async () => {
    const call = start('ask');
    const question = await nextQuestion(await call.stream());
    await cancel(call.id);
    await isOver();
    const late = await answer(session, question, accept({ name: 'Ada' }));
    expect([late.status, late.text]).toEqual([202, '']);
    expect((await session.request('ping')).result).toEqual({});
  });

  it('are answered or cancelled where an answer crosses the cancellation, and nothing else (CANC-02)', async () => {
    for (let round = 0; round < 20; round += 1) {
      const call = start('ask');
      const stream = await call.stream();
      const question = await nextQuestion(stream);
      const taken = await Promise.all([answer(session, question, accept({ name: 'Ada' })), cancel(call.id)]);
      expect(taken.map(({ status }) => status)).toEqual([202, 202]);
      await within(stream.ended, 'the end of the stream');
      for (const { error } of stream.messages) expect(error).toBeUndefined();
    }
  });

  it('cannot be cancelled by the client that was asked (CANC-01)', async () => {
    const call = start('ask');
    const stream = await call.stream();
    const question = await nextQuestion(stream);
    await cancel(question.id);
    await answer(session, question, accept({ name: 'Ada' }));
    expect(textOf(await nextResponse(stream))).toBe('{"action":"accept","content":{"name":"Ada"}}');
  });

  it('are cancelled before the response of a handler that did not wait for them (CANC-03)', async () => {
    const stream = await start('forget').stream();
    await within(stream.ended, 'the end of the stream');
    const [question, cancelled, response] = stream.messages as [Message, Message, Message];
    expect(question.method).toBe('elicitation/create');
    expect(cancelled).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: question.id },
    });
    expect(textOf(response)).toBe('done already');
    expect(await isOver()).toBeInstanceOf(Error);
  });

  it('are cancelled before the response of a call that failed for another of them (CANC-03)', async () => {
    const stream = await start('askTwo').stream();
    const [asked, other] = [await nextQuestion(stream), await nextQuestion(stream)];
    await session.post({ jsonrpc: '2.0', id: asked.id, error: { code: -1, message: 'No' } });
    await within(stream.ended, 'the end of the stream');
    expect(cancelledIn(stream).map((params) => params?.['requestId'])).toEqual([other.id]);
    expect(stream.messages.at(-1)).toMatchObject({
      result: { isError: true, content: [{ text: 'The client rejected "elicitation/create": No' }] },
    });
  });

  it('are cancelled with a call whose time is up (CANC-03)', async () => {
    const stream = await start('hurry').stream();
    const question = await nextQuestion(stream);
    await within(stream.ended, 'the end of the stream');
    const reason = 'The call took longer than 100 ms and was stopped';
    expect(cancelledIn(stream)).toEqual([{ requestId: question.id, reason }]);
    expect(stream.messages.at(-1)).toMatchObject({ result: { isError: true, content: [{ text: reason }] } });
    expect(await isOver()).toMatchObject({ message: reason });
  });

  it('that nobody waits for harm nobody when they are given up (SAFE-04)', async () => {
    const unhandled: unknown[] = [];
    const collect = (error: unknown) => void unhandled.push(error);
    process.on('unhandledRejection', collect);
    const { result } = await start('ignore').answer();
    await session.request('ping');
    process.off('unhandledRejection', collect);
    expect([textOf({ result }), unhandled]).toEqual(['ignored', []]);
  });

  it('are not put any more (CANC-01)', async () => {
    const call = start('linger');
    await tools.gates.at(mark).reached();
    await cancel(call.id);
    const stream = await call.stream();
    await within(stream.ended, 'the end of the stream');
    expect(await isOver()).toBeInstanceOf(Error);
    expect(stream.messages).toEqual([]);
  });
});
