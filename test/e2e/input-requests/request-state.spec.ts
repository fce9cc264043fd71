import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Prompt, Resource, Tool, type McpContext, type McpOptions } from 'nestjs-mcp';
import { ADAPTERS, type AdapterName, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import type { Answer } from '../../support/clients/call.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';
import { until } from '../../support/until.js';
import { ABLE, accept, textOf } from './conversation.js';

const NAME = {
  key: 'name',
  message: 'Who are you?',
  schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
} as const;
const BOOKING = { type: 'object', properties: { day: {}, seats: {} } } as const;

const FIRST_SECRET = 'the first secret of thirty-two characters';
const SECOND_SECRET = 'another secret, also of thirty-two characters';

@Injectable()
class DeskHandlers {
  @Tool({ description: 'Books', inputSchema: BOOKING })
  async book(given: object, context: McpContext): Promise<string> {
    return `${JSON.stringify(given)} ${JSON.stringify(await context.elicit(NAME))}`;
  }

  @Tool({ description: 'Cancels', inputSchema: BOOKING })
  cancel(given: object, context: McpContext): Promise<string> {
    return this.book(given, context);
  }

  @Prompt({ arguments: [{ name: 'day' }] })
  plan(given: object, context: McpContext): Promise<string> {
    return this.book(given, context);
  }

  @Resource({ uri: 'desk://plan' })
  read(_: object, context: McpContext): Promise<string> {
    return this.book({}, context);
  }
}

function boot(adapter: AdapterName, options: Partial<McpOptions> = {}): Promise<RunningApp> {
  return bootServer({ adapter, options, providers: [DeskHandlers] });
}

const CALL = { name: 'book', arguments: { day: 'Monday', seats: { front: 1, back: [2, 3] } } };
const ROUND = { inputResponses: { name: accept({ name: 'Ada' }) } };
const REFUSED = { code: -32602, message: expect.stringContaining('"requestState"') };

describe.each(ADAPTERS)('The state of a call between its rounds, on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await boot(adapter, { secret: FIRST_SECRET });
  });

  afterAll(() => desk.close());

  const call = (params: JsonObject, { url } = desk, method = 'tools/call'): Promise<Answer> =>
    perRequest(url, { capabilities: ABLE }).request(method, params);

  async function begin(params: JsonObject = CALL, at = desk, method = 'tools/call'): Promise<string> {
    const { result } = await call(params, at, method);
    expect(result?.['resultType']).toBe('input_required');
    return result?.['requestState'] as string;
  }

  it('brings the call to its end once it comes back with the answer (REV-02)', async () => {
    const requestState = await begin();
    const answered = await call({ ...CALL, ...ROUND, requestState });
    expect(answered.result?.['resultType']).toBe('complete');
    expect(textOf(answered)).toBe(
      `${JSON.stringify(CALL.arguments)} {"action":"accept","content":{"name":"Ada"}}`,
    );
  });

  it('is good for a call whose members come in another order, and in another _meta (REV-02)', async () => {
    const requestState = await begin();
    const reordered = { seats: { back: [2, 3], front: 1 }, day: 'Monday' };
    const params = {
      requestState,
      arguments: reordered,
      ...ROUND,
      name: 'book',
      _meta: { progressToken: 7 },
    };
    expect((await call(params)).result?.['resultType']).toBe('complete');
  });

  it('is good more than once: what must happen once is for the handler to see to (REV-02)', async () => {
    const requestState = await begin();
    for (let time = 0; time < 3; time += 1) {
      expect((await call({ ...CALL, ...ROUND, requestState })).result?.['resultType']).toBe('complete');
    }
  });

  it('asks again where it comes back without the answer (REV-02)', async () => {
    const requestState = await begin();
    const { result } = await call({ ...CALL, requestState });
    expect(result).toMatchObject({ resultType: 'input_required', inputRequests: { name: {} } });
  });

  it.each<[string, JsonObject]>([
    ['another tool', { ...CALL, name: 'cancel' }],
    ['another argument', { ...CALL, arguments: { ...CALL.arguments, day: 'Sunday' } }],
    ['an argument more', { ...CALL, arguments: { ...CALL.arguments, extra: 1 } }],
    ['an argument less', { ...CALL, arguments: { day: 'Monday' } }],
    [
      'another argument deep inside',
      { ...CALL, arguments: { day: 'Monday', seats: { front: 1, back: [3, 2] } } },
    ],
    [
      'pairs for an object',
      {
        ...CALL,
        arguments: {
          day: 'Monday',
          seats: [
            ['back', [2, 3]],
            ['front', 1],
          ],
        },
      },
    ],
    ['a number for a text', { ...CALL, arguments: { day: 1, seats: { front: 1, back: [2, 3] } } }],
    ['no arguments', { name: 'book' }],
    ['another parameter', { ...CALL, task: {} }],
  ])('is refused with %s (REV-02)', async (_, params) => {
    const requestState = await begin();
    const { error, result } = await call({ ...params, ...ROUND, requestState });
    expect([result, error]).toEqual([undefined, expect.objectContaining(REFUSED)]);
  });

  it('is refused with another method (REV-02)', async () => {
    const requestState = await begin({ name: 'plan', arguments: { day: 'Monday' } }, desk, 'prompts/get');
    const read = await call({ uri: 'desk://plan', ...ROUND, requestState }, desk, 'resources/read');
    const tool = await call({ ...CALL, ...ROUND, requestState });
    expect([read.error, tool.error]).toMatchObject([REFUSED, REFUSED]);
    const prompt = { name: 'plan', arguments: { day: 'Monday' }, ...ROUND, requestState };
    expect((await call(prompt, desk, 'prompts/get')).result?.['resultType']).toBe('complete');
  });

  it('is refused where it was changed in any place (REV-02)', async () => {
    const state = await begin();
    const [text = '', signature = ''] = state.split('.');
    const contents = JSON.parse(Buffer.from(text, 'base64url').toString()) as JsonObject;
    const forged = { ...contents, answers: { name: accept({ name: 'Eve' }) } };
    const changed = [
      `${state}-TAMPERED`,
      `${state}A`,
      state.slice(0, -1),
      state.slice(1),
      state.slice(0, state.length / 2),
      text,
      `${text}.`,
      `.${signature}`,
      `${text}.${signature}.${signature}`,
      `${text}=.${signature}`,
      ` ${state}`,
      state.toUpperCase(),
      `${Buffer.from(JSON.stringify(forged)).toString('base64url')}.${signature}`,
      '',
      '.',
      'x'.repeat(100_000),
    ];
    for (const requestState of changed) {
      const { error, result } = await call({ ...CALL, ...ROUND, requestState });
      expect([result, error]).toEqual([undefined, expect.objectContaining(REFUSED)]);
    }
  });

  it.each([null, 0, true, {}, ['a.b']])('is refused where it is %j (REV-02)', async (requestState) => {
    expect((await call({ ...CALL, ...ROUND, requestState })).error).toMatchObject(REFUSED);
  });

  it('is refused before the handler runs, and says nothing of itself (REV-02)', async () => {
    const requestState = `${await begin()}x`;
    const { error } = await call({ ...CALL, ...ROUND, requestState });
    expect(JSON.stringify(error)).not.toContain(requestState.slice(0, 20));
    expect(error?.data).toBeUndefined();
  });

  it('is refused when its time is up, with the advice to begin anew (REV-02)', async () => {
    const brief = await boot(adapter, { inputRequests: { stateLifetimeMs: 1 } });
    const { result } = await call(CALL, brief);
    const params = { ...CALL, ...ROUND, requestState: result?.['requestState'] };
    const refused = await until(async () => (await call(params, brief)).error, 'a state that is too old');
    expect(refused).toMatchObject({ code: -32602, message: expect.stringMatching(/expired.*without it/) });
    await brief.close();
  });

  it('is refused by a server with another secret, and by one with a random one (REV-02)', async () => {
    const others = [await boot(adapter, { secret: SECOND_SECRET }), await boot(adapter)];
    const requestState = await begin();
    for (const other of others) {
      expect((await call({ ...CALL, ...ROUND, requestState }, other)).error).toMatchObject(REFUSED);
      await other.close();
    }
  });

  it('is good in every process that knows the secret, while secrets are changed too (REV-02)', async () => {
    const changing = await boot(adapter, { secret: [SECOND_SECRET, FIRST_SECRET] });
    const changed = await boot(adapter, { secret: [SECOND_SECRET] });
    const complete = async (requestState: string, at: RunningApp) =>
      (await call({ ...CALL, ...ROUND, requestState }, at)).result?.['resultType'];
    expect(await complete(await begin(), changing)).toBe('complete');
    expect(await complete(await begin(CALL, changing), changed)).toBe('complete');
    expect(await complete(await begin(CALL, changing), desk)).toBeUndefined();
    await changing.close();
    await changed.close();
  });
});
