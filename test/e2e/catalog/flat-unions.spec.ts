import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import { IsIn, IsNumber, ValidateIf } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { McpCatalog, Prompt, Tool, type SchemaSource } from 'nestjs-mcp';
import * as v from 'valibot';
import { z } from 'zod';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { perRequest } from '../../support/clients/json-rpc.js';

const circle = {
  type: 'object',
  properties: { kind: { const: 'circle' }, radius: { type: 'number' } },
} as const;
const square = {
  type: 'object',
  properties: { kind: { const: 'square' }, side: { type: 'number' } },
} as const;

@JSONSchema((schema) => ({
  ...schema,
  oneOf: [
    { properties: { kind: { const: 'circle' } }, required: ['kind', 'radius'] },
    { properties: { kind: { const: 'square' } }, required: ['kind', 'side'] },
  ],
}))
class FigureDto {
  @IsIn(['circle', 'square'])
  kind!: string;

  @ValidateIf(({ kind }: FigureDto) => kind === 'circle')
  @IsNumber()
  radius?: number;

  @ValidateIf(({ kind }: FigureDto) => kind === 'square')
  @IsNumber()
  side?: number;
}

const zodCircle = z.object({ kind: z.literal('circle'), radius: z.number() });
const zodSquare = z.object({ kind: z.literal('square'), side: z.number() });
const valibotCircle = v.object({ kind: v.literal('circle'), radius: v.number() });
const valibotSquare = v.object({ kind: v.literal('square'), side: v.number() });

/** The same union in every kind of schema. */
const SOURCES: Readonly<Record<string, SchemaSource>> = {
  'zod-discriminated': z.discriminatedUnion('kind', [zodCircle, zodSquare]),
  'zod-union': z.union([zodCircle, zodSquare]),
  'zod-intersection': z.intersection(
    z.object({ note: z.string().optional() }),
    z.union([zodCircle, zodSquare]),
  ),
  'valibot-variant': toStandardJsonSchema(v.variant('kind', [valibotCircle, valibotSquare])),
  'valibot-union': toStandardJsonSchema(v.union([valibotCircle, valibotSquare])),
  arktype: type({ kind: "'circle'", radius: 'number' }).or({ kind: "'square'", side: 'number' }),
  'json-schema': {
    type: 'object',
    oneOf: [
      { ...circle, required: ['kind', 'radius'] },
      { ...square, required: ['kind', 'side'] },
    ],
  },
  'json-schema-with-references': {
    type: 'object',
    anyOf: [{ $ref: '#/$defs/circle' }, { $ref: '#/$defs/square' }],
    $defs: {
      circle: { ...circle, required: ['kind', 'radius'] },
      square: { ...square, required: ['kind', 'side'] },
    },
  },
  dto: FigureDto,
};

@Injectable()
class Figures {
  @Tool({ inputSchema: SOURCES['zod-union'] as SchemaSource, flattenUnions: false })
  left(): string {
    return 'left';
  }

  @Prompt({ arguments: z.union([z.object({ id: z.string() }), z.object({ path: z.string() })]) })
  open(): string {
    return 'open';
  }
}

interface Listed {
  readonly name: string;
  readonly inputSchema: { readonly [keyword: string]: unknown; readonly properties: object };
}

const ROOT_COMBINATORS = ['oneOf', 'anyOf', 'allOf', 'not', '$ref'];

describe.each(ADAPTERS)('A tool whose arguments are a union, on %s', (adapter) => {
  let desk: RunningApp;
  let tools: ReadonlyMap<string, Listed['inputSchema']>;
  const names = Object.keys(SOURCES);

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [Figures] });
    const { tools: area } = desk.app.get(McpCatalog);
    for (const [name, inputSchema] of Object.entries(SOURCES)) {
      area.add({ name, inputSchema }, (given: object) => JSON.stringify(given));
    }
    tools = new Map((await list()).map(({ name, inputSchema }) => [name, inputSchema]));
  });

  afterAll(() => desk.close());

  async function list(): Promise<readonly Listed[]> {
    const { result } = await perRequest(desk.url).request('tools/list');
    return (result as { tools: Listed[] }).tools;
  }

  const call = (name: string, given: object) =>
    perRequest(desk.url).start('tools/call', { name, arguments: given }).result();

  it.each(names)('by "%s" is listed as one object (CAT-01)', (name) => {
    const schema = tools.get(name);
    expect(Object.keys(schema ?? {}).filter((keyword) => ROOT_COMBINATORS.includes(keyword))).toEqual([]);
    expect(schema).toMatchObject({
      type: 'object',
      properties: {
        kind: { enum: ['circle', 'square'] },
        radius: {
          type: 'number',
          description: expect.stringMatching(/(?:Only|Required) if "kind" is "circle"/i),
        },
        side: {
          type: 'number',
          description: expect.stringMatching(/(?:Only|Required) if "kind" is "square"/i),
        },
      },
      required: ['kind'],
    });
  });

  it.each(names)(
    'by "%s" takes what it took, and refuses what is of no alternative (CAT-01)',
    async (name) => {
      const taken = await call(name, { kind: 'square', side: 2 });
      expect(taken).toMatchObject({ content: [{ text: JSON.stringify({ kind: 'square', side: 2 }) }] });
      expect(await call(name, { kind: 'square', radius: 2 })).toMatchObject({ isError: true });
      expect(await call(name, { kind: 'line' })).toMatchObject({ isError: true });
    },
  );

  it('is listed as it is where it says so itself (CAT-01)', () => {
    expect(tools.get('left')).toHaveProperty('anyOf');
  });

  it('is listed flat when it is changed while the server runs (CAT-01)', async () => {
    const { tools: area } = desk.app.get(McpCatalog);
    area.update('arktype', { inputSchema: SOURCES['zod-union'] as SchemaSource });
    expect(area.find('arktype')?.inputSchema).toEqual(tools.get('zod-union'));
  });

  it('lets a prompt list the arguments of all alternatives (CAT-01)', async () => {
    const { result } = await perRequest(desk.url).request('prompts/list');
    expect(result).toMatchObject({
      prompts: [
        {
          arguments: [
            { name: 'id', required: false },
            { name: 'path', required: false },
          ],
        },
      ],
    });
  });
});

describe.each(ADAPTERS)('A server that does not flatten unions, on %s', (adapter) => {
  it('lists them as they are, except where a tool says otherwise (CAT-01)', async () => {
    const desk = await bootServer({ adapter, options: { catalog: { flattenUnions: false } } });
    const { tools } = desk.app.get(McpCatalog);
    const inputSchema = SOURCES['zod-discriminated'] as SchemaSource;
    tools.add({ name: 'left', inputSchema }, () => 'left');
    tools.add({ name: 'flat', inputSchema, flattenUnions: true }, () => 'flat');
    const { result } = await perRequest(desk.url).request('tools/list');
    expect(result).toMatchObject({
      tools: [
        { name: 'left', inputSchema: { oneOf: [{}, {}] } },
        { name: 'flat', inputSchema: { required: ['kind'] } },
      ],
    });
    await desk.close();
  });
});
