import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, type McpContext, type SchemaSource } from 'nestjs-mcp';
import { type } from 'arktype';
import { z } from 'zod';
import type { RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { accept, CASES, textOf, type Conversation } from './conversation.js';

const BOOKING = z.object({
  date: z.iso.date().describe('Day of arrival'),
  seats: z.int().min(1).max(8).default(2),
  breakfast: z.boolean().default(true),
  room: z.enum(['single', 'double']).default('double'),
  extras: z.array(z.enum(['bike', 'boat'])).default(['boat']),
});

const TITLED = {
  type: 'object',
  properties: {
    size: {
      type: 'string',
      oneOf: [
        { const: 's', title: 'Small' },
        { const: 'l', title: 'Large' },
      ],
      default: 's',
    },
    toppings: {
      type: 'array',
      minItems: 1,
      maxItems: 2,
      items: {
        anyOf: [
          { const: 'ham', title: 'Ham' },
          { const: 'egg', title: 'Egg' },
        ],
      },
    },
    level: { type: 'string', enum: ['lo', 'hi'], enumNames: ['Low', 'High'], default: 'lo' },
    price: { type: 'number', minimum: 0.5, default: 1.5 },
    note: { type: 'string', minLength: 2, maxLength: 10, default: 'none' },
  },
  required: ['toppings'],
} as const;

const FORMS: Readonly<Record<string, SchemaSource>> = {
  booking: BOOKING,
  titled: TITLED,
  union: z.object({
    size: z.union([z.literal('s').meta({ title: 'Small' }), z.literal('l')]),
    sides: z.array(z.union([z.literal('ham').meta({ title: 'Ham' }), z.literal('egg')])),
  }),
  arktype: type({ color: "'red' | 'green'", 'email?': 'string.email' }),
  formats: z.object({ id: z.uuid(), mail: z.email(), page: z.url(), at: z.iso.datetime() }),
  nested: z.object({ address: z.object({ city: z.string() }) }),
  list: z.object({ names: z.array(z.string()) }),
};

const FORM = { type: 'object', properties: { form: { type: 'string' } }, required: ['form'] } as const;

@Injectable()
class FormTool {
  @Tool({ description: 'Asks by a form', inputSchema: FORM })
  async ask({ form }: { form: string }, context: McpContext): Promise<string> {
    const schema = FORMS[form];
    if (schema === undefined) throw new TypeError(`There is no form ${form}`);
    return JSON.stringify(await context.elicit({ message: 'Please fill in', schema }));
  }
}

describe.each(CASES)('A form for the user $name, on $adapter', ({ adapter, converse }) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter, options: { exposeErrors: true }, providers: [FormTool] });
  });

  afterAll(() => desk.close());

  /** Asks by a form; the client gives the answers in turn. */
  function ask(form: string, ...answers: unknown[]): Promise<Conversation> {
    const queue = [...answers];
    return converse(desk.url, {
      params: { name: 'ask', arguments: { form } },
      respond: () => queue.shift(),
    });
  }

  const shown = ({ asked }: Conversation) => asked[0]?.params ?? {};
  const given = (conversation: Conversation): unknown => JSON.parse(textOf(conversation) ?? '') as unknown;

  it('shows a flat schema and nothing else (REV-01)', async () => {
    const conversation = await ask('booking', { action: 'cancel' });
    expect(conversation.asked).toHaveLength(1);
    expect(conversation.asked[0]?.method).toBe('elicitation/create');
    expect(shown(conversation)).toEqual({
      message: 'Please fill in',
      requestedSchema: {
        type: 'object',
        properties: {
          date: expect.objectContaining({ type: 'string', format: 'date', description: 'Day of arrival' }),
          seats: { type: 'integer', minimum: 1, maximum: 8, default: 2 },
          breakfast: { type: 'boolean', default: true },
          room: { type: 'string', enum: ['single', 'double'], default: 'double' },
          extras: { type: 'array', items: { type: 'string', enum: ['bike', 'boat'] }, default: ['boat'] },
        },
        required: ['date'],
      },
    });
  });

  it('shows titled choices, single and multiple, and those with "enumNames" as they are written (REV-01)', async () => {
    const { properties, required } = TITLED;
    const conversation = await ask('titled', { action: 'cancel' });
    expect(shown(conversation)['requestedSchema']).toEqual({ type: 'object', properties, required });
  });

  it('shows choices of literals as titled choices (REV-01)', async () => {
    const conversation = await ask('union', accept({ size: 'l', sides: ['egg'] }));
    expect(shown(conversation)['requestedSchema']).toEqual({
      type: 'object',
      properties: {
        size: {
          type: 'string',
          oneOf: [
            { const: 's', title: 'Small' },
            { const: 'l', title: 'l' },
          ],
        },
        sides: {
          type: 'array',
          items: {
            anyOf: [
              { const: 'ham', title: 'Ham' },
              { const: 'egg', title: 'egg' },
            ],
          },
        },
      },
      required: ['size', 'sides'],
    });
    expect(given(conversation)).toMatchObject({ content: { size: 'l', sides: ['egg'] } });
  });

  it('names the type of every choice, which some schema libraries leave out (REV-01)', async () => {
    const conversation = await ask('arktype', accept({ color: 'red' }));
    expect(shown(conversation)['requestedSchema']).toMatchObject({
      properties: { color: { type: 'string', enum: expect.arrayContaining(['red', 'green']) } },
      required: ['color'],
    });
    expect(given(conversation)).toEqual({ action: 'accept', content: { color: 'red' } });
  });

  it('shows only the formats that a form has, and checks the others too (REV-01)', async () => {
    const good = {
      id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
      mail: 'ada@example.com',
      page: 'https://example.com/',
      at: '2026-07-28T10:00:00Z',
    };
    const conversation = await ask('formats', accept(good));
    const { properties } = shown(conversation)['requestedSchema'] as {
      properties: Record<string, { format?: string }>;
    };
    expect(Object.values(properties).map(({ format }) => format)).toEqual([
      undefined,
      'email',
      'uri',
      'date-time',
    ]);
    expect(given(conversation)).toEqual({ action: 'accept', content: good });
  });

  it('gives the handler what the schema makes of the answer, defaults filled in (REV-01)', async () => {
    const short = await ask('booking', accept({ date: '2026-07-28' }));
    expect(given(short)).toEqual({
      action: 'accept',
      content: { date: '2026-07-28', seats: 2, breakfast: true, room: 'double', extras: ['boat'] },
    });
    const content = { date: '2026-07-29', seats: 8, breakfast: false, room: 'single', extras: [] };
    expect(given(await ask('booking', accept(content)))).toEqual({ action: 'accept', content });
  });

  it('fills in the defaults of a JSON Schema too (REV-01)', async () => {
    const conversation = await ask('titled', accept({ toppings: ['egg', 'ham'] }));
    expect(given(conversation)).toEqual({
      action: 'accept',
      content: { size: 's', toppings: ['egg', 'ham'], level: 'lo', price: 1.5, note: 'none' },
    });
  });

  it.each(['decline', 'cancel'])('gives no content where the user answers "%s" (REV-01)', async (action) => {
    expect(given(await ask('booking', { action }))).toEqual({ action });
    expect(given(await ask('booking', { action, content: { date: 'nonsense' } }))).toEqual({ action });
  });

  it.each(['nested', 'list'])('is refused where it is not flat: %s (REV-01)', async (form) => {
    const conversation = await ask(form);
    expect(conversation.asked).toEqual([]);
    expect(conversation.result).toMatchObject({ isError: true });
    expect(textOf(conversation)).toMatch(/The form field "(address|names)" must be/);
  });
});
