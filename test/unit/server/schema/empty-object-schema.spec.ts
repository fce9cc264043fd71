import { describe, expect, it } from '@jest/globals';
import { EMPTY_OBJECT_SCHEMA } from '../../../../lib/server/schema/compile-schema.js';
import { issuesOf, valueOf } from './issues-of.js';

describe('EMPTY_OBJECT_SCHEMA', () => {
  it('is listed as an object without members (MOD-07)', () => {
    expect(EMPTY_OBJECT_SCHEMA.jsonSchema).toEqual({
      type: 'object',
      properties: {},
      additionalProperties: false,
    });
    expect(Object.isFrozen(EMPTY_OBJECT_SCHEMA.jsonSchema)).toBe(true);
  });

  it('takes absent arguments for an empty object of their own (MOD-07)', async () => {
    const first = await valueOf(EMPTY_OBJECT_SCHEMA, undefined);
    expect(first).toEqual({});
    expect(await valueOf(EMPTY_OBJECT_SCHEMA, undefined)).not.toBe(first);
    expect(await valueOf(EMPTY_OBJECT_SCHEMA, {})).toEqual({});
  });

  it('refuses every name (MOD-07)', async () => {
    const value = JSON.parse('{ "a": 1, "__proto__": {} }') as unknown;
    expect(await issuesOf(EMPTY_OBJECT_SCHEMA, value)).toBe(
      'a: is not a known name, remove it\n__proto__: is not a known name, remove it',
    );
  });

  it.each([
    ['null', null, 'null'],
    ['an array', [1], 'array of 1 item'],
    ['a number', 5, 'number 5'],
  ])('refuses %s (MOD-07)', async (_, value, described) => {
    expect(await issuesOf(EMPTY_OBJECT_SCHEMA, value)).toBe(`expected object, received ${described}`);
  });
});
