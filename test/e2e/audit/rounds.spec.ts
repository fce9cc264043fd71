import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { elicitation, sampling, Tool, type InputRequiredResult, type McpContext } from 'nestjs-mcp';
import { ADAPTERS } from '../../support/applications/boot.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';
import { ABLE, accept } from '../input-requests/conversation.js';
import { bootAuditedDesk, type AuditedDesk } from './audited-desk.js';

const WORD = { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] } as const;
const SPOKEN = { role: 'assistant', model: 'm', content: { type: 'text', text: 'Hm' } };

@Injectable()
class AskingTools {
  @Tool()
  async ask(_arguments: object, context: McpContext): Promise<string> {
    const { action } = await context.elicit({ key: 'word', message: 'Which word?', schema: WORD });
    return action;
  }

  @Tool()
  async askTwice(_arguments: object, context: McpContext): Promise<string> {
    const answers = await context.requestAll({
      word: elicitation({ message: 'Which word?', schema: WORD }),
      spoken: sampling({ messages: [], maxTokens: 5 }),
    });
    return Object.keys(answers).join(' ');
  }

  @Tool()
  write(_arguments: object, { inputResponses }: McpContext): string | InputRequiredResult {
    if ('word' in inputResponses) return 'written';
    const params = { message: 'Which word?', requestedSchema: WORD };
    return {
      resultType: 'input_required',
      inputRequests: { word: { method: 'elicitation/create', params } },
    };
  }
}

describe.each(ADAPTERS)('The audit of questions on the stateless wire, on %s', (adapter) => {
  let desk: AuditedDesk;

  beforeAll(async () => {
    desk = await bootAuditedDesk({ adapter, providers: [AskingTools], audit: { redact: (value) => value } });
  });

  beforeEach(() => {
    desk.events.length = 0;
  });

  afterAll(() => desk.close());

  const call = async (name: string, round: JsonObject = {}): Promise<JsonObject> => {
    const client = perRequest(desk.url, { capabilities: ABLE });
    return (await client.request('tools/call', { name, ...round })).result ?? {};
  };
  const answer = (name: string, { requestState }: JsonObject, inputResponses: JsonObject) =>
    call(name, { requestState, inputResponses });
  const listQuestions = () =>
    desk.events.filter(({ type }) => type === 'input_request' || type === 'input_request_sent');

  it.each(['ask', 'write'])(
    'says what the user of the tool "%s" did, when that comes (OPS-03)',
    async (name) => {
      const asked = await call(name);
      expect(listQuestions()).toEqual([
        expect.objectContaining({
          type: 'input_request_sent',
          outcome: 'ok',
          action: undefined,
          answerBytes: 0,
        }),
      ]);
      const [question] = listQuestions();
      expect(question?.arguments).toMatchObject({ message: 'Which word?' });
      const given = { action: 'decline' };
      await answer(name, asked, { word: given });
      expect(listQuestions()).toHaveLength(2);
      const told = await desk.find({ type: 'input_request' });
      expect(told).toMatchObject({
        method: 'elicitation/create',
        outcome: 'ok',
        action: 'decline',
        transport: 'http',
        answerBytes: JSON.stringify(given).length,
      });
      expect(told.time.getTime()).toBeLessThanOrEqual(Date.now());
      expect(told.time.getTime()).toBeGreaterThanOrEqual(Number(question?.time));
      expect(told.durationMs).toBeGreaterThanOrEqual(0);
    },
  );

  it('has one event for each answer, whatever it is to (OPS-03)', async () => {
    const asked = await call('askTwice');
    await answer('askTwice', asked, { word: accept({ word: 'quire' }), spoken: SPOKEN });
    const told = desk.events.filter(({ type }) => type === 'input_request');
    expect(told.map(({ method, action }) => [method, action])).toEqual([
      ['elicitation/create', 'accept'],
      ['sampling/createMessage', undefined],
    ]);
  });

  it('tells of answers alone that a question was asked for (OPS-03)', async () => {
    const asked = await call('ask');
    await answer('ask', asked, { other: accept({ word: 'quire' }) });
    await call('write', { inputResponses: { word: accept({ word: 'quire' }) } });
    expect(desk.events.filter(({ type }) => type === 'input_request')).toEqual([]);
    await answer('ask', asked, { word: { action: 'cancel' } });
    expect(await desk.find({ type: 'input_request' })).toMatchObject({ action: 'cancel' });
  });

  it('tells of an answer to a state that nobody gave nothing (OPS-03)', async () => {
    await answer('ask', { requestState: 'made-up' }, { word: accept({ word: 'quire' }) });
    expect(await desk.find({ outcome: 'error' })).toMatchObject({ errorCode: -32602 });
    expect(listQuestions()).toEqual([]);
  });
});
