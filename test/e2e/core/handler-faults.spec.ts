import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Prompt, Resource, Tool, type McpContext } from 'nestjs-mcp';
import { NEVER } from 'rxjs';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import type { Answer } from '../../support/clients/call.js';
import { Gates } from '../../support/applications/gate.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';
import { until } from '../../support/until.js';

const RUBBISH: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  null: () => null,
  number: () => 42,
  bigint: () => ({ amount: 42n }),
  circle: () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    return circle;
  },
  thrower: () => ({
    toJSON() {
      throw new Error('not today');
    },
  }),
  function: () => () => 'call me',
  symbol: () => Symbol('tool'),
  halfResult: () => ({ content: 'not a list' }),
  halfBlock: () => ({ content: [{ type: 'image' }, null] }),
  errorMark: () => ({ content: [], isError: 'yes' }),
  metadata: () => ({ content: [], _meta: 'x' }),
};

@Injectable()
class FaultyHandlers {
  readonly gates = new Gates();
  readonly aborted: string[] = [];

  @Tool({
    description: 'Works',
    timeoutMs: 10_000,
    inputSchema: { type: 'object', properties: { gate: { type: 'string' } }, required: ['gate'] },
  })
  async work({ gate }: { gate: string }): Promise<string> {
    await this.gates.at(gate).pass();
    return `worked ${gate}`;
  }

  @Tool({ description: 'Throws' })
  crash(): string {
    throw new Error('crashed');
  }

  @Tool({ description: 'Never answers and hears the signal', timeoutMs: 50 })
  async hang(_: object, { signal }: McpContext): Promise<string> {
    signal.addEventListener('abort', () => this.aborted.push('hang'));
    await new Promise(() => undefined);
    return 'never';
  }

  @Tool({ description: 'Never completes', timeoutMs: 50 })
  hangQuietly() {
    return NEVER;
  }

  @Tool({
    description: 'Returns what it should not',
    inputSchema: { type: 'object', properties: { kind: { type: 'string' } }, required: ['kind'] },
  })
  rubbish({ kind }: { kind: string }): unknown {
    return RUBBISH[kind]?.();
  }

  @Resource({ uri: 'desk://hanging' })
  hangingResource(): Promise<string> {
    return new Promise(() => undefined);
  }

  @Resource({ uri: 'desk://rubbish' })
  rubbishResource(): unknown {
    return RUBBISH['circle']?.();
  }

  @Resource({ uri: 'desk://typeless' })
  typelessResource(): unknown {
    return { contents: [{ uri: 'desk://typeless', text: 'x', mimeType: 5 }] };
  }

  @Prompt()
  rubbishPrompt(): unknown {
    return RUBBISH['halfResult']?.();
  }

  @Prompt()
  countedPrompt(): unknown {
    return { messages: [], description: 5 };
  }
}

describe.each(ADAPTERS)('faults of handlers on %s', (adapter) => {
  let desk: RunningApp;
  let handlers: FaultyHandlers;

  beforeAll(async () => {
    desk = await bootServer({ adapter, options: { callTimeoutMs: 100 }, providers: [FaultyHandlers] });
    handlers = desk.app.get(FaultyHandlers);
  });

  afterAll(() => desk.close());

  async function callBoth(method: string, params: JsonObject): Promise<Answer[]> {
    const session = await initialize(desk.url);
    return [await session.request(method, params), await perRequest(desk.url).request(method, params)];
  }

  it.each(['crash', 'hang', 'hangQuietly'])(
    '%s is answered as an error of the tool (SAFE-04)',
    async (name) => {
      for (const { status, result } of await callBoth('tools/call', { name })) {
        expect([status, result?.['isError']]).toEqual([200, true]);
      }
    },
  );

  it('a tool that runs out of time is aborted (SAFE-04)', async () => {
    handlers.aborted.length = 0;
    await callBoth('tools/call', { name: 'hang' });
    await until(() => handlers.aborted.length > 1, 'two aborted handlers');
    expect(handlers.aborted).toEqual(['hang', 'hang']);
  });

  it('a resource that runs out of time is answered with -32603 (SAFE-04)', async () => {
    for (const { error } of await callBoth('resources/read', { uri: 'desk://hanging' })) {
      expect(error?.code).toBe(-32603);
    }
  });

  it.each(Object.keys(RUBBISH))('a tool that returns %s still has an answer (SAFE-04)', async (kind) => {
    for (const { status, response } of await callBoth('tools/call', {
      name: 'rubbish',
      arguments: { kind },
    })) {
      expect(status).toBe(200);
      expect(response?.result?.['content'] ?? response?.error).toBeDefined();
    }
  });

  it.each(['errorMark', 'metadata'])(
    'a tool whose result has a wrong %s is answered as an error, of the published shape (SAFE-04)',
    async (kind) => {
      for (const { result } of await callBoth('tools/call', { name: 'rubbish', arguments: { kind } })) {
        expect(result).toMatchObject({ isError: true, content: [{ type: 'text' }] });
      }
    },
  );

  it.each(['bigint', 'circle', 'thrower'])(
    'a tool that returns %s, which is no JSON, is answered as an error (SAFE-04)',
    async (kind) => {
      for (const { result, error } of await callBoth('tools/call', {
        name: 'rubbish',
        arguments: { kind },
      })) {
        expect(result?.['isError'] ?? error?.code).toEqual(error === undefined ? true : -32603);
      }
    },
  );

  it('a resource and a prompt that return rubbish are answered with -32603 (SAFE-04)', async () => {
    const answers = [
      ...(await callBoth('resources/read', { uri: 'desk://rubbish' })),
      ...(await callBoth('prompts/get', { name: 'rubbishPrompt' })),
      ...(await callBoth('resources/read', { uri: 'desk://typeless' })),
      ...(await callBoth('prompts/get', { name: 'countedPrompt' })),
    ];
    expect(answers.map(({ error }) => error?.code)).toEqual(Array(8).fill(-32603));
  });

  it('a call beside faulty ones has its own answer (SAFE-04)', async () => {
    const session = await initialize(desk.url);
    const other = await initialize(desk.url);
    const gate = handlers.gates.at(`beside ${adapter}`);
    const params = { name: 'work', arguments: { gate: `beside ${adapter}` } };
    const calls = [session, other].map((client) => client.start('tools/call', params));
    await gate.reached();

    const faults = await Promise.all([
      session.request('tools/call', { name: 'crash' }),
      session.request('tools/call', { name: 'rubbish', arguments: { kind: 'circle' } }),
      other.request('resources/read', { uri: 'desk://rubbish' }),
    ]);
    gate.open();
    const answers = await Promise.all(calls.map((call) => call.answer()));
    expect(faults).toHaveLength(3);
    for (const { result } of answers) {
      expect(result).toMatchObject({ content: [{ type: 'text', text: `worked beside ${adapter}` }] });
    }
  });
});
