import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { describe, expect, it } from '@jest/globals';
import { Test } from '@nestjs/testing';
import { type } from 'arktype';
import { IsString } from 'class-validator';
import {
  McpCatalog,
  McpModule,
  type CatalogSection,
  type DtoClass,
  type DynamicHandler,
  type JsonSchema,
  type McpModuleAsyncOptions,
  type SchemaSource,
  type StandardSchema,
  type ToolDefinition,
  type ToolOptions,
} from 'nestjs-mcp';
import * as v from 'valibot';
import { z } from 'zod';
import { compileSchema } from '../../../../lib/server/schema/compile-schema.js';

/** A type as the packages that describe JSON Schema declare it: an interface without an index signature. */
interface DescribedSchema {
  $id?: string;
  type?: 'object' | 'string';
  properties?: { [name: string]: DescribedSchema };
  required?: string[];
}

class TitleDto {
  @IsString()
  title!: string;

  constructor(private readonly source: string) {}

  describe(): string {
    return this.source;
  }
}

const described: DescribedSchema = {
  type: 'object',
  properties: { title: { type: 'string' } },
  required: ['title'],
};
const literal = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] } as const;
const standard: StandardSchema<{ title: string }> = z.object({ title: z.string() });
const document: JsonSchema = literal;
const dto: DtoClass = TitleDto;

const SOURCES: readonly SchemaSource[] = [
  standard,
  document,
  dto,
  described,
  literal,
  TitleDto,
  type({ title: 'string' }),
  toStandardJsonSchema(v.object({ title: v.string() })),
  z.toJSONSchema(z.object({ title: z.string() })),
];

describe('The types of schema sources', () => {
  it.each(SOURCES.map((source, n) => [n, source] as const))(
    'take what every library gives, source %d (MOD-07)',
    async (_, source) => {
      const { validate } = compileSchema(source, 'input');
      expect((await validate({ title: 'Printer on fire' })).valid).toBe(true);
      expect((await validate({ title: 7 })).valid).toBe(false);
    },
  );
});

describe('The types of what an application writes down', () => {
  it('have names (MOD-02) (MOD-06)', async () => {
    const options: McpModuleAsyncOptions = {
      useFactory: () => ({ serverInfo: { name: 'x', version: '1' } }),
    };
    const close: DynamicHandler<{ title: string }> = ({ title }) => `closed ${title}`;
    const addTo = (tools: CatalogSection<ToolDefinition, ToolOptions, 'name'>) => {
      tools.add({ name: 'close', inputSchema: TitleDto }, close);
      return tools.list().map(({ name }) => name);
    };
    const module = await Test.createTestingModule({ imports: [McpModule.forRootAsync(options)] }).compile();
    expect(addTo(module.get(McpCatalog).tools)).toEqual(['close']);
    await module.close();
  });
});
