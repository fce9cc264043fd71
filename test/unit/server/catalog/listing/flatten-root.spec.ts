import { describe, expect, it } from '@jest/globals';
import { flattenRoot } from '../../../../../lib/server/catalog/listing/flatten-root.js';
import type { JsonSchema } from '../../../../../lib/server/settings/schema-source.interface.js';

const object = (properties: JsonSchema, required: readonly string[] = [], more: JsonSchema = {}) => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
  ...more,
});
const text = { type: 'string' };
const number = { type: 'number' };
const kind = (value: unknown, type = 'string') => ({ type, const: value });
const CLOSED = { additionalProperties: false };

const circle = object({ kind: kind('circle'), radius: number }, ['kind', 'radius'], CLOSED);
const square = object({ kind: kind('square'), side: number, label: text }, ['kind', 'side'], CLOSED);
const FLAT = {
  type: 'object',
  properties: {
    kind: { type: 'string', enum: ['circle', 'square'] },
    radius: { type: 'number', description: 'Only if "kind" is "circle"; required in that case.' },
    side: { type: 'number', description: 'Only if "kind" is "square"; required in that case.' },
    label: { type: 'string', description: 'Only if "kind" is "square".' },
  },
  required: ['kind'],
  additionalProperties: false,
};

describe('flattenRoot', () => {
  it('leaves a schema word for word that names its dialect (CAT-01) (MOD-07)', () => {
    const union = { type: 'object', oneOf: [circle, square] };
    expect(flattenRoot(union)).not.toEqual(union);
    const named = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...union };
    expect(flattenRoot(named)).toBe(named);
  });

  it.each(['oneOf', 'anyOf'])('lists alternatives of "%s" as one object (CAT-01)', (keyword) => {
    expect(flattenRoot({ type: 'object', [keyword]: [circle, square] })).toEqual(FLAT);
  });

  it('follows references, and leaves out what nothing refers to any more (CAT-01)', () => {
    const $defs = { circle, square };
    const oneOf = [{ $ref: '#/$defs/circle' }, { $ref: '#/$defs/square' }];
    expect(flattenRoot({ type: 'object', oneOf, $defs })).toEqual(FLAT);
  });

  it('keeps the definitions that members refer to, and those that these refer to (CAT-01)', () => {
    const $defs = { point: object({ next: { $ref: '#/$defs/link' } }), link: text, circle };
    const at = { $ref: '#/$defs/point' };
    const flat = flattenRoot({ type: 'object', anyOf: [object({ at }, ['at']), circle], $defs });
    expect(flat['$defs']).toEqual({ point: $defs.point, link: text });
  });

  it('takes unions inside of alternatives apart too (CAT-01)', () => {
    const inner = { anyOf: [circle, square] };
    const line = object({ kind: kind('line'), length: number }, ['kind', 'length'], CLOSED);
    const flat = flattenRoot({ type: 'object', anyOf: [inner, line] });
    expect(flat['properties']).toMatchObject({
      kind: { enum: ['circle', 'square', 'line'] },
      length: { description: 'Only if "kind" is "line"; required in that case.' },
    });
  });

  it('keeps what is said beside the union, and requires it of all (CAT-01)', () => {
    const flat = flattenRoot({
      ...object({ name: text }, ['name']),
      description: 'A figure',
      minProperties: 2,
      oneOf: [object({ id: text }, ['id']), object({ path: text }, ['path'])],
    });
    expect(flat).toEqual({
      description: 'A figure. Provide the properties of one alternative: (1) "id"; (2) "path".',
      ...object({ name: text, id: { ...text }, path: { ...text } }, ['name'], { minProperties: 2 }),
    });
  });

  it('explains a choice of what is required (CAT-01)', () => {
    const flat = flattenRoot({
      ...object({ id: text, path: text, note: text }),
      anyOf: [{ required: ['id'] }, { required: ['path'] }],
    });
    expect(flat).toEqual({
      ...object({ id: text, path: text, note: text }),
      description:
        'Provide the properties of one alternative: (1) "id", optional "path", "note"; (2) "path", optional "id", "note".',
    });
  });

  it('says of a member that alternatives have in different ways when each applies (CAT-01)', () => {
    const one = object({ kind: kind('a'), value: { ...text, description: 'A name' } }, ['kind', 'value']);
    const other = object({ kind: kind('b'), value: number }, ['kind']);
    expect(flattenRoot({ type: 'object', oneOf: [one, other] })['properties']).toMatchObject({
      value: {
        anyOf: [
          { type: 'string', description: 'A name. If "kind" is "a".' },
          { type: 'number', description: 'If "kind" is "b".' },
        ],
        description: 'Required if "kind" is "a".',
      },
    });
  });

  it('quotes what authors say of alternatives (CAT-01)', () => {
    const oneOf = [
      { ...circle, description: 'Round' },
      { ...square, title: 'With corners' },
    ];
    expect(flattenRoot({ type: 'object', oneOf })['properties']).toMatchObject({
      kind: { description: '"circle": Round. "square": With corners.' },
    });
  });

  it('takes numbers and several values for what tells alternatives apart (CAT-01)', () => {
    const one = object({ version: { enum: [1, 2] }, a: text }, ['version', 'a']);
    const other = object({ version: kind(3, 'integer'), b: text }, ['version', 'b']);
    expect(flattenRoot({ type: 'object', oneOf: [one, other] })['properties']).toMatchObject({
      version: { enum: [1, 2, 3] },
      a: { description: 'Only if "version" is 1 or 2; required in that case.' },
    });
  });

  it('merges an intersection that it can tell in full (CAT-01)', () => {
    const allOf = [
      object({ id: text }, ['id']),
      { ...object({ id: { minLength: 1 }, name: text }), minProperties: 1 },
    ];
    expect(flattenRoot({ type: 'object', allOf })).toEqual(
      object({ id: { type: 'string', minLength: 1 }, name: text }, ['id'], { minProperties: 1 }),
    );
  });

  it.each([
    [
      'with a condition, which hosts refuse too',
      { allOf: [{ if: { required: ['a'] }, then: { required: ['b'] } }] },
    ],
    ['whose parts refuse the members of the other', { allOf: [circle, object({ id: text })] }],
    [
      'with two patterns of names',
      { allOf: [{ propertyNames: { minLength: 1 } }, { propertyNames: { maxLength: 5 } }] },
    ],
    [
      'of a part with an address of its own',
      { allOf: [{ ...object({ id: text }), $id: 'https://a.example/b' }] },
    ],
  ])('leaves an intersection as it is %s (CAT-01)', (_which, keywords) => {
    const schema = { type: 'object', ...keywords };
    expect(flattenRoot(schema)).toBe(schema);
  });

  it('leaves a union as it is whose members others refer to by their place in it (CAT-01)', () => {
    const again = object({ again: { $ref: '#/oneOf/0' } });
    const schema = { type: 'object', oneOf: [circle, again] };
    expect(flattenRoot(schema)).toBe(schema);
  });

  it('keeps an end to a schema that holds itself (CAT-01)', () => {
    const branch = object({ children: { type: 'array', items: { $ref: '#' } } }, ['children']);
    const flat = flattenRoot({ type: 'object', anyOf: [branch, object({ leaf: text }, ['leaf'])] });
    expect(flat['properties']).toMatchObject({ children: { type: 'array', items: { $ref: '#' } } });
  });

  it('gives up on a reference that leads to itself, and on unions that multiply without end (CAT-01)', () => {
    const loop = { type: 'object', $ref: '#/$defs/loop', $defs: { loop: { $ref: '#/$defs/loop' } } };
    const bit = (at: number) => ({ anyOf: [object({ [`a${at}`]: text }), object({ [`b${at}`]: text })] });
    const many = { type: 'object', allOf: Array.from({ length: 20 }, (_, at) => bit(at)) };
    expect([flattenRoot(loop), flattenRoot(many)]).toEqual([loop, many]);
  });

  it('leaves a member out of alternatives that refuse it (CAT-01)', () => {
    const anyOf = [
      object({ id: text, path: false }, ['id']),
      object({ path: text, id: { not: {} } }, ['path']),
    ];
    const { properties } = flattenRoot({ type: 'object', anyOf }) as { properties: object };
    expect(properties).toEqual({ id: text, path: text });
  });

  it('drops alternatives that are no objects (CAT-01)', () => {
    const flat = flattenRoot({ type: 'object', anyOf: [{ type: 'null' }, object({ id: text }, ['id'])] });
    expect(flat).toEqual(object({ id: text }, ['id']));
  });

  it('stays open where one alternative takes members by a pattern (CAT-01)', () => {
    const patterned = object({ kind: kind('any') }, ['kind'], {
      patternProperties: { '^x-': text },
      ...CLOSED,
    });
    expect(flattenRoot({ type: 'object', oneOf: [circle, patterned] })).not.toHaveProperty(
      'additionalProperties',
    );
  });

  it('keeps a member at its place that clients repeat as a header (CAT-01)', () => {
    const region = { type: 'string', 'x-mcp-header': 'Region' };
    const schema = {
      ...object({ region }, ['region']),
      oneOf: [object({ region: { const: 'eu' } }), object({ region: { const: 'us' }, zip: text })],
    };
    expect(flattenRoot(schema)['properties']).toMatchObject({ region: { ...region, enum: ['eu', 'us'] } });
  });

  it('gives what it lists frozen, and plain schemas as they are (CAT-01)', () => {
    const plain = object({ id: { anyOf: [text, number] } });
    expect(flattenRoot(plain)).toBe(plain);
    expect(Object.isFrozen(flattenRoot({ type: 'object', oneOf: [circle, square] })['properties'])).toBe(
      true,
    );
  });
});
