import { describe, expect, it } from '@jest/globals';
import type { Tool } from '@modelcontextprotocol/client';
import { formatTools } from '../../../../lib/cli/tools/format-tools.js';

/** Shows what a tool takes, without its name: a row for each property. */
function show(properties: { readonly [name: string]: object }, $defs: object = {}): readonly string[] {
  const inputSchema = { type: 'object', properties, $defs } as Tool['inputSchema'];
  return formatTools([{ name: 'tool', inputSchema }])
    .split('\n')
    .slice(1);
}

const listOf = (items: object) => ({ type: 'array', items });

describe('formatTools (tools/list)', () => {
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
