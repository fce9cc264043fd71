import { describe, expect, it } from '@jest/globals';
import type { Tool } from '@modelcontextprotocol/client';
import { formatTools } from '../../../../cli/tools/format-tools.js';

/** Shows what a tool takes, without its name: a row for each property. */
function show(properties: { readonly [name: string]: object }, $defs: object = {}): readonly string[] {
  const inputSchema = { type: 'object', properties, $defs } as Tool['inputSchema'];
  return formatTools([{ name: 'tool', inputSchema }])
    .split('\n')
    .slice(1);
}

const listOf = (items: object) => ({ type: 'array', items });

describe('formatTools (tools/list)', () => {
  it.each<[object, string]>([
    [
      { type: 'integer', minimum: 1, maximum: 100, default: 1, description: 'How many dice' },
      'integer 1–100, default 1 · How many dice',
    ],
    [{ type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 }, 'integer'],
    [{ type: 'number', exclusiveMinimum: 0 }, 'number > 0'],
    [{ type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 9 }, 'number > 0 and ≤ 9'],
    [{ type: 'number', maximum: 5, multipleOf: 0.5 }, 'number ≤ 5 in steps of 0.5'],
    [{ type: 'string', format: 'date-time' }, 'string (date-time)'],
    [{ type: 'string', pattern: '^[A-Z]+$', maxLength: 20 }, 'string (/^[A-Z]+$/) of at most 20 characters'],
    [{ type: 'string', minLength: 1 }, 'string of at least 1 character'],
    [{ type: 'string', minLength: 2, maxLength: 2 }, 'string of 2 characters'],
    [
      { ...listOf({ type: 'integer', minimum: 1, maximum: 6 }), minItems: 1, maxItems: 5 },
      'list of 1–5 items of integer 1–6',
    ],
    [{ enum: ['calm', 'merry'], default: 'calm' }, '"calm" | "merry", default "calm"'],
    [
      { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }], default: null },
      'integer ≥ 1 | null, default null',
    ],
    [
      { type: ['integer', 'string'], maxLength: 3, maximum: 5 },
      'integer ≤ 5 | string of at most 3 characters',
    ],
    [{ $ref: '#/$defs/Side', default: 6 }, 'integer 2–20, default 6 · Sides'],
    [{ type: 'string', default: 'x'.repeat(100) }, `string, default "${'x'.repeat(59)}…`],
    [{ type: 'string', format: 'a\u001b[31m' }, 'string (a\u{fffd}[31m)'],
  ])('shows what %j takes (CLI-20)', (value, shown) => {
    const Side = { type: 'integer', minimum: 2, maximum: 20, description: 'Sides' };
    expect(show({ value }, { Side })).toEqual([`  value  ${shown}`]);
  });

  it('shows the members of objects, of the items of lists and of what is combined (CLI-20)', () => {
    const Named = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
    const guest = { allOf: [{ $ref: '#/$defs/Named' }, { properties: { age: { type: 'integer' } } }] };
    expect(show({ guest, dishes: listOf({ $ref: '#/$defs/Named' }) }, { Named })).toEqual([
      '  guest   object',
      '    name  string, required',
      '    age   integer',
      '  dishes  list of object',
      '    name  string, required',
    ]);
  });

  it('shows the alternatives of an object (CLI-20)', () => {
    const circle = { type: 'object', properties: { kind: { const: 'circle' }, radius: { type: 'number' } } };
    const square = { type: 'object', properties: { kind: { const: 'square' }, side: { type: 'number' } } };
    expect(show({ shape: { oneOf: [circle, square] } })).toEqual([
      '  shape  object',
      '    either',
      '      kind    "circle"',
      '      radius  number',
      '    or',
      '      kind  "square"',
      '      side  number',
    ]);
  });

  it('shows a member that has itself among its members once (CLI-20)', () => {
    const Node = { type: 'object', properties: { next: { $ref: '#/$defs/Node' }, text: { type: 'string' } } };
    expect(show({ first: { $ref: '#/$defs/Node' } }, { Node })).toEqual([
      '  first  object',
      '    next  object',
      '    text  string',
    ]);
  });

  it('shows as many rows of a tool as anybody reads, and takes little time for more (CLI-20)', () => {
    const names = Array.from({ length: 500 }, (_, index) => `n${index}`);
    const level = (of: string) => ({
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${of}` }])),
    });
    const $defs = { A: level('B'), B: level('C'), C: { type: 'string' } };
    const rows = show({ a: { $ref: '#/$defs/A' } }, $defs);
    expect([rows.length, rows.at(-1)]).toEqual([201, '  …']);
    const maze = { anyOf: Array.from({ length: 20 }, () => ({ $ref: '#/properties/maze' })) };
    expect(show({ maze })).toEqual(['  maze  any']);
  });

  it('shows a list of lists to its items (CLI-20)', () => {
    const polygons = listOf(listOf(listOf(listOf({ type: 'number' }))));
    expect(show({ polygons })).toEqual(['  polygons  list of list of list of list of number']);
  });

  it('shows a list that has itself among its items once, and then as a list of anything (CLI-20)', () => {
    const json = { $ref: '#/$defs/Json' };
    const Json = { anyOf: [{ type: 'string' }, { type: 'number' }, listOf(json)] };
    const Tree = listOf({ $ref: '#/$defs/Tree' });
    expect(show({ json, tree: { $ref: '#/$defs/Tree' } }, { Json, Tree })).toEqual([
      '  json  string | number | list of string | number | list of any',
      '  tree  list of list of any',
    ]);
  });

  it('shows the first lists of a schema that goes deeper than anybody reads (CLI-20)', () => {
    let deep: object = { type: 'string' };
    for (let level = 0; level < 20_000; level += 1) deep = listOf(deep);
    expect(show({ deep })).toEqual([`  deep  ${'list of '.repeat(8)}any`]);
  });

  it('takes little time for lists of many alternatives that lead back to each other (CLI-20)', () => {
    const names = Array.from({ length: 40 }, (_, index) => `N${index}`);
    const alternatives = names.map((name) => listOf({ $ref: `#/$defs/${name}` }));
    const $defs = Object.fromEntries(names.map((name) => [name, { anyOf: alternatives }]));
    expect(show({ maze: { $ref: '#/$defs/N0' } }, $defs)).toEqual(['  maze  list of list of any']);
  });
});
