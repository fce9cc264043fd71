import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
} from '@modelcontextprotocol/client';
import { Type as TypeBox } from '@sinclair/typebox';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import { Type } from 'class-transformer';
import { IsArray, IsIn, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import { McpCatalog, type SchemaSource } from 'nestjs-mcp';
import * as v from 'valibot';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import { zodToJsonSchema } from 'zod-to-json-schema';
import type { RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import {
  HANDSHAKE_VERSIONS,
  initialize,
  PER_REQUEST_VERSION,
  perRequest,
} from '../../support/clients/json-rpc.js';
import { RecordedLog } from '../../support/records/recorded-log.js';
import { HOST_VALIDATORS, type HostedTool } from './host-validators.js';

class Place {
  @IsString()
  city!: string;
}

class TripDto {
  @ValidateNested()
  @Type(() => Place)
  to!: Place;

  @IsArray()
  @IsInt({ each: true })
  days!: number[];

  @IsOptional()
  @IsIn(['air', 'rail'])
  by?: string;
}

class NothingDto {
  @IsOptional()
  @IsString()
  note?: string;
}

const $schema = 'http://json-schema.org/draft-07/schema#';
const fromZod3 = (schema: z3.ZodTypeAny) => zodToJsonSchema(schema) as SchemaSource;
const tree = z.object({
  name: z.string(),
  get children() {
    return z.array(tree);
  },
});

/** Every way to write a schema, each with what libraries write differently. */
const INPUTS: Readonly<Record<string, SchemaSource | undefined>> = {
  none: undefined,
  json_empty: { type: 'object' },
  json_closed: { type: 'object', additionalProperties: false },
  json_patterns: { type: 'object', patternProperties: { '^x_': { type: 'string' } } },
  json_booleans: {
    type: 'object',
    properties: {
      any: true,
      list: { type: 'array', items: true },
      part: { allOf: [true, { type: 'string' }] },
    },
  },
  json_tuple: {
    type: 'object',
    properties: { pair: { type: 'array', prefixItems: [{ type: 'string' }, true], items: false } },
  },
  json_union: {
    type: 'object',
    oneOf: [{ properties: { a: { type: 'string' } } }, { properties: { b: true }, required: ['b'] }, false],
  },
  json_definitions: {
    type: 'object',
    properties: { to: { $ref: '#/$defs/place' } },
    $defs: { place: { type: 'object', properties: { city: { type: 'string' } } } },
  },
  draft7_tuple: {
    $schema,
    type: 'object',
    properties: { pair: { type: 'array', items: [{ type: 'string' }], additionalItems: false } },
  },
  zod_empty: z.object({}),
  zod_strict: z.strictObject({ to: z.object({ city: z.string() }), days: z.array(z.int()).optional() }),
  zod_record: z.record(z.string(), z.string()),
  zod_tuple: z.object({
    pair: z.tuple([z.string(), z.number()]),
    more: z.tuple([z.string()]).rest(z.number()),
  }),
  zod_any: z.object({ any: z.any(), never: z.never().optional(), unknown: z.unknown() }),
  zod_union: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('a'), a: z.string() }),
    z.object({ kind: z.literal('b'), b: z.number() }),
  ]),
  zod_enum: z.object({ by: z.enum(['air', 'rail']), either: z.union([z.string(), z.array(z.string())]) }),
  zod3: fromZod3(
    z3.object({ to: z3.object({ city: z3.string() }), days: z3.array(z3.number().int().positive()) }),
  ),
  zod3_empty: fromZod3(z3.object({})),
  zod3_record: fromZod3(z3.record(z3.string())),
  zod3_tuple: fromZod3(z3.object({ pair: z3.tuple([z3.string(), z3.number()]), any: z3.any() })),
  arktype_empty: type({}),
  arktype: type({
    to: { city: 'string' },
    'days?': 'number.integer[]',
    by: "'air'|'rail'",
    'any?': 'unknown',
  }),
  arktype_record: type({ '[string]': 'number' }),
  arktype_tuple: type({ pair: ['string', 'number'] }),
  arktype_union: type({ a: 'string' }).or({ b: 'number' }),
  valibot_empty: toStandardJsonSchema(v.object({})),
  valibot: toStandardJsonSchema(v.strictObject({ to: v.object({ city: v.string() }), any: v.any() })),
  valibot_record: toStandardJsonSchema(v.record(v.string(), v.number())),
  valibot_tuple: toStandardJsonSchema(
    v.object({ pair: v.tuple([v.string(), v.number()]), strict: v.strictTuple([v.string()]) }),
  ),
  typebox_empty: TypeBox.Object({}),
  typebox: TypeBox.Object({
    to: TypeBox.Object({ city: TypeBox.String() }),
    any: TypeBox.Optional(TypeBox.Any()),
  }),
  typebox_record: TypeBox.Record(TypeBox.String(), TypeBox.Number()),
  typebox_tuple: TypeBox.Object({ pair: TypeBox.Tuple([TypeBox.String(), TypeBox.Number()]) }, { $schema }),
  dto: TripDto,
  dto_optional: NothingDto,
};

const OUTPUTS: Readonly<Record<string, SchemaSource>> = {
  draft7_output: { ...(INPUTS['draft7_tuple'] as object) },
  booleans_output: INPUTS['json_booleans'] as SchemaSource,
  zod_output: z.object({ pair: z.tuple([z.string()]), any: z.any() }),
};

describe('Listed schemas of every source', () => {
  let desk: RunningApp;
  const log = new RecordedLog();

  beforeAll(async () => {
    desk = await bootServer({ nest: { logger: log } });
    const { tools } = desk.app.get(McpCatalog);
    for (const [name, inputSchema] of Object.entries(INPUTS)) {
      tools.add({ name, description: name, ...(inputSchema && { inputSchema }) }, () => name);
    }
    for (const [name, outputSchema] of Object.entries(OUTPUTS)) {
      tools.add({ name, outputSchema }, () => ({ pair: ['a'], any: 1 }));
    }
    tools.add({ name: 'recursive', inputSchema: tree }, () => '');
  });

  afterAll(() => desk.close());

  const VERSIONS = [...HANDSHAKE_VERSIONS, PER_REQUEST_VERSION];
  const names = [...Object.keys(INPUTS), ...Object.keys(OUTPUTS), 'recursive'];

  async function list(version: string): Promise<readonly HostedTool[]> {
    const client =
      version === PER_REQUEST_VERSION ? perRequest(desk.url) : await initialize(desk.url, { version });
    const { result } = await client.request('tools/list');
    return result?.['tools'] as readonly HostedTool[];
  }

  describe.each(VERSIONS)('in %s', (version) => {
    let tools: readonly HostedTool[];

    beforeAll(async () => {
      tools = await list(version);
    });

    it.each(Object.entries(HOST_VALIDATORS))('are what %s accepts (HOST-01)', (_, validate) => {
      expect(tools.map(({ name }) => name)).toEqual(names);
      const refused = tools.flatMap((tool) => [...validate(tool)].map((fault) => `${tool.name}: ${fault}`));
      expect(refused).toEqual([]);
    });
  });

  it('are listed by the official client of version 1, which also accepts results (HOST-01)', async () => {
    const client = new ClientV1({ name: 'reader', version: '1.0.0' });
    await client.connect(new TransportV1(new URL(desk.url)));
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(names);
    for (const name of Object.keys(OUTPUTS)) {
      expect((await client.callTool({ name })).structuredContent).toEqual({ pair: ['a'], any: 1 });
    }
    await client.close();
  });

  it.each(['legacy', { pin: '2026-07-28' }] as const)(
    'are listed by the official client of version 2 with %j, which also accepts results (HOST-01)',
    async (mode) => {
      const client = new ClientV2({ name: 'reader', version: '2.0.0' }, { versionNegotiation: { mode } });
      await client.connect(new TransportV2(new URL(desk.url)));
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(names);
      for (const name of Object.keys(OUTPUTS)) {
        expect((await client.callTool({ name })).structuredContent).toEqual({ pair: ['a'], any: 1 });
      }
      await client.close();
    },
  );

  it('are checked as they were written (HOST-01)', async () => {
    const call = async (name: string, given: object) =>
      (await perRequest(desk.url).request('tools/call', { name, arguments: given })).result?.['isError'] ===
      true;
    expect(await call('typebox_tuple', { pair: ['a', 1, 2] })).toBe(true);
    expect(await call('typebox_tuple', { pair: ['a', 1] })).toBe(false);
    expect(await call('none', { a: 1 })).toBe(true);
    expect(await call('json_closed', { a: 1 })).toBe(true);
    expect(await call('json_empty', { a: 1 })).toBe(false);
    expect(await call('zod_record', { a: 1 })).toBe(true);
    expect(await call('json_union', { a: 1 })).toBe(true);
  });

  it('are not warned of, except for what contains itself (HOST-01)', () => {
    expect(log.find('warn', 'Some hosts reject')).toEqual([expect.stringContaining('the tool "recursive"')]);
  });
});
