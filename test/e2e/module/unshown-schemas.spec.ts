import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type as arktype } from 'arktype';
import { McpModule, Tool, type SchemaSource, type ToolOptions } from 'nestjs-mcp';
import * as v from 'valibot';
import { z } from 'zod';
import { bootFailure } from '../../support/applications/boot-failure.js';
import { bootServer } from '../../support/applications/server.js';
import { callTool, listedTool } from '../../support/clients/tools.js';

function toolsWith(options: ToolOptions) {
  @Injectable()
  class Tools {
    @Tool(options)
    take(given: unknown): unknown {
      return options.outputSchema === undefined ? JSON.stringify(given) : given;
    }
  }
  return Tools;
}

async function failureOf(options: ToolOptions): Promise<string> {
  const server = McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' } });
  return (await bootFailure({ imports: [server], providers: [toolsWith(options)] })).message;
}

const Base = z.object({ window: z.object({ open: z.any() }) });
const within = (open: z.ZodType) => Base.extend({ window: z.object({ open }) });

describe('A schema that cannot be shown', () => {
  it.each<[string, SchemaSource, string]>([
    ['a map', within(z.map(z.string(), z.number())), 'at "window.open": Map cannot be'],
    ['a set', within(z.set(z.string())), 'at "window.open": Set cannot be'],
    ['a bigint', within(z.bigint()), 'at "window.open": BigInt cannot be'],
    ['a symbol', within(z.symbol()), 'at "window.open": Symbols cannot be'],
    ['a function', within(z.function()), 'at "window.open": Function types cannot be'],
    ['a custom type', within(z.custom<string>(() => true)), 'at "window.open": Custom types cannot be'],
    ['an item', z.object({ list: z.array(z.bigint()) }), 'at "list.*": BigInt cannot be'],
    ['an alternative', z.object({ a: z.union([z.string(), z.bigint()]) }), 'at "a": BigInt cannot be'],
    ['a record', z.object({ a: z.record(z.string(), z.bigint()) }), 'at "a.*": BigInt cannot be'],
    [
      'a map of valibot',
      toStandardJsonSchema(v.object({ a: v.object({ b: v.map(v.string(), v.string()) }) })),
      'at "a.b": The "map" schema',
    ],
    [
      'a custom type of valibot',
      toStandardJsonSchema(v.object({ a: v.custom(() => true) })),
      'at "a": The "custom" schema',
    ],
    ['a map of arktype', arktype({ a: { b: 'Map' } }), 'at "a.b": The class "Map"'],
    ['a bigint of arktype', arktype({ a: 'bigint' }), 'at "a": The type "bigint"'],
  ])('stops the start, with its path and the way out: %s (CAT-04)', async (_, inputSchema, place) => {
    const message = await failureOf({ inputSchema });
    expect(message).toContain(`@Tool() on "Tools.take": The input schema from `);
    expect(message).toContain(place);
    expect(message).toMatch(/; accept a JSON type and convert it, as in /);
  });

  it.each<[string, SchemaSource]>([
    ['zod', z.object({ a: z.string().transform((text) => text.length) })],
    [
      'valibot',
      toStandardJsonSchema(
        v.object({
          a: v.pipe(
            v.string(),
            v.transform((text) => text.length),
          ),
        }),
      ),
    ],
  ])(
    'stops the start where nothing says what a transform gives: %s (CAT-04)',
    async (vendor, outputSchema) => {
      expect(await failureOf({ outputSchema })).toMatch(
        new RegExp(
          `The output schema from "${vendor}" cannot be represented as JSON Schema at "a": .*; declare the converted type`,
        ),
      );
    },
  );

  it.each<[string, ToolOptions]>([
    [
      'custom and described',
      { inputSchema: z.object({ a: z.custom<string>(() => true).meta({ type: 'string' }) }) },
    ],
    [
      'described',
      {
        inputSchema: toStandardJsonSchema(
          v.object({
            a: v.pipe(
              v.custom<string>(() => true),
              v.metadata({ type: 'string' }),
            ),
          }),
        ),
      },
    ],
    [
      'checked',
      {
        inputSchema: toStandardJsonSchema(
          v.object({
            a: v.pipe(
              v.string(),
              v.check(() => true),
            ),
          }),
        ),
      },
    ],
    ['converted', { inputSchema: z.object({ a: z.string().transform((text) => text.trim()) }) }],
    ['absent or text', { inputSchema: arktype({ 'a?': 'string|undefined' }) }],
  ])('is shown once it is %s (CAT-04)', async (_, options) => {
    const desk = await bootServer({ providers: [toolsWith(options)] });
    try {
      const { inputSchema } = await listedTool(desk.url, 'take');
      expect((inputSchema as { properties: unknown }).properties).toEqual({ a: { type: 'string' } });
      expect(await callTool(desk.url, 'take', { a: 'x' })).toBe('{"a":"x"}');
    } finally {
      await desk.close();
    }
  });
});
