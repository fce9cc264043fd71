import { describe, expect, it } from '@jest/globals';
import { copyJson, freezeSchema } from '../../../../lib/server/schema/json.js';
import { SchemaError } from '../../../../lib/server/schema/schema.error.js';

function nest(levels: number): object {
  let schema: object = {};
  for (let level = 0; level < levels; level += 1) schema = { not: schema };
  return schema;
}

describe('freezeSchema', () => {
  it('copies a schema and freezes the copy through and through (MOD-07)', () => {
    const source = { type: 'object', required: ['a'], properties: { a: { enum: [null, 1, true] } } };
    const schema = freezeSchema(source, 'input');
    expect(schema).toEqual(source);
    expect(schema).not.toBe(source);
    expect(Object.isFrozen(schema['required'])).toBe(true);
    expect(Object.isFrozen((schema['properties'] as Record<string, object>)['a'])).toBe(true);
    expect(Object.isFrozen(source)).toBe(false);
  });

  it('leaves out members without a value (MOD-07)', () => {
    expect(Object.keys(freezeSchema({ type: 'object', title: undefined }, 'input'))).toEqual(['type']);
  });

  it.each([
    [
      'a function',
      { 'x-a': () => 1 },
      'The input schema contains function at "/x-a", which JSON cannot represent',
    ],
    ['a date', { properties: { a: { default: new Date(0) } } }, 'contains object at "/properties/a/default"'],
    ['a number without end', { minimum: Infinity }, 'contains number Infinity at "/minimum"'],
    ['a big integer', { minimum: 5n }, 'contains bigint at "/minimum"'],
    ['a name with a slash', { 'a/b~c': Symbol('x') }, 'at "/a~1b~0c"'],
  ])('refuses %s (MOD-07)', (_, source, message) => {
    expect(() => freezeSchema(source, 'input')).toThrow(SchemaError);
    expect(() => freezeSchema(source, 'input')).toThrow(message);
  });

  it('refuses the name "__proto__" (MOD-07)', () => {
    const source = JSON.parse('{ "properties": { "__proto__": { "type": "string" } } }') as object;
    expect(() => freezeSchema(source, 'input')).toThrow('the name "__proto__" at "/properties/__proto__"');
  });

  it('refuses a schema that nests too deeply or holds itself (MOD-07)', () => {
    expect(() => freezeSchema(nest(64), 'input')).not.toThrow();
    expect(() => freezeSchema(nest(65), 'input')).toThrow('The input schema has more than 64 levels');
    const itself: Record<string, unknown> = {};
    itself['not'] = itself;
    expect(() => freezeSchema(itself, 'output')).toThrow('The output schema has more than 64 levels');
  });

  it('refuses a schema of too many members (MOD-07)', () => {
    const source = { enum: Array.from({ length: 20_000 }, (_, at) => at) };
    expect(() => freezeSchema(source, 'input')).toThrow('has more than 20000 values');
  });
});

describe('copyJson', () => {
  it('copies arrays and objects at every level (MOD-07)', () => {
    const value = { a: [{ b: 1 }], c: null, d: 'x' };
    const copy = copyJson(value) as typeof value;
    expect(copy).toEqual(value);
    expect(copy.a[0]).not.toBe(value.a[0]);
  });

  it('keeps a member called "__proto__" an ordinary member (MOD-07)', () => {
    const copy = copyJson(JSON.parse('{ "__proto__": { "polluted": true } }')) as Record<string, unknown>;
    expect(Object.keys(copy)).toEqual(['__proto__']);
    expect(copy['polluted']).toBeUndefined();
  });
});
