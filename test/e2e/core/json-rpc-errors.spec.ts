import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Complete, Prompt, Resource, ResourceTemplate, Tool, type McpContext } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize, perRequest, post, type SessionClient } from '../../support/clients/json-rpc.js';
import type { JsonObject, Message } from '../../support/clients/message.js';
import { sendHttp } from '../../support/clients/raw-http.js';

const SECRET = 'hunter2';

@Injectable()
class FragileHandlers {
  @Tool({ description: 'Repeats', inputSchema: { type: 'object', properties: { text: { type: 'string' } } } })
  repeat({ text }: { text: string }): string {
    return text;
  }

  @Resource({ uri: 'desk://broken' })
  broken(): string {
    throw new Error(`password ${SECRET}`);
  }

  @Resource({ uri: 'desk://breaking' })
  async breaking(_: object, context: McpContext): Promise<string> {
    context.progress(1);
    return Promise.reject(new TypeError(SECRET));
  }

  @ResourceTemplate({ uriTemplate: 'desk://shelf/{id}' })
  shelf(): string {
    throw SECRET;
  }

  @Prompt({ arguments: [{ name: 'word' }] })
  riddle(): string {
    throw new Error(SECRET);
  }

  @Complete({ prompt: 'riddle', argument: 'word' })
  complete(): string[] {
    throw new Error(SECRET);
  }
}

const CRASHING: [string, JsonObject][] = [
  ['resources/read', { uri: 'desk://broken' }],
  ['resources/read', { uri: 'desk://breaking' }],
  ['resources/read', { uri: 'desk://shelf/1' }],
  ['prompts/get', { name: 'riddle' }],
  [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'riddle' }, argument: { name: 'word', value: '' } },
  ],
];

describe.each(ADAPTERS)('JSON-RPC errors on %s', (adapter) => {
  let desk: RunningApp;
  let session: SessionClient;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [FragileHandlers] });
    session = await initialize(desk.url);
  });

  afterAll(() => desk.close());

  it.each(['{"jsonrpc":', 'hello', '', '{"jsonrpc":"2.0"} trailing', '[{"jsonrpc"', '\u0000'])(
    'answers the malformed body %j with 400 and -32700 without an id (CORE-01)',
    async (body) => {
      const answer = await sendHttp(desk.url, {
        body,
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      });
      expect(answer.status).toBe(400);
      expect(answer.json).toEqual({
        jsonrpc: '2.0',
        error: { code: -32700, message: expect.any(String) },
      });
    },
  );

  it.each<[string, unknown, string | number | null]>([
    ['an empty object', {}, null],
    ['a number', 42, null],
    ['a string', 'ping', null],
    ['null', null, null],
    ['a missing version', { id: 7, method: 'ping' }, 7],
    ['another version', { jsonrpc: '1.0', id: 'a', method: 'ping' }, 'a'],
    ['a version that is a number', { jsonrpc: 2, id: 8, method: 'ping' }, 8],
    ['a method that is a number', { jsonrpc: '2.0', id: 9, method: 1 }, 9],
    ['an id that is null', { jsonrpc: '2.0', id: null, method: 'ping' }, null],
    ['an id that is a fraction', { jsonrpc: '2.0', id: 1.5, method: 'ping' }, null],
    ['an id that is an object', { jsonrpc: '2.0', id: {}, method: 'ping' }, null],
    ['an id that is a boolean', { jsonrpc: '2.0', id: true, method: 'ping' }, null],
    ['positional params', { jsonrpc: '2.0', id: 3, method: 'ping', params: [1] }, 3],
    ['params that are text', { jsonrpc: '2.0', id: 4, method: 'ping', params: 'x' }, 4],
    ['a response with result and error', { jsonrpc: '2.0', id: 5, result: {}, error: { code: 1 } }, null],
    ['a response without result and error', { jsonrpc: '2.0', id: 6 }, null],
  ])('answers %s with 400 and -32600 (CORE-01)', async (_, body, id) => {
    const answer = await session.post(body);
    const message = answer.json as Message;
    expect(answer.status).toBe(400);
    expect(message.error?.code).toBe(-32600);
    expect(message.id ?? null).toBe(id);
  });

  it('leaves "id" out of an error rather than sending null (CORE-01)', async () => {
    const answer = await session.post({ jsonrpc: '2.0', id: null, method: 'ping' });
    expect(answer.json).not.toHaveProperty('id');
  });

  it('takes a response that nobody waits for with 202 (CORE-01)', async () => {
    const answer = await session.post({ jsonrpc: '2.0', id: 'unheard-of', result: {} });
    expect([answer.status, answer.text]).toEqual([202, '']);
  });

  it('answers an unknown method of a session with 200 and -32601 (CORE-01)', async () => {
    const answer = await session.request('tickets/list');
    expect([answer.status, answer.error?.code]).toEqual([200, -32601]);
  });

  it('answers an unknown method of the stateless wire with 404, -32601 and the id (CORE-01)', async () => {
    const answer = await perRequest(desk.url).request('tickets/list', {}, { id: 'unknown-1' });
    expect([answer.status, answer.error?.code]).toEqual([404, -32601]);
    expect(answer.response?.id).toBe('unknown-1');
  });

  it.each<[string, JsonObject | undefined]>([
    ['tools/call', undefined],
    ['tools/call', {}],
    ['tools/call', { name: 5 }],
    ['tools/call', { name: 'missing' }],
    ['tools/call', { name: 'repeat', arguments: 'text' }],
    ['tools/call', { name: 'repeat', arguments: ['text'] }],
    ['tools/list', { cursor: 5 }],
    ['resources/read', {}],
    ['resources/read', { uri: 5 }],
    ['resources/subscribe', {}],
    ['resources/unsubscribe', { uri: 1 }],
    ['prompts/get', {}],
    ['prompts/get', { name: 'missing' }],
    ['prompts/get', { name: 'riddle', arguments: 'text' }],
    ['completion/complete', {}],
    ['completion/complete', { ref: { type: 'ref/tool', name: 'x' }, argument: { name: 'a', value: '' } }],
    ['completion/complete', { ref: { type: 'ref/prompt', name: 'riddle' }, argument: { name: 'word' } }],
    ['logging/setLevel', { level: 'loud' }],
    ['logging/setLevel', {}],
  ])('answers %s with the params %j with 200 and -32602 (CORE-01)', async (method, params) => {
    const answer = await session.request(method, params);
    expect([answer.status, answer.error?.code]).toEqual([200, -32602]);
  });

  it.each<[string, JsonObject]>([
    ['tools/call', { name: 'missing' }],
    ['tools/call', { name: 'repeat', arguments: 'text' }],
    ['prompts/get', { name: 'missing' }],
    ['completion/complete', {}],
  ])('answers %s with %j on the stateless wire with 200 and -32602 (CORE-01)', async (method, params) => {
    const answer = await perRequest(desk.url).request(method, params);
    expect([answer.status, answer.error?.code]).toEqual([200, -32602]);
  });

  it.each(CRASHING)(
    'answers a crash in %s %j with -32603 and no detail (CORE-01)',
    async (method, params) => {
      const answers = [
        await session.request(method, params),
        await perRequest(desk.url).request(method, params),
      ];
      for (const answer of answers) {
        expect([answer.status, answer.error?.code]).toEqual([200, -32603]);
        expect(JSON.stringify(answer.response)).not.toMatch(new RegExp(`${SECRET}|\\.ts|at `));
      }
    },
  );

  it('answers a crash after the stream began on that stream (CORE-01)', async () => {
    const params = { uri: 'desk://breaking', _meta: { progressToken: 'p' } };
    const answer = await session.request('resources/read', params);
    expect(answer.headers['content-type']).toMatch(/^text\/event-stream/);
    expect(answer.error?.code).toBe(-32603);
  });

  it('answers a request without a session with 400 and -32600 (CORE-01)', async () => {
    const answer = await post(desk.url, { jsonrpc: '2.0', id: 12, method: 'tools/list' });
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ id: 12, error: { code: -32600 } });
  });
});
