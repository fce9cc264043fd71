import { describe, expect, it } from '@jest/globals';
import { buildInitial, selectField, type JsonSchema } from '../../../lib/explorer/forms/json-schema.js';

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
