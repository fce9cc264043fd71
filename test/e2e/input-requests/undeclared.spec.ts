import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import {
  elicitation,
  Prompt,
  Resource,
  listRoots,
  sampling,
  Tool,
  type InputRequiredResult,
  type McpContext,
} from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import { metaKey, type JsonObject } from '../../support/clients/message.js';
import { ABLE, accept, answer, nextQuestion, nextResponse, textOf } from './conversation.js';
import { NAME } from './wordings.js';

const SAMPLING = { messages: [], maxTokens: 1 } as const;
const TOOLS = [{ name: 'look', inputSchema: { type: 'object' } }];
const PAGE = { message: 'Pay', url: 'https://pay.example.com/' } as const;

const give = (method: string, params: object): InputRequiredResult =>
  ({ resultType: 'input_required', inputRequests: { raw: { method, params } } }) as InputRequiredResult;

const WAYS: Readonly<Record<string, (context: McpContext) => unknown>> = {
  form: (context) => context.elicit(NAME),
  page: (context) => context.elicitUrl(PAGE),
  sample: (context) => context.sample(SAMPLING),
  'sample with tools': (context) => context.sample({ ...SAMPLING, tools: TOOLS }),
  'sample with a choice of tools': (context) => context.sample({ ...SAMPLING, toolChoice: { mode: 'none' } }),
  roots: (context) => context.listRoots(),
  'given form': () => give('elicitation/create', { message: NAME.message, requestedSchema: NAME.schema }),
  'given page': () => give('elicitation/create', { mode: 'url', ...PAGE }),
  'given sample': () => give('sampling/createMessage', SAMPLING),
  'given sample with tools': () => give('sampling/createMessage', { ...SAMPLING, tools: TOOLS }),
  'given roots': () => give('roots/list', {}),
  several: (context) =>
    context.requestAll({ name: elicitation(NAME), guess: sampling(SAMPLING), roots: listRoots() }),
};

const WAY = { type: 'object', properties: { way: { type: 'string' } }, required: ['way'] } as const;

@Injectable()
class DeskHandlers {
  @Tool({ description: 'Asks', inputSchema: WAY })
  async ask({ way }: { way: string }, context: McpContext): Promise<unknown> {
    const answered = await WAYS[way]?.(context);
    return way.startsWith('given') ? answered : 'asked';
  }

  @Tool({ description: 'Asks where it can' })
  async adapt(_: object, context: McpContext): Promise<string> {
    const { elicitation: forms } = context.client.capabilities;
    return forms === undefined ? 'Tell me your name' : JSON.stringify(await context.elicit(NAME));
  }

  @Prompt()
  async plan(_: object, context: McpContext): Promise<string> {
    await context.elicit(NAME);
    return 'planned';
  }

  @Resource({ uri: 'desk://plan' })
  async read(_: object, context: McpContext): Promise<string> {
    await context.elicit(NAME);
    return 'read';
  }
}

/** What each way needs, and declarations that are not enough for it. */
const CASES: readonly (readonly [way: string, required: JsonObject, ...declared: JsonObject[]])[] = [
  ['form', { elicitation: { form: {} } }, {}, { elicitation: { url: {} } }, { sampling: {}, roots: {} }],
  ['page', { elicitation: { url: {} } }, {}, { elicitation: {} }, { elicitation: { form: {} } }],
  ['sample', { sampling: {} }, {}, { elicitation: {}, roots: {} }],
  ['sample with tools', { sampling: { tools: {} } }, {}, { sampling: {} }, { sampling: { context: {} } }],
  ['sample with a choice of tools', { sampling: { tools: {} } }, {}, { sampling: {} }],
  ['roots', { roots: {} }, {}, { elicitation: {}, sampling: {} }],
  ['given form', { elicitation: { form: {} } }, {}, { elicitation: { url: {} } }],
  ['given page', { elicitation: { url: {} } }, {}, { elicitation: {} }],
  ['given sample', { sampling: {} }, {}, { elicitation: {} }],
  ['given sample with tools', { sampling: { tools: {} } }, {}, { sampling: {} }],
  ['given roots', { roots: {} }, {}, { sampling: {} }],
  ['several', { roots: {} }, { elicitation: {}, sampling: {} }],
  ['several', { sampling: {} }, { elicitation: {}, roots: {} }],
  ['form', { elicitation: { form: {} } }, { elicitation: null }, { elicitation: false }, { elicitation: 1 }],
  ['page', { elicitation: { url: {} } }, { elicitation: null }, { elicitation: { url: null } }],
  ['sample', { sampling: {} }, { sampling: null }, { sampling: false }, { sampling: [] }],
  ['sample with tools', { sampling: { tools: {} } }, { sampling: { tools: null } }],
  ['roots', { roots: {} }, { roots: null }, { roots: false }],
];
const EACH = CASES.flatMap(([way, required, ...declared]) =>
  declared.map((capabilities) => [way, capabilities, required] as const),
);

describe.each(ADAPTERS)('A question that the client did not declare, on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [DeskHandlers] });
  });

  afterAll(() => desk.close());

  it.each(EACH)('is a tool error in a session: %s with %j (REV-01)', async (way, capabilities, required) => {
    const session = await initialize(desk.url, { capabilities });
    const called = await session.request('tools/call', { name: 'ask', arguments: { way } });
    expect(called.notifications).toEqual([]);
    expect(called.result).toMatchObject({ isError: true });
    const [[name, inner]] = Object.entries(required) as [[string, object]];
    const capability = [name, ...Object.keys(inner)].join('.');
    expect(textOf(called)).toContain(`The client did not declare the capability ${capability}, `);
  });

  it.each(EACH)(
    'is -32021 on the stateless wire: %s with %j (REV-02)',
    async (way, capabilities, required) => {
      const client = perRequest(desk.url, { capabilities });
      const called = await client.request('tools/call', { name: 'ask', arguments: { way } });
      expect(called.status).toBe(400);
      expect(called.error).toMatchObject({ code: -32021, data: { requiredCapabilities: required } });
    },
  );

  it.each<[string, JsonObject]>([
    ['prompts/get', { name: 'plan' }],
    ['resources/read', { uri: 'desk://plan' }],
  ])('is an error of %s on both wires (REV-01)', async (method, params) => {
    const session = await initialize(desk.url);
    expect((await session.request(method, params)).error?.message).toContain('elicitation');
    const { status, error } = await perRequest(desk.url).request(method, params);
    expect([status, error?.code]).toEqual([400, -32021]);
  });

  it('need not be put: the handler can look (REV-01)', async () => {
    const session = await initialize(desk.url);
    expect(textOf(await session.request('tools/call', { name: 'adapt' }))).toBe('Tell me your name');
    expect(textOf(await perRequest(desk.url).request('tools/call', { name: 'adapt' }))).toBe(
      'Tell me your name',
    );
  });

  it('is put where this request declares it, and only then (CAP-01)', async () => {
    const session = await initialize(desk.url);
    const params = { name: 'adapt', _meta: { [metaKey('clientCapabilities')]: { elicitation: {} } } };
    const stream = await session.start('tools/call', params).stream();
    await answer(session, await nextQuestion(stream), accept({ name: 'Ada' }));
    expect(textOf(await nextResponse(stream))).toBe('{"action":"accept","content":{"name":"Ada"}}');
    expect(textOf(await session.request('tools/call', { name: 'adapt' }))).toBe('Tell me your name');
  });

  it('is not put where this request declares it by what is no declaration (CAP-01)', async () => {
    const session = await initialize(desk.url);
    for (const declared of [null, false, 'forms']) {
      const params = { name: 'adapt', _meta: { [metaKey('clientCapabilities')]: { elicitation: declared } } };
      expect(textOf(await session.request('tools/call', params))).toBe('Tell me your name');
    }
  });

  it('is never inferred from an earlier request on the stateless wire (REV-02)', async () => {
    const params = { name: 'ask', arguments: { way: 'form' } };
    const able = await perRequest(desk.url, { capabilities: ABLE }).request('tools/call', params);
    const { requestState } = able.result ?? {};
    const unable = await perRequest(desk.url).request('tools/call', { ...params, requestState });
    expect(unable.error?.code).toBe(-32021);
  });

  it('is not put before the client has confirmed the handshake (SESS-01)', async () => {
    const session = await initialize(desk.url, { capabilities: ABLE, confirm: false });
    const called = await session.request('tools/call', { name: 'ask', arguments: { way: 'form' } });
    expect(called.notifications).toEqual([]);
    expect(textOf(called)).toContain('"notifications/initialized"');
    await session.notify('notifications/initialized');
    const stream = await session.start('tools/call', { name: 'ask', arguments: { way: 'form' } }).stream();
    await answer(session, await nextQuestion(stream), { action: 'decline' });
    expect(textOf(await nextResponse(stream))).toBe('asked');
  });
});
