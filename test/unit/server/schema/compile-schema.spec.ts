import { describe, expect, it } from '@jest/globals';
import { type } from 'arktype';
import * as v from 'valibot';
import * as z from 'zod';
import { compileSchema } from '../../../../lib/server/schema/compile-schema.js';
import type { SchemaSource } from '../../../../lib/server/schema/compiled-schema.interface.js';
import { SchemaError } from '../../../../lib/server/schema/schema.error.js';
import { issuesOf, valueOf } from './issues-of.js';

describe('compileSchema', () => {
  it.each([
    ['nothing', undefined, 'nothing'],
    ['null', null, 'null'],
    ['a text', 'object', 'string "object"'],
    ['an array', [], 'array of 0 items'],
  ])('refuses %s for a schema (MOD-07)', (_, source, described) => {
    const compile = () => compileSchema(source as unknown as SchemaSource, 'input');
    expect(compile).toThrow(SchemaError);
    expect(compile).toThrow(
      `The input schema is ${described}, expected a Standard Schema, a JSON Schema object or a class-validator DTO class`,
    );
  });

  it('tells how to give a plain object of schemas (MOD-07)', () => {
    const shape = { title: z.string() } as unknown as SchemaSource;
    expect(() => compileSchema(shape, 'input')).toThrow(/at "\/title".*z\.object\(\{ … \}\)/);
  });

  it('gives each call without arguments an object of its own (MOD-07)', async () => {
    const schema = compileSchema({ type: 'object' }, 'input');
    const first = (await valueOf(schema, undefined)) as Record<string, unknown>;
    first['leaked'] = true;
    expect(await valueOf(schema, undefined)).toEqual({});
  });

  it('does not take an absent result for an empty object (MOD-08)', async () => {
    const schema = compileSchema({ type: 'object' }, 'output');
    expect(await issuesOf(schema, undefined)).toBe('expected object, received nothing');
  });

  it('refuses an array where a library would take it for the arguments (MOD-07)', async () => {
    const { toStandardJsonSchema } = await import('@valibot/to-json-schema');
    const schema = compileSchema(toStandardJsonSchema(v.object({})), 'input');
    expect(await issuesOf(schema, [])).toBe('expected object, received array of 0 items');
  });

  it('answers at once where the library does, and with a promise where it does not (MOD-07)', async () => {
    const simple = compileSchema(z.object({ a: z.string() }), 'input');
    expect(simple.validate({ a: 'x' })).toEqual({ valid: true, value: { a: 'x' } });
    const looked = z.object({ a: z.string().refine(async (text) => text === 'x', 'is not known') });
    const asynchronous = compileSchema(looked, 'input');
    const outcome = asynchronous.validate({ a: 'y' });
    expect(outcome).toBeInstanceOf(Promise);
    expect(await outcome).toEqual({
      valid: false,
      issues: [{ path: 'a', message: 'is not known, received string "y"' }],
    });
  });

  describe('given a value nested without end', () => {
    const Tree = z.object({
      get inner() {
        return Tree.optional();
      },
    });
    const arkTree = type.module({ tree: { 'inner?': 'tree' } }).tree;
    const jsonTree = { type: 'object', properties: { inner: { $ref: '#' } } };

    it.each([
      ['zod', Tree],
      ['arktype', arkTree],
      ['JSON Schema', jsonTree],
      [
        'JSON Schema with a default',
        { ...jsonTree, properties: { ...jsonTree.properties, a: { default: 1 } } },
      ],
    ])('answers with an issue, not with an error, for %s (MOD-07)', async (_, source) => {
      let value: Record<string, unknown> = { inner: 5 };
      for (let depth = 0; depth < 100_000; depth += 1) value = { inner: value };
      expect(await issuesOf(compileSchema(source as SchemaSource, 'input'), value)).toBe(
        'is nested too deeply',
      );
    });
  });

  it('throws what a refinement of the developer throws (MOD-07)', async () => {
    const fault = new RangeError('The developer is wrong');
    const source = z.object({}).refine(() => {
      throw fault;
    });
    const schema = compileSchema(source, 'input');
    await expect(async () => schema.validate({})).rejects.toBe(fault);
  });
});
