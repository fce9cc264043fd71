import { describe, expect, it } from '@jest/globals';
import type { JsonSchema } from '../../../../lib/server/schema/compiled-schema.interface.js';
import { coerceArguments } from '../../../../lib/server/schema/coerce-arguments.js';

const BOUNDS = { values: 1_000, depth: 64 };
const object = (properties: object, others: object = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...others,
});
const repair = (schema: JsonSchema, given: object, bounds = BOUNDS) => coerceArguments(schema, given, bounds);

const TEXT = { type: 'string' };
const NUMBER = { type: 'number' };
const LIST = { type: 'array', items: NUMBER };
const POINT = object({ x: NUMBER, y: NUMBER }, { required: ['x'] });

describe('repairArguments()', () => {
  it.each<[what: string, member: object, given: unknown, expected: unknown]>([
    ['a list', LIST, '[1, 2]', [1, 2]],
    ['an object', POINT, ' {"x": 1}', { x: 1 }],
    ['a number', NUMBER, '-1.5e3', -1_500],
    ['an integer', { type: 'integer' }, '7', 7],
    ['a boolean', { type: 'boolean' }, 'true', true],
    ["a boolean in Python's spelling", { type: 'boolean' }, 'False', false],
    ['null', { anyOf: [NUMBER, { type: 'null' }] }, 'null', null],
    ['a listed number', { enum: [1, 2] }, '2', 2],
    ['a constant', { const: 3 }, '3', 3],
    ['one of some types', { type: ['integer', 'null'] }, '4', 4],
    ['what all parts want', { allOf: [{ type: 'integer' }, { minimum: 1 }] }, '4', 4],
    ['a number beside what never fits', { anyOf: [NUMBER, { not: {} }] }, '5', 5],
    ['a number beside a word', { anyOf: [NUMBER, { const: 'auto' }] }, '5', 5],
  ])('reads %s from a string (HOST-02)', (_, member, given, expected) => {
    expect(repair(object({ member }), { member: given, other: '1' })).toEqual({
      value: { member: expected, other: '1' },
      paths: ['member'],
    });
  });

  it.each<[what: string, member: object, given: unknown]>([
    ['a string where one is accepted', { type: ['string', 'number'] }, '5'],
    ['a word beside a number', { anyOf: [NUMBER, { const: 'auto' }] }, 'auto'],
    ['what is no JSON', LIST, '[1, 2'],
    ['another type', LIST, '{"0": 1}'],
    ['a number with a sign, a zero or a unit', NUMBER, '+05'],
    ['what would lose digits', NUMBER, '12345678901234567890'],
    ['what is no finite number', NUMBER, '1e999'],
    ['a fraction for an integer', { type: 'integer' }, '1.5'],
    ['a string in a string', { enum: ['open'] }, '"open"'],
    ['anything where everything is accepted', {}, '[1]'],
    ['anything that nothing describes', { not: {} }, '[1]'],
    ['a number for a string', TEXT, 5],
    ['null in a list', LIST, [null]],
  ])('leaves %s alone (HOST-02)', (_, member, given) => {
    expect(repair(object({ member }), { member: given })).toBeUndefined();
  });

  it('takes null for the absence of an optional member only (HOST-02)', () => {
    const schema = object(
      { a: TEXT, b: TEXT, c: { type: ['string', 'null'] } },
      { required: ['a'], additionalProperties: TEXT },
    );
    expect(repair(schema, { a: null, b: null, c: null, d: null })).toEqual({
      value: { a: null, c: null, d: null },
      paths: ['b'],
    });
  });

  it('repairs at every depth, in strings too (HOST-02)', () => {
    const schema = object({
      points: { type: 'array', items: POINT },
      map: { type: 'object', additionalProperties: LIST },
    });
    const given = { points: '[{"x": "1", "y": null}, "{\\"x\\": 2}"]', map: { a: '[1]', b: [2, '3'] } };
    expect(repair(schema, given)).toEqual({
      value: { points: [{ x: 1 }, { x: 2 }], map: { a: [1], b: [2, 3] } },
      paths: ['points', 'points.0.x', 'points.0.y', 'points.1', 'map.a', 'map.b.1'],
    });
    expect(given.map.a).toBe('[1]');
  });

  it('follows references, patterns, tuples and the alternative that is meant (HOST-02)', () => {
    const node = object({ value: NUMBER, next: { $ref: '#/$defs/node' } });
    const schema = object(
      {
        node: { $ref: '#/$defs/node' },
        pair: { type: 'array', prefixItems: [NUMBER, TEXT], items: { type: 'boolean' } },
        old: { type: 'array', items: [NUMBER, TEXT], additionalItems: { type: 'boolean' } },
        shape: {
          oneOf: [
            object({ kind: { const: 'circle' }, size: NUMBER }),
            object({ kind: { const: 'word' }, size: TEXT }),
          ],
        },
      },
      { patternProperties: { '^n_': NUMBER }, $defs: { node } },
    );
    const pair = ['1', '2', 'true'];
    const given = { node: '{"next": {"value": "3"}}', pair, old: pair, n_a: '4' };
    expect(repair(schema, { ...given, shape: { kind: 'circle', size: '5' } })?.value).toEqual({
      node: { next: { value: 3 } },
      pair: [1, '2', true],
      old: [1, '2', true],
      n_a: 4,
      shape: { kind: 'circle', size: 5 },
    });
    expect(repair(schema, { shape: { kind: 'word', size: '5' } })).toBeUndefined();
  });

  it('keeps members called "__proto__" as members, and prototypes as they are (HOST-02)', () => {
    const schema = object({ box: { type: 'object', additionalProperties: NUMBER } });
    const given = JSON.parse(
      '{"box": "{\\"__proto__\\": \\"1\\", \\"a\\": \\"2\\"}", "__proto__": "3"}',
    ) as object;
    const { value } = repair(schema, given) as { value: { box: object } };
    expect(Object.getOwnPropertyNames(value.box)).toEqual(['__proto__', 'a']);
    expect(Object.getPrototypeOf(value.box)).toBe(Object.prototype);
    expect(Object.getOwnPropertyDescriptor(value.box, '__proto__')?.value).toBe(1);
    expect(Object.getOwnPropertyDescriptor(value, '__proto__')?.value).toBe('3');
    expect(({} as { a?: unknown }).a).toBeUndefined();
  });

  it('reads no more structure from strings than a body may have (HOST-02)', () => {
    const schema = object({ a: LIST, b: LIST, deep: { type: 'array' } });
    const list = JSON.stringify(Array.from({ length: 600 }, (_, at) => at));
    expect(repair(schema, { a: list, b: list })?.paths).toEqual(['a']);
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(repair(schema, { deep })).toBeUndefined();
    expect(repair(schema, { deep }, { values: 1_000_000, depth: 200_000 })?.paths).toEqual(['deep']);
  });

  it('ends with schemas that lead back to themselves without an end (HOST-02)', () => {
    const schema = object(
      { a: { $ref: '#/$defs/a' } },
      { $defs: { a: { anyOf: [{ $ref: '#/$defs/a' }, NUMBER] } } },
    );
    expect(repair(schema, { a: '1' })?.value ?? { a: '1' }).toBeDefined();
  });
});
