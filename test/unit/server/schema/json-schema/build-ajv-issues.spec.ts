import { describe, expect, it } from '@jest/globals';
import { compileSchema } from '../../../../../lib/server/schema/compile-schema.js';
import { issuesOf } from '../issues-of.js';

const schemaOf = (keywords: object) => compileSchema({ type: 'object', ...keywords }, 'input');
const property = (keywords: object) => ({ properties: { a: keywords } });

describe('An issue of a JSON Schema', () => {
  it.each([
    [
      'type',
      property({ type: ['string', 'null'] }),
      { a: 5 },
      'a: expected string or null, received number 5',
    ],
    [
      'enum',
      property({ enum: ['x', 1, null] }),
      { a: 'y' },
      'a: expected one of "x", 1, null, received string "y"',
    ],
    ['const', property({ const: true }), { a: false }, 'a: expected true, received boolean false'],
    [
      'format',
      property({ type: 'string', format: 'date' }),
      { a: 'soon' },
      'a: expected a string in the format "date", received string "soon"',
    ],
    [
      'pattern',
      property({ pattern: '^a+$' }),
      { a: 'b' },
      'a: expected a string that matches the pattern ^a+$, received string "b"',
    ],
    ['minimum', property({ minimum: 1 }), { a: 0 }, 'a: must be >= 1, received number 0'],
    [
      'maxItems',
      property({ maxItems: 1 }),
      { a: [1, 2] },
      'a: must NOT have more than 1 items, received array of 2 items',
    ],
    ['required', { required: ['a'] }, {}, 'a: is required but missing'],
    [
      'required with a type',
      { ...property({ type: 'string' }), required: ['a'] },
      {},
      'a: is required but missing, expected string',
    ],
    [
      'dependentRequired',
      { dependentRequired: { a: ['b'] } },
      { a: 1 },
      'b: is required but missing, because "a" is present',
    ],
    [
      'additionalProperties',
      { ...property({}), additionalProperties: false },
      { zebra: 1 },
      'zebra: is not a known name, expected one of "a"',
    ],
    [
      'additionalProperties without properties',
      { additionalProperties: false },
      { a: 1 },
      'a: is not a known name, remove it',
    ],
    [
      'unevaluatedProperties',
      { ...property({}), unevaluatedProperties: false },
      { b: 1 },
      'b: is not a known name, did you mean "a"?',
    ],
    ['false', property(false as unknown as object), { a: 1 }, 'a: is not allowed here'],
    [
      'not',
      property({ not: { type: 'null' } }),
      { a: null },
      'a: has a form that is not allowed, received null',
    ],
    [
      'if and then',
      { if: { required: ['a'] }, then: { required: ['b'] } },
      { a: 1 },
      'b: is required but missing',
    ],
    [
      'oneOf with two matches',
      property({ oneOf: [{ type: 'string' }, { type: 'integer' }, { type: 'number' }] }),
      { a: 1 },
      'a: matches the alternatives 2 and 3, but only one may match',
    ],
  ])('of "%s" says what was expected and what came (MOD-07)', async (_, keywords, value, text) => {
    expect(await issuesOf(schemaOf(keywords), value)).toBe(text);
  });

  it('of alternatives says which alternative wants what (MOD-07)', async () => {
    const schema = schemaOf({
      anyOf: [{ required: ['a'] }, { properties: { b: { type: 'string' } }, required: ['b'] }],
    });
    expect(await issuesOf(schema, { b: 1 })).toBe(
      [
        'a: is required but missing (alternative 1)',
        'b: expected string, received number 1 (alternative 2)',
        'matches none of the alternatives, but must match one',
      ].join('\n'),
    );
  });

  it('of a name that is not allowed shows the name (MOD-07)', async () => {
    const text = await issuesOf(schemaOf({ propertyNames: { maxLength: 2 } }), { abc: 1 });
    expect(text).toContain('has a name that is not allowed: string "abc"');
  });

  it('has a path whose names are written plainly (MOD-07)', async () => {
    const schema = schemaOf({ properties: { 'a/b~c': { items: { type: 'string' } } } });
    expect(await issuesOf(schema, { 'a/b~c': [1] })).toMatch(/^a\/b~c\.0: /);
  });

  it('shows the first twenty values of a long enumeration (MOD-07)', async () => {
    const text = await issuesOf(schemaOf(property({ enum: Array.from({ length: 50 }, (_, at) => at) })), {
      a: 'x',
    });
    expect(text).toBe(
      'a: expected one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, and 30 more, received string "x"',
    );
  });

  it('stays bounded where a great value is wrong throughout (MOD-07)', async () => {
    const schema = schemaOf(property({ items: { type: 'string' } }));
    const great = { a: Array.from({ length: 200_000 }, () => 1) };
    expect(await schema.validate(great)).toEqual({
      valid: false,
      issues: [{ path: 'a.0', message: 'expected string, received number 1' }],
    });
    const small = await schema.validate({ a: Array.from({ length: 900 }, () => 1) });
    expect(small.valid ? [] : small.issues).toHaveLength(100);
  });

  it('is about the value of its own call (MOD-07)', async () => {
    const schema = schemaOf(property({ type: 'string' }));
    const outcomes = await Promise.all([
      schema.validate({ a: 1 }),
      schema.validate({ a: 2 }),
      schema.validate({}),
    ]);
    expect(outcomes).toMatchObject([
      { issues: [{ message: 'expected string, received number 1' }] },
      { issues: [{ message: 'expected string, received number 2' }] },
      { valid: true },
    ]);
  });
});
