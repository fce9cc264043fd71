import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Context, Prompt, Resource, ResourceTemplate, Tool, type McpContext } from 'nestjs-mcp';
import { z } from 'zod';
import type { RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import type { JsonObject } from '../../support/clients/message.js';
import { accept, CASES, textOf, type Asked } from './conversation.js';

const NAME = z.object({ name: z.string() });
const SPOKEN = {
  role: 'assistant',
  model: 'model-1',
  stopReason: 'endTurn',
  content: { type: 'text', text: 'Hello Ada' },
} as const;
const USED = {
  role: 'assistant',
  model: 'model-1',
  stopReason: 'toolUse',
  content: [
    { type: 'text', text: 'I look' },
    { type: 'tool_use', id: 'use-1', name: 'look', input: { where: 'here' } },
  ],
} as const;
const SAMPLING = {
  messages: [{ role: 'user', content: { type: 'text', text: 'Greet' } }],
  maxTokens: 50,
  systemPrompt: 'Be kind',
  temperature: 0.5,
  stopSequences: ['END'],
  includeContext: 'none',
  metadata: { trace: 'a' },
  modelPreferences: { hints: [{ name: 'small' }], speedPriority: 0.9 },
} as const;
const LOOK = { name: 'look', description: 'Looks', inputSchema: { type: 'object' } } as const;

@Injectable()
class DeskHandlers {
  @Tool({ description: 'Greets' })
  async greet(_: object, context: McpContext): Promise<string> {
    const answer = await context.elicit({ message: 'Who are you?', schema: NAME });
    return answer.action === 'accept' ? `Hello ${answer.content.name}` : `No greeting: ${answer.action}`;
  }

  @Tool({ description: 'Lets the model greet' })
  async sample(@Context() context: McpContext): Promise<string> {
    return JSON.stringify(await context.sample(SAMPLING));
  }

  @Tool({ description: 'Lets the model use tools, as often as it wants' })
  async sampleWithTools(_: object, context: McpContext): Promise<string> {
    const tools = { tools: [LOOK], toolChoice: { mode: 'auto' } } as const;
    const first = await context.sample({ ...SAMPLING, ...tools });
    const results = [first.content]
      .flat()
      .flatMap((block) =>
        block.type === 'tool_use'
          ? [{ type: 'tool_result', toolUseId: block.id, content: [{ type: 'text', text: 'seen' }] } as const]
          : [],
      );
    const messages = [
      ...SAMPLING.messages,
      { role: first.role, content: first.content },
      { role: 'user', content: results },
    ] as const;
    return JSON.stringify((await context.sample({ ...SAMPLING, ...tools, messages })).content);
  }

  @Tool({ description: 'Lists the roots' })
  async listRoots(_: object, context: McpContext): Promise<string> {
    return JSON.stringify(await context.listRoots());
  }

  @Prompt({ description: 'Asks for what it needs' })
  async plan(_: object, context: McpContext): Promise<string> {
    return this.greet({}, context);
  }

  @Resource({ uri: 'desk://greeting' })
  async read(_: object, context: McpContext): Promise<string> {
    return this.greet({}, context);
  }

  @ResourceTemplate({ uriTemplate: 'desk://greeting/{language}' })
  async readIn({ language }: { language: string }, context: McpContext): Promise<string> {
    return `${language}: ${await this.greet({}, context)}`;
  }
}

describe.each(CASES)('A handler that asks $name, on $adapter', ({ adapter, converse }) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [DeskHandlers] });
  });

  afterAll(() => desk.close());

  const call = (name: string, respond: (question: Asked) => unknown) =>
    converse(desk.url, { params: { name }, respond });
  const callWith = (name: string, ...answers: unknown[]) => call(name, () => answers.shift());

  it('goes on with what the user answers (REV-01) (REV-02)', async () => {
    const conversation = await callWith('greet', accept({ name: 'Ada' }));
    expect(conversation.asked).toMatchObject([
      { method: 'elicitation/create', params: { message: 'Who are you?' } },
    ]);
    expect(textOf(conversation)).toBe('Hello Ada');
  });

  it.each(['decline', 'cancel'])('goes on where the user chooses to %s (REV-01)', async (action) => {
    expect(textOf(await callWith('greet', { action }))).toBe(`No greeting: ${action}`);
  });

  it('asks the model all that it says, and nothing of ours (REV-01)', async () => {
    const conversation = await callWith('sample', SPOKEN);
    expect(conversation.asked.map(({ method, params }) => ({ method, params }))).toEqual([
      { method: 'sampling/createMessage', params: SAMPLING },
    ]);
    expect(JSON.parse(textOf(conversation) ?? '')).toEqual(SPOKEN);
  });

  it('lets the model use tools over several questions (REV-01)', async () => {
    const conversation = await callWith('sampleWithTools', USED, SPOKEN);
    const [first, second] = conversation.asked;
    expect(first?.params).toMatchObject({ tools: [LOOK], toolChoice: { mode: 'auto' } });
    expect(second?.params['messages']).toEqual([
      ...SAMPLING.messages,
      { role: 'assistant', content: USED.content },
      {
        role: 'user',
        content: [{ type: 'tool_result', toolUseId: 'use-1', content: [{ type: 'text', text: 'seen' }] }],
      },
    ]);
    expect(JSON.parse(textOf(conversation) ?? '')).toEqual(SPOKEN.content);
  });

  it('gets roots with their names and metadata (REV-01)', async () => {
    const roots = [{ uri: 'file:///a', name: 'A', _meta: { color: 'red' } }, { uri: 'file:///b' }];
    const conversation = await callWith('listRoots', { roots });
    expect(JSON.parse(textOf(conversation) ?? '')).toEqual(roots);
  });

  it.each<[string, JsonObject, (result: JsonObject) => unknown, string]>([
    [
      'prompts/get',
      { name: 'plan' },
      ({ messages }) => (messages as { content: { text: string } }[])[0]?.content.text,
      'Hello Ada',
    ],
    [
      'resources/read',
      { uri: 'desk://greeting' },
      ({ contents }) => (contents as { text: string }[])[0]?.text,
      'Hello Ada',
    ],
    [
      'resources/read',
      { uri: 'desk://greeting/en' },
      ({ contents }) => (contents as { text: string }[])[0]?.text,
      'en: Hello Ada',
    ],
  ])('may be one of %s with %j (REV-02)', async (method, params, read, expected) => {
    const respond = () => accept({ name: 'Ada' });
    const { asked, result } = await converse(desk.url, { method, params, respond });
    expect(asked).toHaveLength(1);
    expect(read(result ?? {})).toBe(expected);
  });
});
