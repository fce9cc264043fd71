import { describe, expect, it } from '@jest/globals';
import { compileSchema } from '../../../../../lib/server/schema/compile-schema.js';
import type { JsonSchema } from '../../../../../lib/server/schema/compiled-schema.interface.js';
import { flattenRoot } from '../../../../../lib/server/catalog/listing/flatten-root.js';
import { issuesOf } from '../issues-of.js';

const list = (schema: JsonSchema) => compileSchema(schema, 'input').jsonSchema;
const NEVER = { not: {} };

describe('A listed schema', () => {
  it.each<[string, JsonSchema]>([
    ['nothing', { type: 'object' }],
    ['patterns', { type: 'object', patternProperties: { '^x': { type: 'string' } } }],
    ['values', { type: 'object', additionalProperties: { type: 'string' } }],
    ['no member', { type: 'object', additionalProperties: false }],
  ])(
    'has "properties" at the root of an input that describes %s, and nothing else changes (HOST-01)',
    (_, schema) => {
      expect(list(schema)).toEqual({ ...schema, properties: {} });
      expect(compileSchema(schema, 'output').jsonSchema).toEqual(schema);
    },
  );

  it('has an object for every boolean subschema, wherever one may be (HOST-01)', () => {
    const schema = {
      type: 'object',
      properties: {
        any: true,
        none: false,
        list: { type: 'array', items: true, contains: true, unevaluatedItems: false },
        pair: { type: 'array', prefixItems: [true, false], items: false },
        union: { anyOf: [true, { type: 'string' }], oneOf: [true], allOf: [true], not: false },
        choice: { if: true, then: false, else: true, propertyNames: true },
        map: { type: 'object', patternProperties: { '^x': true }, dependentSchemas: { a: false } },
      },
      $defs: { unused: true },
    };
    expect(list(schema)).toEqual({
      type: 'object',
      properties: {
        any: {},
        none: NEVER,
        list: { type: 'array', items: {}, contains: {}, unevaluatedItems: NEVER },
        pair: { type: 'array', prefixItems: [{}, NEVER], items: {}, maxItems: 2 },
        union: { anyOf: [{}, { type: 'string' }], oneOf: [{}], allOf: [{}], not: NEVER },
        choice: { if: {}, then: NEVER, else: {}, propertyNames: {} },
        map: { type: 'object', patternProperties: { '^x': {} }, dependentSchemas: { a: NEVER } },
      },
      $defs: { unused: {} },
    });
    expect(schema.properties.any).toBe(true);
  });

  it('keeps booleans of objects that are open or closed, and values that are no schemas (HOST-01)', () => {
    const schema = {
      type: 'object',
      properties: {
        open: { type: 'object', additionalProperties: true, unevaluatedProperties: false },
        flag: { enum: [true, false], const: true, default: false, examples: [true] },
        list: { type: 'array', items: {}, uniqueItems: true },
      },
      additionalProperties: false,
      unevaluatedProperties: false,
    };
    expect(list(schema)).toEqual(schema);
  });

  it('has "items" in a tuple, in which version 1 of the official client sees a limit of all items (HOST-01)', () => {
    const listPair = (pair: JsonSchema) => {
      const { properties } = compileSchema({ type: 'object', properties: { pair } }, 'output').jsonSchema;
      return (properties as { pair: unknown }).pair;
    };
    const prefixItems = [{ type: 'string' }, { type: 'number' }];
    expect(listPair({ type: 'array', prefixItems })).toEqual({ type: 'array', prefixItems, items: {} });
    expect(listPair({ type: 'array', prefixItems, items: false, maxItems: 5 })).toEqual({
      type: 'array',
      prefixItems,
      items: {},
      maxItems: 2,
    });
    expect(listPair({ type: 'array', prefixItems, items: false, maxItems: 1 })).toMatchObject({
      maxItems: 1,
    });
    const rest = { type: 'array', prefixItems, items: { type: 'boolean' } };
    expect(listPair(rest)).toEqual(rest);
    expect(listPair({ type: 'array', items: false })).toEqual({ type: 'array', items: NEVER });
  });

  describe('of draft-07', () => {
    const $schema = 'http://json-schema.org/draft-07/schema#';

    it('is listed for draft 2020-12, and means the same (HOST-01)', () => {
      const properties = {
        pair: { type: 'array', items: [{ type: 'string' }, true], additionalItems: { type: 'number' } },
        closed: { type: 'array', items: [true], additionalItems: false, prefixItems: [false] },
        open: { type: 'array', items: [{ type: 'string' }] },
        all: { type: 'array', items: { type: 'string' }, additionalItems: false },
        other: {
          type: 'object',
          dependencies: { a: ['b'], c: { required: ['d'] } },
          dependentRequired: { a: ['z'] },
        },
      };
      const schema = { $schema, type: 'object', properties, required: ['pair'] };
      const expected = {
        type: 'object',
        properties: {
          pair: { type: 'array', prefixItems: [{ type: 'string' }, {}], items: { type: 'number' } },
          closed: { type: 'array', prefixItems: [{}], items: {}, maxItems: 1 },
          open: { type: 'array', prefixItems: [{ type: 'string' }], items: {} },
          all: { type: 'array', items: { type: 'string' } },
          other: {
            type: 'object',
            dependentRequired: { a: ['b'] },
            dependentSchemas: { c: { required: ['d'] } },
          },
        },
        required: ['pair'],
      };
      expect(list(schema)).toEqual(expected);
      expect(compileSchema(schema, 'output').jsonSchema).toEqual(expected);
    });

    it('keeps what contains itself, without what draft-07 does not check beside a reference (HOST-01)', () => {
      const node = {
        type: 'object',
        properties: { next: { $ref: '#/definitions/node', description: 'The next one', required: ['x'] } },
      };
      const { definitions } = list({
        $schema,
        type: 'object',
        properties: { first: { $ref: '#/definitions/node' } },
        definitions: { node },
      });
      expect(definitions).toEqual({
        node: {
          type: 'object',
          properties: { next: { $ref: '#/definitions/node', description: 'The next one' } },
        },
      });
    });

    it('keeps its name as an input that reads alike in both (HOST-01)', () => {
      const schema = {
        $schema,
        type: 'object',
        properties: { a: { type: 'array', items: { type: 'string' } } },
      };
      expect(list(schema)).toEqual(schema);
      expect(compileSchema(schema, 'output').jsonSchema).not.toHaveProperty('$schema');
    });

    it('is listed as it is if its parts have addresses (HOST-01)', () => {
      const schema = {
        $schema,
        type: 'object',
        properties: { pair: { $id: 'pair', type: 'array', items: [{ type: 'string' }] } },
      };
      expect(list(schema)).toEqual(schema);
    });
  });

  it('checks what was written (HOST-01)', async () => {
    const schema = compileSchema({ type: 'object', properties: { none: false, any: true } }, 'input');
    expect(await issuesOf(schema, { none: 1 })).toBe('none: is not allowed here');
    expect(await schema.validate({ any: [1] })).toEqual({ valid: true, value: { any: [1] } });
  });

  it('is flat with boolean alternatives as it is without them (HOST-01)', () => {
    const one = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
    const flat = flattenRoot(list({ type: 'object', anyOf: [one, false] }));
    expect(flat).toMatchObject({ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] });
    expect(flat).not.toHaveProperty('anyOf');
  });
});
