import { describe, expect, it } from '@jest/globals';
import {
  buildExample,
  buildInitial,
  selectField,
  type JsonSchema,
} from '../../../explorer/forms/json-schema.js';

const kindOf = (schema: JsonSchema) => selectField(schema).kind;

describe('The forms of the explorer', () => {
  it.each<[string, JsonSchema]>([
    ['text', { type: 'string' }],
    ['text', { type: ['string', 'null'] }],
    ['number', { type: 'integer' }],
    ['choice', { type: 'boolean' }],
    ['choice', { enum: ['a', 1, null] }],
    ['choice', { const: 'a' }],
    ['choice', { oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }] }],
    ['choice', { anyOf: [{ type: 'string', enum: ['a'] }, { const: null }] }],
    ['choices', { type: 'array', items: { enum: ['a', 'b'] } }],
    ['list', { type: 'array', items: { type: 'object', properties: { a: {} } } }],
    ['object', { type: 'object', properties: { a: { type: 'string' } } }],
    ['object', { properties: { a: true } }],
    ['json', {}],
    ['json', { type: 'array' }],
    ['json', { type: 'array', items: true }],
    ['json', { type: 'object' }],
    ['json', { type: ['string', 'number'] }],
    ['json', { anyOf: [{ type: 'string' }, { type: 'number' }] }],
    ['json', { type: 'object', properties: { a: {} }, oneOf: [{ required: ['a'] }] }],
    ['json', { $ref: '#/$defs/node' }],
  ])('ask by "%s" for %j (WAY-02)', (kind, schema) => {
    expect(kindOf(schema)).toBe(kind);
  });

  it('take a format for what it is, and no member of objects for one (WAY-02)', () => {
    expect(selectField({ type: 'string', format: 'uri' })).toEqual({ kind: 'text', inputType: 'url' });
    expect(selectField({ type: 'string', format: 'constructor' })).toEqual({
      kind: 'text',
      inputType: 'text',
    });
  });

  it('name choices as the schema does (WAY-02)', () => {
    expect(selectField({ enum: ['a', 'b'], enumNames: ['First'] })).toMatchObject({
      choices: [
        { value: 'a', label: 'First' },
        { value: 'b', label: 'b' },
      ],
    });
  });

  it('begin with defaults, and leave out what has none (WAY-02)', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: {
        a: { type: 'string', default: 'x' },
        b: { type: 'string' },
        c: { type: 'object', properties: { d: { type: 'number', default: 1 } } },
        e: { type: 'object', properties: { f: { type: 'number' } } },
      },
    };
    expect(buildInitial(schema)).toEqual({ a: 'x', c: { d: 1 } });
  });
});

describe('An example of what a schema describes', () => {
  it.each<[string, JsonSchema, unknown]>([
    ['its own example first', { type: 'string', examples: ['a'], default: 'b' }, 'a'],
    ['its default', { type: 'integer', default: 3 }, 3],
    ['the first choice', { enum: ['a', 'b'] }, 'a'],
    ['its least number', { type: 'integer', minimum: 5 }, 5],
    ['a plain number where the bound is none', { type: 'integer', minimum: -9007199254740991 }, 1],
    ['what its format asks for', { type: 'string', format: 'email' }, 'ada@example.com'],
    ['one item of a list', { type: 'array', items: { type: 'number' } }, [1]],
    ['one of several choices', { type: 'array', items: { enum: ['a', 'b'] } }, ['a']],
    [
      'all members of an object',
      { type: 'object', properties: { a: { type: 'string' }, b: { type: 'object', properties: { c: {} } } } },
      { a: 'text', b: { c: {} } },
    ],
  ])('is %s (WAY-02)', (_, schema, expected) => {
    expect(buildExample(schema)).toEqual(expected);
  });

  it('ends where a schema has no end (WAY-02)', () => {
    const properties: Record<string, JsonSchema> = {};
    const schema: JsonSchema = { type: 'object', properties };
    properties['next'] = schema;
    expect(JSON.stringify(buildExample(schema)).length).toBeLessThan(200);
  });
});
