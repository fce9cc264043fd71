import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import {
  elicitation,
  sampling,
  Tool,
  urlElicitation,
  type InputRequest,
  type InputRequiredResult,
  type McpContext,
  type SamplingContent,
} from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { HANDSHAKE_VERSIONS, initialize } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';
import { isPublishedRequest } from '../../support/published-requests.js';
import { ABLE, nextQuestion, textOf } from './conversation.js';

const form = (properties: object) => ({ message: 'Well?', schema: { type: 'object', properties } });
const rawForm = (properties: object) => ({
  message: 'Well?',
  requestedSchema: { type: 'object', properties },
});
const sample = (...content: SamplingContent[]) => ({
  messages: [{ role: 'user' as const, content }],
  maxTokens: 5,
});

const TEXT = { type: 'text', text: 'Hear this' } as const;
const MORE = { type: 'text', text: 'and this' } as const;
const SOUND = { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' } as const;
const USE = { type: 'tool_use', id: 'use-1', name: 'look', input: {} } as const;
const RESULT = { type: 'tool_result', toolUseId: 'use-1', content: [TEXT] } as const;
const NOTED = {
  ...TEXT,
  annotations: { priority: 1, lastModified: '2025-01-12T15:00:58Z' },
  _meta: { a: 1 },
};
const TOOLS = [{ name: 'look', inputSchema: { type: 'object' } }];
const PAGE = { message: 'Pay', url: 'https://pay.example.com/' };

const NAME = { name: { type: 'string', title: 'Name', minLength: 1 } };
const SIDES = { sides: { type: 'array', items: { type: 'string', enum: ['ham', 'egg'] } } };
const SIZES = [
  { const: 's', title: 'Small' },
  { const: 'l', title: 'Large' },
];
const PRESET = {
  size: { type: 'string', oneOf: SIZES, default: 's' },
  room: { type: 'string', enum: ['single', 'double'], default: 'double' },
  seats: { type: 'integer', minimum: 1, default: 2 },
  note: { type: 'string', default: 'none' },
  breakfast: { type: 'boolean', default: true },
};
/** The same as the first revision with forms has it. */
const PLAIN = {
  size: { type: 'string', enum: ['s', 'l'], enumNames: ['Small', 'Large'] },
  room: { type: 'string', enum: ['single', 'double'] },
  seats: { type: 'integer', minimum: 1 },
  note: { type: 'string' },
  breakfast: { type: 'boolean', default: true },
};

const ask = (method: InputRequest['method'], params: object) => (): InputRequiredResult => ({
  resultType: 'input_required',
  inputRequests: { written: { method, params: params as JsonObject } },
});

const WAYS: Readonly<Record<string, (context: McpContext) => unknown>> = {
  form: (context) => context.elicit(form(NAME)),
  'form with presets': (context) => context.elicit(form(PRESET)),
  'form with a choice of several': (context) => context.elicit(form({ ...NAME, ...SIDES })),
  page: (context) => context.elicitUrl(PAGE),
  'written form': ask('elicitation/create', rawForm(NAME)),
  'written form by mode': ask('elicitation/create', { mode: 'form', ...rawForm(NAME) }),
  'written form with presets': ask('elicitation/create', rawForm(PRESET)),
  'written form with a choice of several': ask('elicitation/create', rawForm(SIDES)),
  'written page': ask('elicitation/create', { mode: 'url', ...PAGE }),
  text: (context) => context.sample({ messages: [{ role: 'user', content: TEXT }], maxTokens: 5 }),
  texts: (context) => context.sample(sample(TEXT, MORE)),
  'written texts': ask('sampling/createMessage', sample(TEXT, MORE)),
  'text with notes': (context) => context.sample(sample(NOTED)),
  sound: (context) => context.sample(sample(SOUND)),
  'written sound': ask('sampling/createMessage', {
    maxTokens: 5,
    messages: [{ role: 'user', content: SOUND }],
  }),
  tools: (context) => context.sample({ ...sample(TEXT), tools: TOOLS }),
  'choice of tools': (context) => context.sample({ ...sample(TEXT), toolChoice: { mode: 'none' } }),
  'result of a tool': (context) => context.sample(sample(RESULT)),
  'use of a tool': (context) => context.sample(sample(USE)),
  'written tools': ask('sampling/createMessage', { ...sample(TEXT), tools: TOOLS }),
  folders: (context) => context.listRoots(),
  several: (context) =>
    context.requestAll({
      text: sampling(sample(TEXT)),
      name: elicitation(form(NAME)),
      page: urlElicitation(PAGE),
    }),
};

const WAY = { type: 'object', properties: { way: { type: 'string' } }, required: ['way'] } as const;

@Injectable()
class AskingTool {
  @Tool({ description: 'Asks', inputSchema: WAY })
  async ask({ way }: { way: string }, context: McpContext): Promise<unknown> {
    const asked = await WAYS[way]?.(context);
    return way.startsWith('written') ? asked : 'asked';
  }
}

const SINCE_FORMS = '2025-06-18';
const SINCE_ALL = '2025-11-25';

/** What is asked by, from which revision on, and what an earlier one is said to lack. */
const GAPS: readonly (readonly [way: string, since: string, gap: string])[] = [
  ['form', SINCE_FORMS, '"elicitation/create"'],
  ['form with presets', SINCE_FORMS, '"elicitation/create"'],
  ['form with a choice of several', SINCE_FORMS, '"elicitation/create"'],
  ['page', SINCE_FORMS, '"elicitation/create"'],
  ['written form', SINCE_FORMS, '"elicitation/create"'],
  ['written form by mode', SINCE_FORMS, '"elicitation/create"'],
  ['written form with a choice of several', SINCE_FORMS, '"elicitation/create"'],
  ['written page', SINCE_FORMS, '"elicitation/create"'],
  ['several', SINCE_FORMS, '"elicitation/create"'],
  ['form with a choice of several', SINCE_ALL, 'multiple choice in the form field "sides"'],
  ['written form with a choice of several', SINCE_ALL, 'multiple choice in the form field "sides"'],
  ['page', SINCE_ALL, 'URL mode in "elicitation/create"'],
  ['written page', SINCE_ALL, 'URL mode in "elicitation/create"'],
  ['several', SINCE_ALL, 'URL mode in "elicitation/create"'],
  ['sound', '2025-03-26', 'audio in "sampling/createMessage"'],
  ['written sound', '2025-03-26', 'audio in "sampling/createMessage"'],
  ['tools', SINCE_ALL, 'tools in "sampling/createMessage"'],
  ['choice of tools', SINCE_ALL, 'tools in "sampling/createMessage"'],
  ['result of a tool', SINCE_ALL, 'tools in "sampling/createMessage"'],
  ['use of a tool', SINCE_ALL, 'tools in "sampling/createMessage"'],
  ['written tools', SINCE_ALL, 'tools in "sampling/createMessage"'],
];
const REFUSED = HANDSHAKE_VERSIONS.flatMap((version) => {
  const lacking = GAPS.filter(([, since]) => version < since);
  // What lacks a whole method, which stands first, is not said to lack a part of it.
  const first = lacking.filter(([way], index) => lacking.findIndex(([other]) => other === way) === index);
  return first.map(([way, , gap]) => [version, way, gap] as const);
});

const messages = (...contents: unknown[]) => ({
  messages: contents.map((content) => ({ role: 'user', content })),
  maxTokens: 5,
});
const FIRST = '2024-11-05';

/** What is asked by, and what it is on the wire from one revision on. */
const SENT: readonly (readonly [way: string, since: string, params: JsonObject])[] = [
  ['form', SINCE_FORMS, rawForm(NAME)],
  ['form with presets', SINCE_FORMS, rawForm(PLAIN)],
  ['form with presets', SINCE_ALL, rawForm(PRESET)],
  ['written form', SINCE_FORMS, rawForm(NAME)],
  ['written form by mode', SINCE_FORMS, rawForm(NAME)],
  ['written form by mode', SINCE_ALL, { mode: 'form', ...rawForm(NAME) }],
  ['written form with presets', SINCE_FORMS, rawForm(PLAIN)],
  ['written form with presets', SINCE_ALL, rawForm(PRESET)],
  ['text', FIRST, messages(TEXT)],
  ['texts', FIRST, messages(TEXT, MORE)],
  ['texts', SINCE_ALL, messages([TEXT, MORE])],
  ['written texts', FIRST, messages(TEXT, MORE)],
  ['written texts', SINCE_ALL, messages([TEXT, MORE])],
  ['text with notes', FIRST, messages({ ...TEXT, annotations: { priority: 1 } })],
  ['text with notes', SINCE_FORMS, messages(NOTED)],
  ['text with notes', SINCE_ALL, messages([NOTED])],
  ['sound', '2025-03-26', messages(SOUND)],
  ['sound', SINCE_ALL, messages([SOUND])],
  ['written sound', '2025-03-26', messages(SOUND)],
  ['tools', SINCE_ALL, { ...messages([TEXT]), tools: TOOLS }],
  ['folders', FIRST, {}],
];
const ASKED = HANDSHAKE_VERSIONS.flatMap((version) =>
  SENT.flatMap(([way, since, params], index) => {
    const isLater = SENT.slice(index + 1).some(([other, from]) => other === way && version >= from);
    return version >= since && !isLater ? [[version, way, params] as const] : [];
  }),
);

describe.each(ADAPTERS)('A question in an older revision, on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [AskingTool] });
  });

  afterAll(() => desk.close());

  /** Calls as a client does that declares everything in every revision. */
  async function start(version: string, way: string) {
    const session = await initialize(desk.url, { version, capabilities: ABLE });
    return session.start('tools/call', { name: 'ask', arguments: { way } });
  }

  it.each(REFUSED)(
    'of %s is not put where that has no such thing: %s (VER-03) (REV-01)',
    async (version, way, gap) => {
      const answer = await (await start(version, way)).answer();
      expect(answer.notifications).toEqual([]);
      expect(answer.result).toMatchObject({ isError: true });
      expect(textOf(answer)).toBe(`The client uses ${version}, which does not support ${gap}`);
    },
  );

  it.each(ASKED)('of %s is what that publishes: %s (VER-03) (REV-01)', async (version, way, params) => {
    const call = await start(version, way);
    const question = await nextQuestion(await call.stream());
    expect(question.params).toEqual(params);
    expect(isPublishedRequest(version, question)).toBe(true);
    call.disconnect();
  });
});
