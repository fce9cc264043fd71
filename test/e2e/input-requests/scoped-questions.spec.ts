import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Complete, Prompt, RequireScope, Resource, Tool, type McpContext } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { authorize, bootDesk, PUBLISHED, textOf } from '../../support/applications/protected-desk.js';
import type { Answer } from '../../support/clients/call.js';
import { initialize, perRequest, type PerRequestClient } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';
import { ABLE, accept } from './conversation.js';

const TOKENS = {
  full: { token: 'fixed-token-of-ada-with-all', subject: 'ada', scopes: ['desk:read', 'desk:secret'] },
  lesser: { token: 'fixed-token-of-ada-with-less', subject: 'ada', scopes: ['desk:read'] },
};
const FULL = authorize(TOKENS.full.token);
const LESSER = authorize(TOKENS.lesser.token);
const NAME = {
  key: 'name',
  message: 'Who are you?',
  schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
} as const;
const ANSWERS = { inputResponses: { name: accept({ name: 'Ada' }) } };

/** What ran behind its question, in order. */
const ran: string[] = [];

async function ask(what: string, context: McpContext): Promise<string> {
  const answer = await context.elicit(NAME);
  ran.push(what);
  return `${what} ${answer.action}`;
}

@Injectable()
@RequireScope('desk:secret')
class SecretHandlers {
  @Tool({ description: 'Asks in a form' })
  form(_arguments: object, context: McpContext): Promise<string> {
    return ask('form', context);
  }

  @Tool({ description: 'Asks on a page' })
  async page(_arguments: object, context: McpContext): Promise<string> {
    const { action } = await context.elicitUrl({
      key: 'name',
      message: 'Pay',
      url: 'https://pay.example.com/7',
    });
    ran.push('page');
    return `page ${action}`;
  }

  @Tool({ description: 'Asks the model' })
  async sample(_arguments: object, context: McpContext): Promise<string> {
    const { model } = await context.sample({ messages: [], maxTokens: 1 });
    ran.push('sample');
    return model;
  }

  @Prompt({ arguments: [{ name: 'day' }] })
  plan(_arguments: object, context: McpContext): Promise<string> {
    return ask('plan', context);
  }

  @Complete({ prompt: 'plan', argument: 'day' })
  days(): string[] {
    return ['Monday'];
  }

  @Resource({ uri: 'desk://secret' })
  secret(_uri: object, context: McpContext): Promise<string> {
    return ask('secret', context);
  }
}

@Injectable()
class LateHandlers {
  @Tool({ description: 'Requires a scope, and then asks' })
  late(_arguments: object, context: McpContext): Promise<string> {
    context.auth.requireScope('desk:secret');
    return ask('late', context);
  }
}

describe.each(ADAPTERS)('A call that required a scope and asks, on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootDesk(adapter, {
      auth: { ...PUBLISHED, bearer: Object.values(TOKENS) },
      providers: [SecretHandlers, LateHandlers],
    });
  });

  beforeEach(() => void ran.splice(0));

  afterAll(() => desk.close());

  const client = (headers: object): PerRequestClient =>
    perRequest(desk.url, { headers: { ...headers }, capabilities: ABLE });

  function expectRefusal({ status, headers }: Pick<Answer, 'status' | 'headers'>): void {
    expect([status, headers['www-authenticate']]).toEqual([
      403,
      expect.stringMatching(/error="insufficient_scope", scope="desk:secret"/),
    ]);
  }

  it.each<[string, JsonObject, string]>([
    ['tools/call', { name: 'form' }, 'form'],
    ['tools/call', { name: 'page' }, 'page'],
    ['tools/call', { name: 'late' }, 'late'],
    ['prompts/get', { name: 'plan' }, 'plan'],
    ['resources/read', { uri: 'desk://secret' }, 'secret'],
  ])('is not continued by a token without it: %s %j (FAIR-06) (REV-02)', async (method, params, name) => {
    const { requestState } = await client(FULL).start(method, params).result();
    const round = { ...params, ...ANSWERS, requestState };
    expectRefusal(await client(LESSER).request(method, round));
    expect(ran).toEqual([]);
    const { result } = await client(FULL).request(method, round);
    expect(JSON.stringify(result)).toContain(`${name} accept`);
    expect(ran).toEqual([name]);
  });

  it('says nothing to complete its arguments to a token without it (FAIR-06)', async () => {
    const params = { ref: { type: 'ref/prompt', name: 'plan' }, argument: { name: 'day', value: '' } };
    expectRefusal(await client(LESSER).request('completion/complete', params));
    const { result } = await client(FULL).request('completion/complete', params);
    expect(result).toMatchObject({ completion: { values: ['Monday'] } });
  });

  it.each(['form', 'page', 'late'])(
    'is not answered in its session by a token without it: %s (FAIR-06)',
    async (name) => {
      const session = await initialize(desk.url, { headers: FULL, capabilities: ABLE });
      const stream = await session.start('tools/call', { name }).stream();
      const { id } = await stream.nextMessage(({ method }) => method === 'elicitation/create');
      const answer = { jsonrpc: '2.0', id, result: accept({ name: 'Ada' }) };
      expectRefusal(await session.post(answer, LESSER));
      expect(ran).toEqual([]);
      expect((await session.post(answer)).status).toBe(202);
      const { result = {} } = await stream.nextMessage((message) => message.result !== undefined);
      expect(textOf(result)).toBe(`${name} accept`);
    },
  );

  it('is not answered by a batch by a token without it, of which nothing runs (FAIR-06) (CORE-09)', async () => {
    const session = await initialize(desk.url, {
      version: '2025-03-26',
      headers: FULL,
      capabilities: ABLE,
    });
    const stream = await session.start('tools/call', { name: 'sample' }).stream();
    const { id } = await stream.nextMessage(({ method }) => method === 'sampling/createMessage');
    const result = { role: 'assistant', model: 'm', content: { type: 'text', text: 'yes' } };
    const answer = { jsonrpc: '2.0', id, result };
    for (const batch of [[answer], [answer, { jsonrpc: '2.0', id: 77, method: 'ping' }]]) {
      expectRefusal(await session.post(batch, LESSER));
    }
    expect(ran).toEqual([]);
    expect((await session.post([answer])).status).toBe(202);
    expect(textOf((await stream.nextMessage((message) => message.result !== undefined)).result ?? {})).toBe(
      'm',
    );
  });
});
