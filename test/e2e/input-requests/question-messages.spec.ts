import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { specTypeSchemas, type SpecTypeName } from '@modelcontextprotocol/client';
import {
  Complete,
  elicitation,
  McpNotifier,
  Prompt,
  listRoots,
  sampling,
  Tool,
  type McpContext,
} from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { HANDSHAKE_VERSIONS, initialize, perRequest } from '../../support/clients/json-rpc.js';
import type { JsonObject, Message } from '../../support/clients/message.js';
import { ABLE, accept, answer, nextQuestion, nextResponse, questionsOf, textOf } from './conversation.js';
import { NAME } from './wordings.js';

const SAMPLING = {
  messages: [{ role: 'user', content: { type: 'text', text: 'Greet' } }],
  maxTokens: 5,
} as const;

@Injectable()
class DeskHandlers {
  @Tool({ description: 'Reports, then asks' })
  async ask(_: object, context: McpContext): Promise<string> {
    context.progress(1);
    const answered = await context.elicit(NAME);
    context.progress(2);
    return JSON.stringify(answered);
  }

  @Tool({ description: 'Reports, then asks the model' })
  async askModel(_: object, context: McpContext): Promise<string> {
    context.progress(1);
    const { model } = await context.sample(SAMPLING);
    context.progress(2);
    return model;
  }

  @Tool({ description: 'Asks at once what every revision has' })
  async askOften(_: object, context: McpContext): Promise<string> {
    const answers = await context.requestAll({
      guess: sampling(SAMPLING),
      places: listRoots(),
      other: sampling({ ...SAMPLING, key: 'a key of its own' }),
    });
    return JSON.stringify(Object.keys(answers));
  }

  @Tool({ description: 'Asks everything at once' })
  async requestAll(_: object, context: McpContext): Promise<string> {
    const answers = await context.requestAll({
      name: elicitation(NAME),
      guess: sampling(SAMPLING),
      places: listRoots(),
      keyed: elicitation({ ...NAME, key: 'a key of its own' }),
    });
    return JSON.stringify(Object.keys(answers));
  }

  @Prompt({ arguments: [{ name: 'day' }] })
  plan(): string {
    return 'planned';
  }

  @Complete({ prompt: 'plan', argument: 'day' })
  async complete(_: object, context: McpContext): Promise<string[]> {
    const answered = await context.elicit(NAME);
    return [answered.action];
  }
}

const SPOKEN = { role: 'assistant', model: 'm', content: { type: 'text', text: 'Hi' } };

/** What the tools with one question ask, and what they are given. */
const SINGLE = {
  ask: { asks: 'elicitation/create', type: 'ElicitRequest', given: accept({ name: 'Ada' }) },
  askModel: { asks: 'sampling/createMessage', type: 'CreateMessageRequest', given: SPOKEN },
} as const;

/** What `requestAll` asks. */
const TYPES = ['ElicitRequest', 'CreateMessageRequest', 'ListRootsRequest', 'ElicitRequest'] as const;

function findProblems(type: SpecTypeName, value: unknown): unknown {
  const outcome = specTypeSchemas[type]['~standard'].validate(value);
  return outcome instanceof Promise ? 'asynchronous' : outcome.issues;
}

describe.each(ADAPTERS)('The messages of a question, on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [DeskHandlers] });
  });

  afterAll(() => desk.close());

  it.each<[string, 'ask' | 'askModel']>([
    ...HANDSHAKE_VERSIONS.map((version): [string, 'askModel'] => [version, 'askModel']),
    ['2025-06-18', 'ask'],
    ['2025-11-25', 'ask'],
  ])('go on the stream of the call in %s, in order: %s (REV-02)', async (version, name) => {
    const { asks, type, given } = SINGLE[name];
    const session = await initialize(desk.url, { version, capabilities: ABLE });
    const standing = await session.openStream();
    const params = { name, _meta: { progressToken: 'p' } };
    const stream = await session.start('tools/call', params).stream();
    const question = await nextQuestion(stream);
    expect(findProblems('JSONRPCRequest', question)).toBeUndefined();
    expect(findProblems(type, question)).toBeUndefined();
    const { status, text } = await answer(session, question, given);
    expect([status, text]).toEqual([202, '']);
    await nextResponse(stream);
    await stream.ended;
    expect(stream.messages.map(({ method }) => method)).toEqual([
      'notifications/progress',
      asks,
      'notifications/progress',
      undefined,
    ]);
    desk.app.get(McpNotifier).toolsListChanged();
    await standing.nextNotification('notifications/tools/list_changed');
    expect(standing.messages).toHaveLength(1);
    await standing.close();
  });

  it('are answered in a batch where the revision has batches (REV-02)', async () => {
    const session = await initialize(desk.url, { version: '2025-03-26', capabilities: ABLE });
    const stream = await session.start('tools/call', { name: 'askOften' }).stream();
    const questions: Message[] = [];
    while (questions.length < 3) questions.push(await nextQuestion(stream));
    const results: Record<string, unknown> = {
      'sampling/createMessage': SPOKEN,
      'roots/list': { roots: [] },
    };
    const answers = questions.map(({ id, method = '' }) => ({ jsonrpc: '2.0', id, result: results[method] }));
    expect((await session.post(answers)).status).toBe(202);
    expect(textOf(await nextResponse(stream))).toBe('["guess","places","other"]');
  });

  it('are published requests, each of its kind (REV-01)', async () => {
    const session = await initialize(desk.url, { capabilities: ABLE });
    const call = session.start('tools/call', { name: 'requestAll' });
    const stream = await call.stream();
    const questions: Message[] = [];
    while (questions.length < 4) questions.push(await nextQuestion(stream));
    expect(questions.map(({ method }) => method)).toEqual([
      'elicitation/create',
      'sampling/createMessage',
      'roots/list',
      'elicitation/create',
    ]);
    const problems = questions.map((question, index) => findProblems(TYPES[index]!, question));
    expect(problems).toEqual(TYPES.map(() => undefined));
    expect(new Set(questions.map(({ id }) => id)).size).toBe(4);
    call.disconnect();
  });

  it('are one result on the stateless wire, of the published shape, and no stream (REV-02)', async () => {
    const client = perRequest(desk.url, { capabilities: ABLE });
    const {
      status,
      headers,
      result = {},
      notifications,
    } = await client.request('tools/call', { name: 'requestAll' });
    expect([status, headers['content-type'], notifications]).toEqual([200, 'application/json', []]);
    expect(Object.keys(result).toSorted()).toEqual(['_meta', 'inputRequests', 'requestState', 'resultType']);
    expect(result['resultType']).toBe('input_required');
    expect(questionsOf(result).map(({ key }) => key)).toEqual([
      'name',
      'guess',
      'places',
      'a key of its own',
    ]);
    const requests = Object.values(result['inputRequests'] as JsonObject);
    for (const [index, request] of requests.entries()) {
      expect(Object.keys(request as JsonObject).toSorted()).toEqual(['method', 'params']);
      expect(findProblems(TYPES[index]!, request)).toBeUndefined();
    }
    expect(result['requestState']).toMatch(/^[\x21-\x7e]+$/);
  });

  it('come after what was sent before them, on the stateless wire too (REV-02)', async () => {
    const client = perRequest(desk.url, { capabilities: ABLE });
    const params = { name: 'ask', _meta: { progressToken: 'p' } };
    const first = await client.request('tools/call', params);
    expect(first.notifications.map(({ params: given }) => given?.['progress'])).toEqual([1]);
    const { requestState } = first.result ?? {};
    const round = { inputResponses: { 'question-1': accept({}) }, requestState };
    const second = await client.request('tools/call', { ...params, ...round });
    expect(second.notifications.map(({ params: given }) => given?.['progress'])).toEqual([1, 2]);
  });

  it('are not allowed in a completion on the stateless wire (REV-02)', async () => {
    const params = { ref: { type: 'ref/prompt', name: 'plan' }, argument: { name: 'day', value: '' } };
    const { error } = await perRequest(desk.url, { capabilities: ABLE }).request(
      'completion/complete',
      params,
    );
    expect(error).toMatchObject({
      code: -32603,
      message: '"completion/complete" cannot send input requests to the client',
    });
    const session = await initialize(desk.url, { capabilities: ABLE });
    const stream = await session.start('completion/complete', params).stream();
    await answer(session, await nextQuestion(stream), { action: 'decline' });
    expect((await nextResponse(stream)).result).toMatchObject({ completion: { values: ['decline'] } });
  });

  it('are refused from a client of the stateless wire, which has no responses (REV-02)', async () => {
    const session = await initialize(desk.url, { capabilities: ABLE });
    const { status } = await session.post(
      { jsonrpc: '2.0', id: 'any', result: {} },
      { 'mcp-protocol-version': '2026-07-28' },
    );
    expect(status).toBe(400);
  });
});
