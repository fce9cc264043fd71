import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, type InputRequiredResult, type McpContext } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { ABLE, accept, callAsWritten, CASES, textOf } from './conversation.js';

const TEXT = { type: 'object', properties: { text: { type: 'string' } } } as const;
const QUESTION = { message: 'Well?', schema: TEXT };

@Injectable()
class WronglyAskingTools {
  @Tool({ description: 'Asks' })
  async ask(_: object, context: McpContext): Promise<string> {
    return JSON.stringify(await context.elicit(QUESTION));
  }

  @Tool({ description: 'Asks what cannot be written as JSON' })
  async askEndlessly(_: object, context: McpContext): Promise<string> {
    const metadata: Record<string, unknown> = {};
    metadata['self'] = metadata;
    return JSON.stringify(await context.sample({ messages: [], maxTokens: 1, metadata }));
  }

  @Tool({ description: 'Gives as questions what cannot be written as JSON' })
  giveEndlessly(): InputRequiredResult {
    const params = { big: 1n };
    return { resultType: 'input_required', inputRequests: { a: { method: 'roots/list', params } } };
  }

  @Tool({ description: 'Gives a question that clients do not have' })
  giveUnknown(): object {
    return { resultType: 'input_required', inputRequests: { a: { method: 'tools/call', params: {} } } };
  }

  @Tool({ description: 'Gives something else for questions' })
  giveNothing(): object {
    return { resultType: 'input_required', inputRequests: { a: null } };
  }

  @Tool({ description: 'Asks for a form that is none' })
  async askWrongly(_: object, context: McpContext): Promise<string> {
    const failed = await context
      .elicit({ message: 'Well?', schema: { type: 'object', properties: { list: { type: 'array' } } } })
      .catch((error: Error) => error.name);
    return JSON.stringify(failed);
  }

  @Tool({ description: 'Asks two questions under one key' })
  async askTwice(_: object, context: McpContext): Promise<string> {
    const questions = ['First?', 'Second?'].map((message) =>
      context.elicit({ ...QUESTION, message, key: 'same' }),
    );
    return JSON.stringify(await Promise.all(questions).catch((error: Error) => error.message));
  }

  @Tool({ description: 'Asks for ever' })
  async askForEver(_: object, context: McpContext): Promise<string> {
    for (let count = 0; count < 1000; count += 1) await context.elicit(QUESTION);
    return 'never';
  }
}

describe.each(CASES)('A handler that asks wrongly $name, on $adapter', ({ adapter, converse }) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [WronglyAskingTools] });
  });

  afterAll(() => desk.close());

  const call = (tool: string, respond = () => accept({}) as unknown) =>
    converse(desk.url, { params: { name: tool }, respond });

  it.each(['askEndlessly', 'giveEndlessly', 'giveUnknown', 'giveNothing'])(
    'fails its own call alone: %s (SAFE-04)',
    async (tool) => {
      const conversation = await call(tool);
      expect(conversation.asked).toEqual([]);
      expect(conversation.result).toMatchObject({ isError: true });
      expect(textOf(conversation)).toMatch(/^Internal error \(incident \w+\)$/);
      expect(textOf(await call('ask'))).toBe('{"action":"accept","content":{}}');
    },
  );

  it('hears of a form that is none by a promise (REV-01)', async () => {
    expect(textOf(await call('askWrongly'))).toBe('"FormSchemaError"');
  });
});

describe.each(ADAPTERS)('A call that would end the process, on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    // By default nothing of what is nested so deeply is parsed.
    const limits = { bodyDepth: 1_000_000, bodyValues: 1_000_000 };
    desk = await bootServer({ adapter, options: { limits }, providers: [WronglyAskingTools] });
  });

  afterAll(() => desk.close());

  const isAlive = async () => {
    const { result } = await perRequest(desk.url, { capabilities: ABLE }).request('tools/call', {
      name: 'ask',
    });
    expect(result?.['resultType']).toBe('input_required');
  };

  it('is answered where its parameters are nested without end (SAFE-01)', async () => {
    const nested = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const { result, error } = await callAsWritten(desk.url, `"extra":${nested}`);
    expect(result).toBeUndefined();
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('nested too deeply') });
    await isAlive();
  });

  it('hears that two of its questions have one key (REV-02)', async () => {
    const { result } = await perRequest(desk.url, { capabilities: ABLE }).request('tools/call', {
      name: 'askTwice',
    });
    expect(textOf({ result })).toBe(
      '"The key \\"same\\" is used for two input requests of one call: use a different key for each"',
    );
  });

  it('is answered where it brings more answers than it may ask questions (SAFE-01)', async () => {
    const answers = Array.from({ length: 100 }, (_, index) => [`question-${index + 1}`, accept({})]);
    const round = { name: 'askForEver', inputResponses: Object.fromEntries(answers) as object };
    const answer = await perRequest(desk.url, { capabilities: ABLE }).request('tools/call', round);
    expect(answer.result).toMatchObject({ isError: true });
    expect(textOf(answer)).toMatch(/^Internal error/);
    await isAlive();
  });
});
