import { describe, expect, it } from '@jest/globals';
import { buildStandardIssues } from '../../../../../lib/server/schema/standard-schema/standard-issues.js';

const SCHEMA = {
  type: 'object',
  properties: {
    kind: { type: 'string' },
    tree: { $ref: '#/$defs/Tree' },
    items: { type: 'array', items: { type: 'object', properties: { id: {} }, additionalProperties: false } },
    open: { type: 'object', properties: { id: {} } },
  },
  required: ['kind'],
  additionalProperties: false,
  $defs: {
    Tree: { type: 'object', properties: { leaf: {} }, required: ['leaf'], additionalProperties: false },
  },
};

function messageOf(message: string, path: readonly PropertyKey[], value: unknown): string | undefined {
  return buildStandardIssues([{ message, path }], value, SCHEMA)[0]?.message;
}

describe('buildStandardIssues', () => {
  it('joins paths of keys and of segments (MOD-07)', () => {
    const issues = buildStandardIssues([{ message: 'x', path: ['a', { key: 0 }, { key: 'b' }] }], {}, SCHEMA);
    expect(issues).toEqual([{ path: 'a.0.b', message: 'x' }]);
    expect(buildStandardIssues([{ message: 'x' }], {}, SCHEMA)).toEqual([{ path: '', message: 'x' }]);
  });

  it('adds what came where the library does not say it (MOD-07)', () => {
    expect(messageOf('Invalid option', ['kind'], { kind: 'fax' })).toBe(
      'Invalid option, received string "fax"',
    );
    expect(messageOf('Wanted a, but received "fax"', ['kind'], { kind: 'fax' })).toBe(
      'Wanted a, but received "fax"',
    );
    expect(messageOf('Invalid object', ['tree'], { tree: {} })).toBe('Invalid object');
  });

  it('says that a required member is missing, and no other (MOD-07)', () => {
    expect(messageOf('Invalid', ['kind'], {})).toBe('is required but missing: Invalid');
    expect(messageOf('Invalid', ['tree', 'leaf'], { tree: {} })).toBe('is required but missing: Invalid');
    expect(messageOf('must come after "kind"', ['items'], {})).toBe('must come after "kind"');
  });

  it('cuts the path that a library writes before its message (MOD-07)', () => {
    expect(messageOf('items[0].id must be a number (was "x")', ['items', 0, 'id'], {})).toBe(
      'must be a number (was "x")',
    );
  });

  it('names the closest known name, whether the path or the message has the unknown one (MOD-07)', () => {
    const meant = 'is not a known name, did you mean "kind"?';
    expect(messageOf('Unexpected', ['kidn'], { kidn: 1 })).toBe(meant);
    expect(messageOf('Unrecognized key: "kidn"', [], { kidn: 1 })).toBe(`"kidn" ${meant}`);
    expect(messageOf('Unrecognized key: "leav"', ['tree'], { tree: { leav: 1 } })).toContain('mean "leaf"?');
    expect(messageOf('Unexpected', ['items', 1, 'idd'], { items: [] })).toContain('mean "id"?');
    expect(messageOf('Unrecognized keys: "a", "b"', [], { a: 1, b: 1, kind: 'x' })).toMatch(/^"a" .*; "b" /);
  });

  it('leaves names of an open object alone (MOD-07)', () => {
    expect(messageOf('Wrong', ['open', 'idd'], { open: { idd: {} } })).toBe('Wrong');
  });

  it('reports no more than a hundred issues (MOD-07)', () => {
    const issues = Array.from({ length: 500 }, (_, at) => ({ message: 'x', path: [at] }));
    expect(buildStandardIssues(issues, [], SCHEMA)).toHaveLength(100);
  });
});
