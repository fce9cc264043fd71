import { describe, expect, it } from '@jest/globals';
import { compileSchema } from '../../../../../lib/server/schema/compile-schema.js';
import type { JsonSchema } from '../../../../../lib/server/schema/compiled-schema.interface.js';
import { flattenRoot } from '../../../../../lib/server/catalogue/listing/flatten-root.js';
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
        pair: { type: 'array', prefixItems: [{}, NEVER], items: NEVER },
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

  it('has objects in a schema of draft-07 and in an output schema (HOST-01)', () => {
    const $schema = 'http://json-schema.org/draft-07/schema#';
    const properties = { pair: { type: 'array', items: [true], additionalItems: false } };
    const expected = { pair: { type: 'array', items: [{}], additionalItems: NEVER } };
    const schema = { $schema, type: 'object', properties };
    expect(list(schema)).toEqual({ $schema, type: 'object', properties: expected });
    expect(compileSchema(schema, 'output').jsonSchema).toEqual({
      $schema,
      type: 'object',
      properties: expected,
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
