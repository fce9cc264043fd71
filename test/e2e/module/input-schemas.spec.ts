import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type as arktype } from 'arktype';
import { IsInt, IsOptional, IsString, Min, MinLength } from 'class-validator';
import { Tool } from 'nestjs-mcp';
import * as v from 'valibot';
import { z } from 'zod';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { entriesOf } from '../../support/clients/entries.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';

class TicketDto {
  @IsString()
  @MinLength(3)
  title!: string;

  @IsOptional()
  @IsInt()
  @Min(1)
  priority?: number;

  describe(): string {
    return `${this.title} of ${this.priority ?? 'no'} priority`;
  }
}

const RAW = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    title: { type: 'string', minLength: 3 },
    priority: { $ref: '#/$defs/priority' },
  },
  required: ['title'],
  $defs: { priority: { $anchor: 'priority', type: 'integer', minimum: 1 } },
  allOf: [{ if: { properties: { title: { const: 'urgent' } } }, then: { required: ['priority'] } }],
  additionalProperties: false,
} as const;

@Injectable()
class SchemaTools {
  readonly received: unknown[] = [];

  @Tool({
    description: 'zod',
    inputSchema: z.object({
      title: z.string().min(3).describe('What it is'),
      priority: z.int().min(1).optional(),
    }),
  })
  zod(given: object) {
    return this.take(given);
  }

  @Tool({
    description: 'valibot',
    inputSchema: toStandardJsonSchema(
      v.object({
        title: v.pipe(v.string(), v.minLength(3)),
        priority: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
      }),
    ),
  })
  valibot(given: object) {
    return this.take(given);
  }

  @Tool({
    description: 'arktype',
    inputSchema: arktype({ title: 'string >= 3', 'priority?': 'number.integer >= 1' }),
  })
  arktype(given: object) {
    return this.take(given);
  }

  @Tool({ description: 'raw JSON Schema', inputSchema: RAW })
  raw(given: object) {
    return this.take(given);
  }

  @Tool({ description: 'class-validator', inputSchema: TicketDto })
  dto(given: TicketDto) {
    this.received.push(given);
    return given.describe();
  }

  @Tool({
    description: 'Transforms',
    inputSchema: z.object({ at: z.iso.datetime().transform((text) => new Date(text)) }),
  })
  transformed({ at }: { at: Date }) {
    return at.getUTCFullYear().toString();
  }

  private take(given: object): string {
    this.received.push(given);
    return JSON.stringify(given);
  }
}

const KINDS = ['zod', 'valibot', 'arktype', 'raw', 'dto'];

describe.each(ADAPTERS)('input schemas on %s', (adapter) => {
  let desk: RunningApp;
  let tools: SchemaTools;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [SchemaTools] });
    tools = desk.app.get(SchemaTools);
  });

  afterAll(() => desk.close());

  async function schemaOf(name: string): Promise<JsonObject> {
    const { result } = await perRequest(desk.url).request('tools/list');
    const listed = entriesOf(result, 'tools').find((tool) => tool['name'] === name);
    return listed?.['inputSchema'] as JsonObject;
  }

  const call = (name: string, given: unknown) =>
    perRequest(desk.url).request('tools/call', { name, arguments: given });

  it.each(KINDS)('of %s are listed as JSON Schema (MOD-07)', async (kind) => {
    expect(await schemaOf(kind)).toMatchObject({
      type: 'object',
      properties: { title: { type: 'string', minLength: 3 } },
      required: ['title'],
    });
  });

  it('keep the description of a member (MOD-07)', async () => {
    expect(await schemaOf('zod')).toMatchObject({ properties: { title: { description: 'What it is' } } });
  });

  it('of raw JSON Schema are listed word for word (MOD-07)', async () => {
    expect(await schemaOf('raw')).toEqual(RAW);
    const session = await initialize(desk.url, { version: '2024-11-05' });
    const { result } = await session.request('tools/list');
    expect(entriesOf(result, 'tools')[3]?.['inputSchema']).toEqual(RAW);
  });

  it.each(KINDS)('of %s let what fits through to the handler (MOD-07)', async (kind) => {
    const { result } = await call(kind, { title: 'printer', priority: 2 });
    expect(result?.['isError']).toBeUndefined();
    expect(tools.received.at(-1)).toEqual(expect.objectContaining({ title: 'printer', priority: 2 }));
  });

  it.each(KINDS)(
    'of %s keep what does not fit from the handler, and say what to fix (MOD-07, CORE-05)',
    async (kind) => {
      const { length } = tools.received;
      const wrong: [unknown, RegExp][] = [
        [{}, /title/],
        [{ title: 7 }, /title/],
        [{ title: 'no' }, /title/],
        [{ title: 'printer', priority: 0 }, /priority/],
        [{ title: 'printer', priority: 'high' }, /priority/],
      ];
      for (const [given, named] of wrong) {
        const { status, result, error } = await call(kind, given);
        expect([status, error, result?.['isError']]).toEqual([200, undefined, true]);
        expect(entriesOf(result, 'content')[0]?.['text']).toMatch(named);
      }
      expect(tools.received).toHaveLength(length);
    },
  );

  it('apply every keyword of raw JSON Schema (MOD-07)', async () => {
    const isError = async (given: JsonObject) => (await call('raw', given)).result?.['isError'];
    expect(await isError({ title: 'urgent' })).toBe(true);
    expect(await isError({ title: 'urgent', priority: 1 })).toBeUndefined();
    expect(await isError({ title: 'printer', extra: 1 })).toBe(true);
  });

  it('give the handler what the schema makes of the arguments (MOD-07)', async () => {
    const transformed = await call('transformed', { at: '2026-07-28T00:00:00Z' });
    expect(transformed.result?.['content']).toEqual([{ type: 'text', text: '2026' }]);
    const dto = await call('dto', { title: 'printer', priority: 3 });
    expect(dto.result?.['content']).toEqual([{ type: 'text', text: 'printer of 3 priority' }]);
    expect(tools.received.at(-1)).toBeInstanceOf(TicketDto);
  });

  it('judge calls of every revision (MOD-07)', async () => {
    for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
      const session = await initialize(desk.url, { version });
      const { result } = await session.request('tools/call', { name: 'zod', arguments: { title: 1 } });
      expect(result?.['isError']).toBe(true);
    }
  });
});
