import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, type McpContext } from 'nestjs-mcp';
import { z } from 'zod';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { EventStream } from '../../support/clients/event-stream.js';
import { initialize, perRequest, type SessionClient } from '../../support/clients/json-rpc.js';
import type { Message } from '../../support/clients/message.js';
import { openHttp } from '../../support/clients/raw-http.js';
import { ABLE, accept, answer, nextQuestion, nextResponse, questionsOf, textOf } from './conversation.js';

const TEXT = z.object({ text: z.string() });
const MARK = z.object({ mark: z.string() });

@Injectable()
class MarkedTools {
  @Tool({ description: 'Asks twice', inputSchema: MARK })
  async ask({ mark }: z.infer<typeof MARK>, context: McpContext): Promise<string> {
    const words = [mark];
    for (const turn of ['first', 'second']) {
      const given = await context.elicit({ key: turn, message: `${mark} ${turn}`, schema: TEXT });
      words.push(given.action === 'accept' ? given.content.text : given.action);
    }
    return words.join(' ');
  }

  @Tool({ description: 'Asks the model twice', inputSchema: MARK })
  async askModel({ mark }: z.infer<typeof MARK>, context: McpContext): Promise<string> {
    const words = [mark];
    for (const turn of ['first', 'second']) {
      const content = { type: 'text', text: `${mark} ${turn}` } as const;
      const { model } = await context.sample({ messages: [{ role: 'user', content }], maxTokens: 5 });
      words.push(model);
    }
    return words.join(' ');
  }
}

/** What a model that repeats what it is told answers. */
function repeat({ params }: Message): object {
  const { messages } = params as {
    readonly messages: readonly { readonly content: { readonly text: string } }[];
  };
  const content = messages[0]?.content;
  return { role: 'assistant', model: `<${content?.text}>`, content };
}

describe.each(ADAPTERS)('Questions side by side, on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [MarkedTools] });
  });

  afterAll(() => desk.close());

  const open = () => initialize(desk.url, { capabilities: ABLE });
  const start = (session: SessionClient, mark: string) =>
    session.start('tools/call', { name: 'ask', arguments: { mark } }).stream();

  it('of two calls of one session never cross (SESS-04)', async () => {
    const session = await open();
    const [a, b] = [await start(session, 'a'), await start(session, 'b')];
    const [a1, b1] = [await nextQuestion(a), await nextQuestion(b)];
    expect([a1.params?.['message'], b1.params?.['message']]).toEqual(['a first', 'b first']);
    await answer(session, b1, accept({ text: 'b1' }));
    const b2 = await nextQuestion(b);
    await answer(session, b2, accept({ text: 'b2' }));
    expect(textOf(await nextResponse(b))).toBe('b b1 b2');
    await answer(session, a1, accept({ text: 'a1' }));
    await answer(session, await nextQuestion(a), accept({ text: 'a2' }));
    expect(textOf(await nextResponse(a))).toBe('a a1 a2');
    expect(a.messages).toHaveLength(3);
    expect(b.messages).toHaveLength(3);
  });

  it('of two calls in one batch come on its one stream and never cross (SESS-04)', async () => {
    const session = await initialize(desk.url, { version: '2025-03-26', capabilities: ABLE });
    const response = await openHttp(desk.url, {
      json: ['a', 'b'].map((mark) => ({
        jsonrpc: '2.0',
        id: mark,
        method: 'tools/call',
        params: { name: 'askModel', arguments: { mark } },
      })),
      headers: { accept: 'application/json, text/event-stream', ...session.headers },
    });
    const stream = new EventStream(response);
    for (let count = 0; count < 4; count += 1) {
      const question = await nextQuestion(stream);
      await answer(session, question, repeat(question));
    }
    const { data = '' } = await stream.next((event) => event.data?.startsWith('[') === true);
    const responses = JSON.parse(data) as Message[];
    expect(Object.fromEntries(responses.map(({ id, result }) => [id, textOf({ result })]))).toEqual({
      a: 'a <a first> <a second>',
      b: 'b <b first> <b second>',
    });
  });

  it('are answered by their own session alone (SESS-04)', async () => {
    const [mine, other] = [await open(), await open()];
    const stream = await start(mine, 'mine');
    const question = await nextQuestion(stream);
    expect((await answer(other, question, accept({ text: 'not mine' }))).status).toBe(202);
    expect((await mine.request('ping')).result).toEqual({});
    expect(stream.messages).toHaveLength(1);
    await answer(mine, question, { action: 'decline' });
    await answer(mine, await nextQuestion(stream), { action: 'cancel' });
    expect(textOf(await nextResponse(stream))).toBe('mine decline cancel');
  });

  it('are never answered by a request that has the same id (SESS-04)', async () => {
    const session = await open();
    const stream = await start(session, 'mine');
    const question = await nextQuestion(stream);
    const { json } = await session.post({ jsonrpc: '2.0', id: question.id, method: 'ping' });
    expect(json).toMatchObject({ id: question.id, result: {} });
    await answer(session, question, accept({ text: 'one' }));
    await answer(session, await nextQuestion(stream), accept({ text: 'two' }));
    expect(textOf(await nextResponse(stream))).toBe('mine one two');
  });

  it('of many sessions at once have each the answers of its own client (SESS-04)', async () => {
    const marks = Array.from({ length: 20 }, (_, index) => `mark-${index}`);
    const texts = await Promise.all(
      marks.map(async (mark) => {
        const session = await open();
        const stream = await start(session, mark);
        for (const turn of ['1', '2']) {
          await answer(session, await nextQuestion(stream), accept({ text: `${mark}/${turn}` }));
        }
        const text = textOf(await nextResponse(stream));
        expect(
          JSON.stringify(stream.messages)
            .match(/mark-\d+/g)
            ?.every((found) => found === mark),
        ).toBe(true);
        return text;
      }),
    );
    expect(texts).toEqual(marks.map((mark) => `${mark} ${mark}/1 ${mark}/2`));
  });

  it('of many calls without a session have each their own answers (SESS-04)', async () => {
    const marks = Array.from({ length: 20 }, (_, index) => `mark-${index}`);
    const client = perRequest(desk.url, { capabilities: ABLE, id: 'the same id' });
    const texts = await Promise.all(
      marks.map(async (mark) => {
        const params = { name: 'ask', arguments: { mark } };
        let round = {};
        for (;;) {
          const called = await client.request('tools/call', { ...params, ...round });
          const [question] = questionsOf(called.result ?? {});
          if (question === undefined) return textOf(called);
          const responses = { [question.key]: accept({ text: mark + question.key }) };
          round = { inputResponses: responses, requestState: called.result?.['requestState'] };
        }
      }),
    );
    expect(texts).toEqual(marks.map((mark) => `${mark} ${mark}first ${mark}second`));
  });
});
