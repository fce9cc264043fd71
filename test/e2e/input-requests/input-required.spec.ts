import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Prompt, Resource, Tool, type InputRequiredResult, type McpContext } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';
import { ABLE, accept, CASES, questionsOf, SESSION, textOf } from './conversation.js';

const NUMBER = { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] };
const GUESS = {
  method: 'elicitation/create',
  params: { message: 'Which number?', requestedSchema: NUMBER },
} as const;
const SAMPLE = { method: 'sampling/createMessage', params: { messages: [], maxTokens: 5 } } as const;
const SPOKEN = { role: 'assistant', model: 'm', content: { type: 'text', text: 'Hm' } };

@Injectable()
class DeskHandlers {
  @Tool({ description: 'Lets the user guess, and counts' })
  guess(_: object, { inputResponses, requestState = '0' }: McpContext): string | InputRequiredResult {
    const round = Number(requestState);
    const { guess } = inputResponses as { guess?: { content?: { number?: number } } };
    if (guess?.content?.number === 7) return `Right, after ${round} rounds`;
    return {
      resultType: 'input_required',
      inputRequests: { guess: GUESS },
      requestState: String(round + 1),
    };
  }

  @Tool({ description: 'Asks at once' })
  async askAtOnce(_: object, { inputResponses }: McpContext): Promise<string | InputRequiredResult> {
    if ('guess' in inputResponses) return JSON.stringify(inputResponses);
    return {
      resultType: 'input_required',
      inputRequests: { guess: GUESS, spoken: SAMPLE, places: { method: 'roots/list' } },
    };
  }

  @Tool({ description: 'Wants only to be called again' })
  again(_: object, { requestState }: McpContext): string | InputRequiredResult {
    return requestState === 'later' ? 'done' : { resultType: 'input_required', requestState: 'later' };
  }

  @Tool({ description: 'Never has enough' })
  insist(): InputRequiredResult {
    return { resultType: 'input_required', inputRequests: { guess: GUESS } };
  }

  @Tool({ description: 'Says what it was given' })
  repeat(_: object, { inputResponses, requestState }: McpContext): string {
    return JSON.stringify({ inputResponses, requestState: requestState ?? null });
  }

  @Prompt({ description: 'Asks itself' })
  plan(_: object, context: McpContext): string | InputRequiredResult {
    return this.guess({}, context);
  }

  @Resource({ uri: 'desk://guess' })
  read(_: object, context: McpContext): string | InputRequiredResult {
    return this.guess({}, context);
  }
}

describe.each(CASES)('A handler that gives its questions $name, on $adapter', ({ adapter, converse }) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [DeskHandlers] });
  });

  afterAll(() => desk.close());

  const numbers = (...given: number[]) => {
    const queue = [...given];
    return () => accept({ number: queue.shift() });
  };

  it('is called again with the answers and its state, until it has a result (REV-02)', async () => {
    const conversation = await converse(desk.url, { params: { name: 'guess' }, respond: numbers(1, 2, 7) });
    expect(conversation.asked.map(({ method, params }) => ({ method, params }))).toEqual([
      GUESS,
      GUESS,
      GUESS,
    ]);
    expect(textOf(conversation)).toBe('Right, after 3 rounds');
  });

  it.each<[string, JsonObject, string]>([
    ['prompts/get', { name: 'plan' }, 'messages'],
    ['resources/read', { uri: 'desk://guess' }, 'contents'],
  ])('may be one of %s (REV-02)', async (method, params, member) => {
    const { result } = await converse(desk.url, { method, params, respond: numbers(3, 7) });
    expect(JSON.stringify(result?.[member])).toContain('Right, after 2 rounds');
  });

  it('gets the answers of a round together, as they came (REV-02)', async () => {
    const guessed = { action: 'maybe', content: { number: 'seven' }, extra: 1 };
    const conversation = await converse(desk.url, {
      params: { name: 'askAtOnce' },
      respond: ({ method }) => {
        if (method === 'roots/list') return { roots: [] };
        return method === 'elicitation/create' ? guessed : SPOKEN;
      },
    });
    expect(conversation.asked).toHaveLength(3);
    expect(JSON.parse(textOf(conversation) ?? '')).toEqual({
      guess: guessed,
      spoken: SPOKEN,
      places: { roots: [] },
    });
  });

  it('may ask for nothing but another round (REV-02)', async () => {
    const conversation = await converse(desk.url, { params: { name: 'again' } });
    expect([conversation.asked, textOf(conversation)]).toEqual([[], 'done']);
  });

  it('has neither answers nor a state in the first round (REV-02)', async () => {
    const conversation = await converse(desk.url, { params: { name: 'repeat' } });
    expect(textOf(conversation)).toBe('{"inputResponses":{},"requestState":null}');
  });
});

describe.each(ADAPTERS)('A round that a handler ends itself, on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [DeskHandlers] });
  });

  afterAll(() => desk.close());

  it('is the published result, with a state that is signed (REV-02)', async () => {
    const client = perRequest(desk.url, { capabilities: ABLE });
    const { result = {} } = await client.request('tools/call', { name: 'guess' });
    expect(result).toMatchObject({ resultType: 'input_required', inputRequests: { guess: GUESS } });
    const requestState = String(result['requestState']);
    expect(requestState.length).toBeGreaterThan(40);
    const params = { name: 'guess', inputResponses: { guess: accept({ number: 7 }) } };
    const tampered = await client.request('tools/call', { ...params, requestState: '5' });
    expect(tampered.error?.code).toBe(-32602);
    const good = await client.request('tools/call', { ...params, requestState });
    expect(textOf(good)).toBe('Right, after 1 rounds');
  });

  it('is not kept by a cache, nor is what comes of it (REV-02)', async () => {
    const client = perRequest(desk.url, { capabilities: ABLE });
    const { result = {} } = await client.request('resources/read', { uri: 'desk://guess' });
    expect(Object.keys(result).toSorted()).toEqual(['_meta', 'inputRequests', 'requestState', 'resultType']);
    const round = { inputResponses: { guess: accept({ number: 7 }) }, requestState: result['requestState'] };
    const read = await client.request('resources/read', { uri: 'desk://guess', ...round });
    expect(read.result).toMatchObject({ resultType: 'complete', ttlMs: 0, cacheScope: 'private' });
  });

  it('brings the answers without a state too (REV-02)', async () => {
    const params = { name: 'repeat', inputResponses: { a: 1, b: null } };
    const { result } = await perRequest(desk.url).request('tools/call', params);
    expect(textOf({ result })).toBe('{"inputResponses":{"a":1,"b":null},"requestState":null}');
  });

  it('means nothing as parameters in a session (REV-02)', async () => {
    const session = await initialize(desk.url, { capabilities: ABLE });
    const round = { inputResponses: { a: 1 }, requestState: 'any' };
    const called = await session.request('tools/call', { name: 'repeat', ...round });
    expect(textOf(called)).toBe('{"inputResponses":{},"requestState":null}');
  });

  it('comes once more as the handler wants, up to 32 times on the stateless wire (HOST-05)', async () => {
    const client = perRequest(desk.url, { capabilities: ABLE });
    let round: JsonObject = {};
    for (let turn = 0; turn < 32; turn += 1) {
      const { result = {} } = await client.request('tools/call', { name: 'insist', ...round });
      expect(questionsOf(result)).toHaveLength(1);
      round = { inputResponses: { guess: accept({ number: 1 }) }, requestState: result['requestState'] };
    }
    expect(String(round['requestState']).length).toBeLessThan(400);
    const { result = {} } = await client.request('tools/call', { name: 'insist', ...round });
    expect(result).toMatchObject({ isError: true });
    expect(textOf({ result })).toBe(
      'The call still needs input after 32 rounds of input requests, which is the limit',
    );
  });

  it('is refused without an end in a session (HOST-05)', async () => {
    const { asked, result } = await SESSION.converse(desk.url, {
      params: { name: 'insist' },
      respond: () => accept({ number: 1 }),
    });
    expect(asked).toHaveLength(32);
    expect(result).toMatchObject({ isError: true });
  });
});
