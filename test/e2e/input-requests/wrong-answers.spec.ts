import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, type McpContext } from 'nestjs-mcp';
import { z } from 'zod';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { accept, SESSION, STATELESS, textOf, type Conversation, type Wire } from './conversation.js';

const BOOKING = z.object({
  date: z.iso.date(),
  seats: z.int().max(8).optional(),
  room: z.enum(['single', 'double']).optional(),
  extras: z.array(z.enum(['bike', 'boat'])).optional(),
});

@Injectable()
class AskingTools {
  @Tool({ description: 'Asks the user' })
  async elicit(_: object, context: McpContext): Promise<string> {
    return JSON.stringify(await context.elicit({ message: 'Please fill in', schema: BOOKING }));
  }

  @Tool({ description: 'Asks for a consent' })
  async confirm(_: object, context: McpContext): Promise<string> {
    const schema = z.object({ trash: z.boolean().default(true), note: z.string().optional() });
    return JSON.stringify(await context.elicit({ message: 'Delete 3 files?', schema }));
  }

  @Tool({ description: 'Asks the model' })
  async sample(_: object, context: McpContext): Promise<string> {
    const messages = [{ role: 'user', content: { type: 'text', text: 'Name a day' } }] as const;
    return JSON.stringify(await context.sample({ messages, maxTokens: 10 }));
  }

  @Tool({ description: 'Asks for the roots' })
  async listRoots(_: object, context: McpContext): Promise<string> {
    return JSON.stringify(await context.listRoots());
  }
}

const SPOKEN = { role: 'assistant', model: 'm', content: { type: 'text', text: 'Monday' } };

const RIGHT = {
  elicit: accept({ date: '2026-07-28' }),
  sample: SPOKEN,
  listRoots: { roots: [{ uri: 'file:///a' }] },
};

const REASON = /^Please fill in\n\nThe last answer was not accepted: .*\w/;

/** What tools give for the right answers. */
const GIVEN = { ...RIGHT, listRoots: RIGHT.listRoots.roots };

const WRONG: readonly (readonly [tool: keyof typeof RIGHT, fault: string, answer: unknown])[] = [
  ['elicit', 'a member of another type', accept({ date: '2026-07-28', seats: 'two' })],
  ['elicit', 'a number out of its bounds', accept({ date: '2026-07-28', seats: 9 })],
  ['elicit', 'a value that is no choice', accept({ date: '2026-07-28', room: 'suite' })],
  ['elicit', 'one wrong value among several', accept({ date: '2026-07-28', extras: ['bike', 'car'] })],
  ['elicit', 'a required member that is missing', accept({})],
  ['elicit', 'no content', { action: 'accept' }],
  ['elicit', 'content that is null', { action: 'accept', content: null }],
  ['elicit', 'content that is an array', { action: 'accept', content: ['2026-07-28'] }],
  ['elicit', 'another action', { action: 'maybe', content: { date: '2026-07-28' } }],
  ['elicit', 'an action in capitals', { action: 'ACCEPT', content: { date: '2026-07-28' } }],
  ['elicit', 'no action', { content: { date: '2026-07-28' } }],
  ['elicit', 'text for an object', 'accept'],
  ['elicit', 'null for an object', null],
  ['sample', 'null for an object', null],
  ['sample', 'another role', { ...SPOKEN, role: 'system' }],
  ['sample', 'no model', { role: 'assistant', content: SPOKEN.content }],
  ['sample', 'no content', { role: 'assistant', model: 'm' }],
  ['sample', 'content that is text', { ...SPOKEN, content: 'Monday' }],
  ['sample', 'a block without a type', { ...SPOKEN, content: [SPOKEN.content, { text: 'Monday' }] }],
  ['listRoots', 'an array for an object', [{ uri: 'file:///a' }]],
  ['listRoots', 'no roots', {}],
  ['listRoots', 'roots that are no array', { roots: { uri: 'file:///a' } }],
  ['listRoots', 'a root without a uri', { roots: [{ uri: 'file:///a' }, { name: 'b' }] }],
];

describe.each(ADAPTERS)('A wrong answer of the client, on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [AskingTools] });
  });

  afterAll(() => desk.close());

  /** Calls a tool that asks once; the client gives the answers in turn. */
  function ask({ converse }: Wire, name: string, answers: unknown[]): Promise<Conversation> {
    const queue = [...answers];
    return converse(desk.url, { params: { name }, respond: () => queue.shift() });
  }

  it.each(WRONG)('fails the tool in a session: %s has %s (REV-01)', async (name, _, wrong) => {
    const conversation = await ask(SESSION, name, [wrong]);
    expect(conversation.asked).toHaveLength(1);
    expect(conversation.result).toMatchObject({ isError: true });
    expect(textOf(conversation)).toMatch(/^The client's answer to "[\w/]+" is not valid: "?\w/);
  });

  it.each(['elicit', 'sample', 'listRoots'] as const)(
    'ends the call of a client without a user, and says why: %s (HOST-05)',
    async (name) => {
      const rubbish = { action: 'accept', content: {} };
      const { asked, result } = await ask(
        STATELESS,
        name,
        Array.from({ length: 40 }, () => rubbish),
      );
      expect(asked).toHaveLength(5);
      expect(result).toMatchObject({ isError: true });
      expect(textOf({ result })).toMatch(/^The client's answer to "[\w/]+" is not valid: .*\w/);
    },
  );

  it.each([[{ action: 'accept' }], [{ action: 'accept', content: null }]])(
    'is not %j to a form that wants nothing (HOST-05)',
    async (answer) => {
      for (const wire of [SESSION, STATELESS]) {
        const conversation = await ask(wire, 'confirm', [answer]);
        expect(conversation.asked).toHaveLength(1);
        expect(textOf(conversation)).toBe('{"action":"accept","content":{"trash":true}}');
      }
    },
  );

  it.each(WRONG)('is asked for again on the stateless wire: %s has %s (REV-02)', async (name, _, wrong) => {
    const conversation = await ask(STATELESS, name, [wrong, wrong, RIGHT[name]]);
    expect(conversation.asked).toHaveLength(3);
    const [first, second, third] = conversation.asked.map(({ params }) => params);
    expect(third).toEqual(second);
    expect(first?.['_meta']).toBeUndefined();
    expect(second?.['_meta']).toEqual({ 'io.nestjs-mcp/invalidAnswer': expect.stringMatching(/\w/) });
    expect(String(second?.['message'])).toMatch(name === 'elicit' ? REASON : /^undefined$/);
    expect(conversation.result?.['isError']).toBeUndefined();
    expect(JSON.parse(textOf(conversation) ?? '')).toEqual(GIVEN[name]);
  });
});
