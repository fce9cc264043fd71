import { describe, expect, it } from '@jest/globals';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import * as z from 'zod';
import { compileSchema } from '../../../../../lib/server/schema/compile-schema.js';
import { SchemaError } from '../../../../../lib/server/schema/schema.error.js';
import { issuesOf, valueOf } from '../issues-of.js';
import { findSchemaFaults } from '../json-schema-oracle.js';

const without = (vendor: string, members: object = {}) =>
  ({ '~standard': { version: 1, vendor, validate: (value: unknown) => ({ value }), ...members } }) as never;

describe('A Standard Schema without its JSON Schema side', () => {
  it.each([
    ['valibot', v.object({}), 'pass toStandardJsonSchema(schema) from "@valibot/to-json-schema"'],
    ['zod', without('zod'), 'use zod 4.2 or later'],
    ['arktype', without('arktype'), 'use arktype 2.1.28 or later'],
    ['acme', without('acme'), 'use a version of the library that provides it, or pass a JSON Schema object'],
  ])('is refused with the vendor %s and what to do (MOD-07)', (vendor, source, fix) => {
    const compile = () => compileSchema(source, 'input');
    expect(compile).toThrow(SchemaError);
    expect(compile).toThrow(`The input schema from "${vendor}" has no "~standard.jsonSchema": ${fix}`);
  });

  it.each([
    ['another version', without('acme', { version: 2 }), 'acme'],
    ['no validation', without('acme', { validate: undefined }), 'acme'],
    ['nothing behind "~standard"', { '~standard': null } as never, 'unknown'],
  ])('is refused when it has %s (MOD-07)', (_, source, vendor) => {
    expect(() => compileSchema(source, 'input')).toThrow(
      `from "${vendor}" has no version 1 "~standard.validate"`,
    );
  });

  it('is refused when its library cannot show it as JSON Schema (MOD-07)', () => {
    const convert = () => {
      throw new Error('No such type.');
    };
    const source = without('acme', { jsonSchema: { input: convert, output: convert } });
    expect(() => compileSchema(source, 'input')).toThrow(
      'The input schema from "acme" cannot be represented as JSON Schema: No such type; use types that JSON supports',
    );
  });
});

describe('An input schema of a library', () => {
  const byId = z.object({ by: z.literal('id'), id: z.int() });
  const byName = z.object({ by: z.literal('name'), name: z.string() });

  it.each([
    ['a union', z.union([byId, byName])],
    ['a discriminated union', z.discriminatedUnion('by', [byId, byName])],
    ['an intersection', z.intersection(byId, z.object({ note: z.string() }))],
    ['an arktype union', type({ by: '"id"', id: 'number' }).or({ by: '"name"', name: 'string' })],
    ['a valibot variant', toStandardJsonSchema(v.variant('by', [v.object({ by: v.literal('id') })]))],
    ['a record', z.record(z.string(), z.number())],
    ['what a preprocessing step leaves', z.preprocess((value) => value, byId)],
  ])('has an object at its root for %s (MOD-07)', (_, source) => {
    const { jsonSchema } = compileSchema(source, 'input');
    expect(jsonSchema['type']).toBe('object');
    expect(findSchemaFaults(jsonSchema)).toBe('');
  });

  it.each([
    ['a text', z.string(), '"type": "string"'],
    ['an array', z.array(z.string()), '"type": "array"'],
    ['a union with a text', z.union([byId, z.string()]), 'no "type"'],
    ['anything', z.any(), 'no "type"'],
    ['a choice of values', z.enum(['a', 'b']), '"type": "string"'],
  ])('is refused for %s (MOD-07)', (_, source, found) => {
    expect(() => compileSchema(source, 'input')).toThrow(
      `The input schema has ${found} at its root, but the protocol requires "type": "object"`,
    );
  });

  it('has an object at its root where the root is a reference (MOD-07)', () => {
    const described = { $ref: '#/$defs/a%20b', $defs: { 'a b': { allOf: [{}, { type: 'object' }] } } };
    const convert = () => described;
    const source = without('acme', { jsonSchema: { input: convert, output: convert } });
    expect(compileSchema(source, 'input').jsonSchema).toEqual({
      type: 'object',
      properties: {},
      allOf: [{}, { type: 'object' }],
    });
  });

  it('is refused where a reference leads in a circle (MOD-07)', () => {
    const convert = () => ({ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } });
    const source = without('acme', { jsonSchema: { input: convert, output: convert } });
    expect(() => compileSchema(source, 'input')).toThrow('has no "type" at its root');
  });

  it('asks the library for draft 2020-12 once (MOD-07)', async () => {
    const targets: unknown[] = [];
    const convert = (options: unknown) => {
      targets.push(options);
      return { type: 'object' };
    };
    const schema = compileSchema(without('acme', { jsonSchema: { input: convert } }), 'input');
    await valueOf(schema, {});
    await valueOf(schema, {});
    expect(schema.jsonSchema).toBe(schema.jsonSchema);
    expect(targets).toEqual([{ target: 'draft-2020-12' }]);
  });

  it('is converted once for all handlers that share it, for each direction (MOD-07)', () => {
    const asked: string[] = [];
    const convert = (direction: string) => () => {
      asked.push(direction);
      return { type: 'object', title: direction };
    };
    const source = without('acme', { jsonSchema: { input: convert('input'), output: convert('output') } });
    const [first, second] = [compileSchema(source, 'input'), compileSchema(source, 'input')];
    expect(second.jsonSchema).toBe(first.jsonSchema);
    expect(compileSchema(source, 'output').jsonSchema).toEqual({ type: 'object', title: 'output' });
    expect(asked).toEqual(['input', 'output']);
  });
});

describe('A validator of a library', () => {
  const convert = () => ({ type: 'object' });
  const compile = (validate: () => unknown) =>
    compileSchema(without('acme', { validate, jsonSchema: { input: convert } }), 'input');
  const later = (result: unknown) => ({ then: (resolve: (settled: unknown) => void) => resolve(result) });

  it('is waited for whatever kind of promise it gives (MOD-07)', async () => {
    const outcome = compile(() => later({ value: { a: 1 } })).validate({});
    expect(outcome).toBeInstanceOf(Promise);
    expect(await outcome).toEqual({ valid: true, value: { a: 1 } });
    const refusing = compile(() => later({ issues: [{ message: 'is wrong' }] }));
    expect(await issuesOf(refusing, {})).toBe('is wrong');
  });

  it('may give nothing for the value (MOD-07)', async () => {
    expect(await compile(() => ({ value: undefined })).validate({})).toEqual({
      valid: true,
      value: undefined,
    });
  });

  it.each([
    ['nothing', undefined],
    ['an empty object', {}],
    ['issues that are no list', { issues: null, value: {} }],
    ['a promise of nothing', later(undefined)],
    ['a promise of an empty object', later({})],
  ])('lets nothing pass where it gives %s (MOD-07)', async (_, result) => {
    await expect(async () => compile(() => result).validate({})).rejects.toThrow(
      '"~standard.validate" must return an object with a "value" or an array of "issues"',
    );
  });
});

describe('An output schema of a library', () => {
  it.each([
    [
      'zod',
      z.object({
        count: z
          .number()
          .transform((count) => count + 1)
          .pipe(z.int()),
      }),
    ],
    [
      'valibot',
      toStandardJsonSchema(
        v.object({
          count: v.pipe(
            v.number(),
            v.transform((count) => count + 1),
            v.number(),
            v.integer(),
          ),
        }),
      ),
    ],
    [
      'arktype',
      type({
        count: type('number')
          .pipe((count) => count + 1)
          .to('number.integer'),
      }),
    ],
  ])('lists and gives what %s makes of a result (MOD-08)', async (_, source) => {
    const schema = compileSchema(source, 'output');
    expect(findSchemaFaults(schema.jsonSchema)).toBe('');
    expect(schema.jsonSchema).toMatchObject({ type: 'object', properties: { count: { type: 'integer' } } });
    expect(await valueOf(schema, { count: 1 })).toEqual({ count: 2 });
    expect(await issuesOf(schema, { count: 'many' })).toMatch(/^count: .*number/);
  });

  it('lists a default as always there (MOD-08)', async () => {
    const schema = compileSchema(z.object({ state: z.string().default('open') }), 'output');
    expect(schema.jsonSchema).toMatchObject({ required: ['state'] });
    expect(await valueOf(schema, {})).toEqual({ state: 'open' });
  });

  it('may have anything at its root (MOD-08)', async () => {
    const schema = compileSchema(z.array(z.string()), 'output');
    expect(schema.jsonSchema).toMatchObject({ type: 'array' });
    expect(await valueOf(schema, ['a'])).toEqual(['a']);
    expect(await issuesOf(schema, [1])).toMatch(/^0: .*string/);
  });
});
