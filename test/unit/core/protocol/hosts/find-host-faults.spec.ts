import { describe, expect, it } from '@jest/globals';
import {
  findHostProblems,
  formatHostProblem,
} from '../../../../../lib/core/protocol/hosts/find-host-problems.js';

const of = (inputSchema: unknown, name: unknown = 'find') =>
  findHostProblems({ name, inputSchema }).map((fault) =>
    formatHostProblem(fault).replace(/; refused by .*$/, ''),
  );
const PLAIN = {
  type: 'object',
  properties: { id: { anyOf: [{ type: 'string' }, { type: 'array', items: {} }] } },
};

describe('findHostFaults', () => {
  it('finds nothing in a plain object, whatever is inside its members (CAT-01)', () => {
    expect(of(PLAIN)).toEqual([]);
  });

  it.each(['oneOf', 'anyOf', 'allOf', 'not', 'if', 'enum', 'const', '$ref'])(
    'finds "%s" at the root (CAT-01)',
    (keyword) => {
      expect(of({ ...PLAIN, [keyword]: [] })).toEqual([
        `its schema has "${keyword}" at the root at "inputSchema": list the fields under "properties", or move the keyword into one of them`,
      ]);
    },
  );

  it.each([[{ anyOf: [] }], [undefined], [true], [{ type: ['object', 'null'] }]])(
    'finds a root that is no object: %j (CAT-01)',
    (schema) => {
      expect(of(schema)).toContain(
        'its schema does not have "type": "object" at the root at "inputSchema": make the arguments an object',
      );
    },
  );

  it.each(['a b', 'größe', 'filter[id]', '', 'x'.repeat(65), '$top', '@type'])(
    'finds the property "%s", and where it is (CAT-01)',
    (name) => {
      const inner = { type: 'array', items: { type: 'object', properties: { [name]: {} } } };
      const schema = {
        type: 'object',
        properties: { list: inner },
        $defs: { one: { properties: { [name]: {} } } },
      };
      const places = findHostProblems({ name: 'find', inputSchema: schema }).map(({ path: place }) => place);
      expect(places).toEqual([`properties.list.items.properties.${name}`, `$defs.one.properties.${name}`]);
    },
  );

  it('takes names of 64 characters with dots and hyphens, and values that look like schemas (CAT-01)', () => {
    const properties = {
      [`a.b-c_${'x'.repeat(58)}`]: { default: { properties: { 'a b': {} } }, enum: ['type'] },
    };
    expect(of({ type: 'object', properties })).toEqual([]);
  });

  it('finds an array of which it is not said what is in it (CAT-01)', () => {
    const properties = { ids: { type: 'array' }, pair: { type: 'array', prefixItems: [{}] } };
    expect(findHostProblems({ name: 'find', inputSchema: { type: 'object', properties } })).toEqual([
      {
        kind: 'items',
        found: 'its schema has an array without "items"',
        path: 'properties.ids',
        fix: 'describe its items',
        hosts: ['Gemini', 'OpenAI', 'VS Code'],
      },
      {
        kind: 'items',
        found: 'its schema has an array without "items"',
        path: 'properties.pair',
        fix: 'describe its items',
        hosts: ['Gemini', 'OpenAI', 'VS Code'],
      },
    ]);
  });

  it.each(['find.ticket', 'x'.repeat(65), '', 'a b', 7])('finds the name %j (CAT-01)', (name) => {
    expect(of(PLAIN, name)).toEqual([
      'its name does not consist of 1 to 64 letters, digits, "_" and "-": choose a "name" that matches',
    ]);
  });

  it('ends with schemas of any depth and size (CAT-01)', () => {
    const deep = JSON.parse(`${'{"not":'.repeat(5_000)}{}${'}'.repeat(5_000)}`) as object;
    const wide = {
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`p${at}`, {}])),
    };
    expect([of({ ...deep, type: 'object' }), of(wide)]).toEqual([[expect.stringContaining('"not"')], []]);
  });
});
