import { Inject, Injectable, Scope } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Complete, Prompt, Resource, ResourceTemplate, Tool, type McpContext } from 'nestjs-mcp';
import type { RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';

let made = 0;

@Injectable({ scope: Scope.REQUEST })
class Caller {
  readonly number = (made += 1);
  constructor(@Inject(REQUEST) private readonly context: McpContext) {}

  describe(): string {
    const { method, id, http } = this.context;
    return `${method} ${id} ${String(http?.headers['x-caller'])} ${this.number}`;
  }
}

@Injectable()
class RequestHandlers {
  constructor(private readonly caller: Caller) {}

  @Tool()
  who() {
    return this.caller.describe();
  }

  @Resource({ uri: 'who://am-i' })
  @ResourceTemplate({ uriTemplate: 'who://is/{name}' })
  read() {
    return this.caller.describe();
  }

  @Prompt({ arguments: [{ name: 'name' }] })
  ask() {
    return this.caller.describe();
  }

  @Complete({ prompt: 'ask', argument: 'name' })
  complete() {
    return [this.caller.describe()];
  }
}

@Injectable({ scope: Scope.TRANSIENT })
class TransientTools {
  readonly number = (made += 1);
  #calls = 0;

  @Tool()
  transient() {
    return `${this.number} ${(this.#calls += 1)}`;
  }
}

const REQUESTS = [
  ['tools/call', { name: 'who' }],
  ['resources/read', { uri: 'who://am-i' }],
  ['resources/read', { uri: 'who://is/ada' }],
  ['prompts/get', { name: 'ask' }],
  [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'ask' }, argument: { name: 'name', value: '' } },
  ],
] as const;

describe('Providers in other scopes', () => {
  let app: RunningApp;

  beforeAll(async () => {
    app = await bootServer({ providers: [RequestHandlers, Caller, TransientTools] });
  });

  afterAll(() => app.close());

  it.each(REQUESTS)(
    'a request-scoped one knows the request it is made for: %s %j (MOD-04)',
    async (method, params) => {
      const clients = [
        (await initialize(app.url, { headers: { 'x-caller': 'ada' } })).start(method, params),
        perRequest(app.url, { headers: { 'x-caller': 'bob' } }).start(method, params),
      ] as const;
      const [ada, bob] = await Promise.all(clients.map((call) => call.answer()));
      const told = [ada, bob].map((answer) => JSON.stringify(answer?.result));
      expect(told[0]).toMatch(new RegExp(`${method} ${clients[0].id} ada \\d+`));
      expect(told[1]).toMatch(new RegExp(`${method} ${clients[1].id} bob \\d+`));
    },
  );

  it('a request-scoped one is made for each call (MOD-04)', async () => {
    const session = await initialize(app.url);
    const before = made;
    await Promise.all([1, 2, 3].map(() => session.request('tools/call', { name: 'who' })));
    expect(made - before).toBe(3);
  });

  it('a transient one is made for each call (MOD-04)', async () => {
    const session = await initialize(app.url);
    const calls = [1, 2, 3].map(() => session.request('tools/call', { name: 'transient' }));
    const texts = (await Promise.all(calls)).map(({ result }) => JSON.stringify(result?.['content']));
    expect(new Set(texts).size).toBe(3);
    for (const text of texts) expect(text).toMatch(/"\d+ 1"/);
  });
});
