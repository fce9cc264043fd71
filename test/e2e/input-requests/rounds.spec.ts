import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { elicitation, listRoots, sampling, Tool, type McpContext } from 'nestjs-mcp';
import { z } from 'zod';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';
import { ABLE, accept, CASES, questionsOf, textOf, type Asked } from './conversation.js';

const TEXT = z.object({ text: z.string() });
const GUESS = { messages: [], maxTokens: 5 } as const;
const COUNT = { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] } as const;

const form = (message: string) => elicitation({ message, schema: TEXT });

@Injectable()
class RoundTools {
  runs = 0;

  @Tool({ description: 'Asks in turn', inputSchema: COUNT })
  async askInTurn({ count }: { count: number }, context: McpContext): Promise<string> {
    const words: string[] = [];
    for (let turn = 1; turn <= count; turn += 1) {
      const answer = await context.elicit({ message: `Word ${turn}?`, schema: TEXT });
      words.push(answer.action === 'accept' ? answer.content.text : answer.action);
    }
    return words.join(' ');
  }

  @Tool({ description: 'Asks at once', inputSchema: COUNT })
  async askAtOnce({ count }: { count: number }, context: McpContext): Promise<string> {
    this.runs += 1;
    const questions = Array.from(
      { length: count },
      (_, index) => [`q${index}`, form(`Word ${index}?`)] as const,
    );
    const answers = await context.requestAll(Object.fromEntries(questions));
    const words = Object.values(answers).map((answer) =>
      answer.action === 'accept' ? answer.content.text : '-',
    );
    return words.join(' ');
  }

  @Tool({ description: 'Asks at once by promises of its own' })
  async askByPromises(_: object, context: McpContext): Promise<string> {
    const answers = await Promise.all([
      context.elicit({ message: 'Word?', schema: TEXT }),
      context.sample(GUESS),
      context.listRoots(),
    ]);
    return JSON.stringify(answers);
  }

  @Tool({ description: 'Asks at once, of each kind' })
  async askEach(_: object, context: McpContext): Promise<string> {
    return JSON.stringify(
      await context.requestAll({ word: form('Word?'), guess: sampling(GUESS), places: listRoots() }),
    );
  }

  @Tool({ description: 'Asks nothing at once' })
  async askNone(_: object, context: McpContext): Promise<string> {
    return JSON.stringify(await context.requestAll({}));
  }

  @Tool({ description: 'Asks what depends on the answer before' })
  async choose(_: object, context: McpContext): Promise<string> {
    const first = await context.elicit({ key: 'kind', message: 'Tea or coffee?', schema: TEXT });
    if (first.action !== 'accept') return 'nothing';
    const isTea = first.content.text === 'tea';
    const second = await context.elicit({
      key: isTea ? 'sort' : 'milk',
      message: isTea ? 'Which sort?' : 'Milk?',
      schema: TEXT,
    });
    return `${first.content.text}, ${second.action === 'accept' ? second.content.text : second.action}`;
  }
}

const SPOKEN = { role: 'assistant', model: 'm', content: { type: 'text', text: 'Hm' } };
const ROOTS = { roots: [{ uri: 'file:///a' }] };

function respondToEach({ method }: Asked): unknown {
  if (method === 'roots/list') return ROOTS;
  return method === 'elicitation/create' ? accept({ text: 'yes' }) : SPOKEN;
}

const repeat = ({ params }: Asked) => accept({ text: `<${String(params['message'])}>` });

describe.each(CASES)('Several questions $name, on $adapter', ({ adapter, converse }) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [RoundTools] });
  });

  afterAll(() => desk.close());

  const call = (name: string, respond: (question: Asked) => unknown, given: JsonObject = {}) =>
    converse(desk.url, { params: { name, arguments: given }, respond });

  it.each([0, 1, 2, 12])('come one after another, %d of them (REV-02)', async (count) => {
    const conversation = await call('askInTurn', repeat, { count });
    const words = Array.from({ length: count }, (_, index) => `Word ${index + 1}?`);
    expect(conversation.asked.map(({ params }) => params['message'])).toEqual(words);
    expect(textOf(conversation)).toBe(words.map((word) => `<${word}>`).join(' '));
  });

  it.each([1, 2, 30])('come at once, %d of them, and each has its answer (REV-02)', async (count) => {
    const conversation = await call('askAtOnce', repeat, { count });
    const words = Array.from({ length: count }, (_, index) => `<Word ${index}?>`);
    expect(conversation.asked).toHaveLength(count);
    expect(textOf(conversation)).toBe(words.join(' '));
  });

  it('may be of each kind (REV-01) (REV-02)', async () => {
    const conversation = await call('askEach', respondToEach);
    expect(conversation.asked).toHaveLength(3);
    expect(JSON.parse(textOf(conversation) ?? '')).toEqual({
      word: accept({ text: 'yes' }),
      guess: SPOKEN,
      places: ROOTS.roots,
    });
  });

  it('come at once too where the handler waits for all of its promises (REV-02)', async () => {
    const conversation = await call('askByPromises', respondToEach);
    expect(conversation.asked).toHaveLength(3);
    expect(JSON.parse(textOf(conversation) ?? '')).toEqual([accept({ text: 'yes' }), SPOKEN, ROOTS.roots]);
  });

  it('may be none (REV-02)', async () => {
    expect(textOf(await call('askNone', repeat))).toBe('{}');
  });

  it.each([
    ['tea', 'Which sort?', 'tea, green'],
    ['coffee', 'Milk?', 'coffee, green'],
  ])('may depend on an answer: %s (REV-02)', async (drink, question, expected) => {
    const answers = [accept({ text: drink }), accept({ text: 'green' })];
    const conversation = await call('choose', () => answers.shift());
    expect(conversation.asked[1]?.params['message']).toBe(question);
    expect(textOf(conversation)).toBe(expected);
  });

  it('may be answered differently: one accepted, one declined, one cancelled (REV-01)', async () => {
    const answers = [accept({ text: 'one' }), { action: 'decline' }, { action: 'cancel' }];
    expect(textOf(await call('askInTurn', () => answers.shift(), { count: 3 }))).toBe('one decline cancel');
  });
});

describe.each(ADAPTERS)('The rounds of a call without a session, on %s', (adapter) => {
  let desk: RunningApp;
  let tools: RoundTools;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [RoundTools] });
    tools = desk.app.get(RoundTools);
  });

  beforeEach(() => {
    tools.runs = 0;
  });

  afterAll(() => desk.close());

  it('ask together what is asked at once, and again only for what is missing (REV-02)', async () => {
    const client = perRequest(desk.url, { capabilities: ABLE });
    const params = { name: 'askAtOnce', arguments: { count: 3 } };
    const first = (await client.request('tools/call', params)).result ?? {};
    expect(questionsOf(first).map(({ key }) => key)).toEqual(['q0', 'q1', 'q2']);
    const some = { inputResponses: { q0: accept({ text: 'a' }), q2: accept({ text: 'c' }) } };
    const { requestState } = first;
    const second = (await client.request('tools/call', { ...params, ...some, requestState })).result ?? {};
    expect(questionsOf(second).map(({ key }) => key)).toEqual(['q1']);
    const rest = { inputResponses: { q1: accept({ text: 'b' }) }, requestState: second['requestState'] };
    expect(textOf(await client.request('tools/call', { ...params, ...rest }))).toBe('a b c');
    expect(tools.runs).toBe(3);
  });

  it('need no server that remembers them (REV-02)', async () => {
    const secret = 'a secret that two processes know together';
    const parts = { adapter, options: { secret }, providers: [RoundTools] };
    const processes = [await bootServer(parts), await bootServer(parts)];
    const params = { name: 'askInTurn', arguments: { count: 4 } };
    let round: JsonObject = {};
    for (let turn = 0; turn < 4; turn += 1) {
      const at = perRequest(processes[turn % 2]!.url, { capabilities: ABLE });
      const { result = {} } = await at.request('tools/call', { ...params, ...round });
      const [question] = questionsOf(result);
      round = {
        inputResponses: { [question!.key]: accept({ text: String(turn) }) },
        requestState: result['requestState'],
      };
    }
    const last = perRequest(processes[0]!.url, { capabilities: ABLE });
    expect(textOf(await last.request('tools/call', { ...params, ...round }))).toBe('0 1 2 3');
    for (const each of processes) await each.close();
  });
});
