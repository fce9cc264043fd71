import { beforeEach, describe, expect, it } from '@jest/globals';
import { ToolError } from '../../../../lib/server/context/tool-errors.js';
import type { McpContext } from '../../../../lib/server/context/mcp-context.interface.js';
import type { HandlerInvoker } from '../../../../lib/server/catalog/invocation/handler-invoker.js';
import { ToolsCallMethod, ToolCallInterceptors } from '../../../../lib/server/methods/tools-call.method.js';
import { HandlerResultError } from '../../../../lib/server/methods/results/handler-result.js';
import type { McpOptions } from '../../../../lib/server/settings/mcp-options.js';
import { TestCatalog } from '../../support/catalog.js';
import { buildContext, buildPeer, RecordingChannel, type Json } from '../../support/requests.js';
import { buildLimits } from '../../support/limits.js';
import { buildSettings } from '../../support/settings.js';
import { InputRounds } from '../../../../lib/server/input-requests/input-rounds.js';
import type { ServerSettings } from '../../../../lib/server/settings/server-settings.js';

const NAMED = { type: 'object', properties: { who: { type: 'string' } }, required: ['who'] };

describe('tools/call (MCP server/tools)', () => {
  let catalog: TestCatalog;

  beforeEach(() => {
    catalog = new TestCatalog();
  });

  function createMethod(settings: ServerSettings): ToolsCallMethod {
    const interceptors = new ToolCallInterceptors();
    const invoker = {} as HandlerInvoker;
    return new ToolsCallMethod(
      catalog.tools,
      new InputRounds(),
      interceptors,
      settings,
      buildLimits(),
      invoker,
    );
  }

  async function call(
    params: Json,
    parts: Parameters<typeof buildContext>[1] = {},
    options: Partial<McpOptions> = {},
  ) {
    const method = createMethod(buildSettings(options));
    return method.handle(buildContext('tools/call', { params, ...parts }));
  }

  it('calls the tool with its arguments and the context of the request (CORE-03)', async () => {
    const given: unknown[] = [];
    catalog.entries.tools.add({ name: 'greet', inputSchema: NAMED }, (args, context: McpContext) => {
      given.push(args, context.method);
      return 'hello';
    });
    const result = await call({ name: 'greet', arguments: { who: 'you' } });
    expect(result).toEqual({ content: [{ type: 'text', text: 'hello' }] });
    expect(given).toEqual([{ who: 'you' }, 'tools/call']);
  });

  it('takes no arguments for empty ones (CORE-03)', async () => {
    catalog.entries.tools.add({ name: 'now' }, (args) => JSON.stringify(args));
    expect(await call({ name: 'now' })).toMatchObject({ content: [{ text: '{}' }] });
  });

  it.each<[string, Json, RegExp]>([
    ['no name', {}, /"name" must be a string/],
    ['a name that is a number', { name: 7 }, /"name" must be a string/],
    ['an unknown tool', { name: 'gone' }, /unknown tool "gone"/],
    ['the name of an inherited member', { name: 'constructor' }, /unknown tool/],
    ['the prototype', { name: '__proto__' }, /unknown tool/],
    ['arguments by position', { name: 'now', arguments: [1] }, /"arguments" must be an object/],
    ['arguments null', { name: 'now', arguments: null }, /"arguments" must be an object/],
    ['arguments that are a text', { name: 'now', arguments: '{}' }, /"arguments" must be an object/],
  ])('answers %s with -32602 (CORE-01)', async (_what, params, says) => {
    catalog.entries.tools.add({ name: 'now' }, () => 'x');
    await expect(call(params)).rejects.toMatchObject({ code: -32602, message: expect.stringMatching(says) });
  });

  it('repeats no more than the beginning of a name (CORE-01)', async () => {
    const answered = call({ name: 'n'.repeat(100_000) });
    await expect(answered).rejects.toMatchObject({ message: expect.stringMatching(/^.{1,200}$/) });
  });

  it.each<[string, unknown]>([
    ['missing', {}],
    ['of a wrong type', { who: 7 }],
  ])('lets no arguments reach the handler where one is %s (MOD-07)', async (_fault, given) => {
    let calls = 0;
    catalog.entries.tools.add({ name: 'greet', inputSchema: NAMED }, () => (calls += 1));
    const answered = call({ name: 'greet', arguments: given });
    await expect(answered).rejects.toThrow(ToolError);
    await expect(answered).rejects.toThrow(/who/);
    expect(calls).toBe(0);
  });

  it('pollutes nothing by arguments (MOD-07)', async () => {
    catalog.entries.tools.add({ name: 'take', inputSchema: { type: 'object' } }, (args) =>
      Object.keys(args as object).join(),
    );
    const given = JSON.parse(
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"a":1}',
    ) as Json;
    await call({ name: 'take', arguments: given });
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(Reflect.get(Object, 'polluted')).toBeUndefined();
  });

  describe('with an output schema', () => {
    const outputSchema = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] };
    const addTool = (gives: unknown) => catalog.entries.tools.add({ name: 'add', outputSchema }, () => gives);

    it('gives what matches it as structured content, and as text (MOD-08)', async () => {
      addTool({ sum: 3 });
      expect(await call({ name: 'add' })).toEqual({
        content: [{ type: 'text', text: '{"sum":3}' }],
        structuredContent: { sum: 3 },
      });
    });

    it.each([{ sum: 'three' }, {}, 'three', undefined, { content: [] }])(
      'fails where the handler gives %j, which does not match (MOD-08)',
      async (gives) => {
        addTool(gives);
        const answered = call({ name: 'add' });
        await expect(answered).rejects.toThrow(HandlerResultError);
        await expect(answered).rejects.toThrow(/"add" does not match its output schema/);
      },
    );

    it('does not check a result that is an error (MOD-08)', async () => {
      const failure = { content: [{ type: 'text', text: 'full' }], isError: true };
      addTool(failure);
      expect(await call({ name: 'add' })).toEqual(failure);
    });

    it('shows structured content only where the revision has it (VER-03)', async () => {
      addTool({ sum: 3 });
      const result = await call({ name: 'add' }, { peer: buildPeer('2025-03-26') });
      expect(result).toEqual({ content: [{ type: 'text', text: '{"sum":3}' }] });
    });
  });

  describe('with arguments that headers repeat', () => {
    const inputSchema = {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
    };
    const params = { name: 'deploy', arguments: { region: 'eu' } };

    const callWith = (headers: Record<string, string>, peer = buildPeer(undefined, { headers })) => {
      const channel = new RecordingChannel(true, { headers, request: {} });
      return call(params, { channel, peer });
    };

    beforeEach(() => catalog.entries.tools.add({ name: 'deploy', inputSchema }, () => 'done'));

    it('answers headers that differ from the body with -32020 and HTTP status 400 (VER-04)', async () => {
      for (const headers of [{}, { 'mcp-param-region': 'us' }]) {
        await expect(callWith(headers)).rejects.toMatchObject({ code: -32020, httpStatus: 400 });
      }
      await expect(callWith({ 'mcp-param-region': 'eu' })).resolves.toBeDefined();
    });

    it('asks for no headers in a session, nor where the transport has none or checks none (VER-04)', async () => {
      await expect(callWith({}, buildPeer('2025-11-25'))).resolves.toBeDefined();
      await expect(callWith({}, buildPeer())).resolves.toBeDefined();
      await expect(call(params)).resolves.toBeDefined();
    });
  });

  it("is limited by the tool's own time, else by the server's (SAFE-04)", async () => {
    const hang = () => new Promise(() => undefined);
    catalog.entries.tools.add({ name: 'own', timeoutMs: 5 }, hang);
    catalog.entries.tools.add({ name: 'server' }, hang);
    for (const [name, callTimeoutMs, limit] of [
      ['own', 60_000, 5],
      ['server', 10, 10],
    ] as const) {
      const context = buildContext('tools/call', { params: { name } });
      const failure = new Promise<unknown>((resolve) => (context.onInterrupt = resolve));
      void createMethod(buildSettings({ callTimeoutMs })).handle(context);
      expect(await failure).toMatchObject({ failure: { timeoutMs: limit } });
    }
  });
});
