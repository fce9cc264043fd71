import { describe, expect, it } from '@jest/globals';
import type { JsonSchema } from '../../../../../lib/server/schema/compiled-schema.interface.js';
import { inlineReferences } from '../../../../../lib/server/schema/listing/inline-references.js';
import { findSchemaFaults } from '../json-schema-oracle.js';

const NAME = { type: 'string', minLength: 1 };

function objectOf(properties: object, rest: object = {}): JsonSchema {
  return { type: 'object', properties, ...rest };
}

describe('inlineReferences', () => {
  it('gives the same schema where nothing refers to a part of it (CAT-02)', () => {
    const plain = objectOf({ a: NAME, b: { const: { $ref: '#/x' } } }, { $defs: { unused: NAME } });
    const foreign = objectOf({ a: { $ref: 'https://json-schema.org/draft/2020-12/schema' } });
    for (const schema of [plain, foreign]) expect(inlineReferences(schema)).toBe(schema);
  });

  it.each(['$id', '$anchor', '$dynamicAnchor', '$dynamicRef'])(
    'leaves a schema alone that has %s (CAT-02)',
    (name) => {
      const schema = objectOf({ a: { $ref: '#/$defs/name' } }, { $defs: { name: { ...NAME, [name]: 'n' } } });
      expect(inlineReferences(schema)).toBe(schema);
    },
  );

  it.each<[string, JsonSchema, unknown]>([
    ['a definition', { $ref: '#/$defs/name' }, NAME],
    ['a name with other characters', { $ref: '#/$defs/a~1b%20c' }, { const: 1 }],
    ['a definition of a definition', { $ref: '#/$defs/alias' }, NAME],
    [
      'anything and nothing',
      { anyOf: [{ $ref: '#/$defs/all' }, { $ref: '#/$defs/none' }] },
      { anyOf: [true, false] },
    ],
    ['another place', { items: { $ref: '#/properties/first' } }, { items: { type: 'integer' } }],
    [
      'a list',
      { prefixItems: [{ $ref: '#/$defs/name' }], items: false },
      { prefixItems: [NAME], items: false },
    ],
    [
      'what is beside',
      { $ref: '#/$defs/name', description: 'x', default: 'y' },
      { ...NAME, description: 'x', default: 'y' },
    ],
    ['what is checked beside', { $ref: '#/$defs/name', maxLength: 9 }, { ...NAME, maxLength: 9 }],
    ['what is checked twice', { $ref: '#/$defs/name', minLength: 5 }, { minLength: 5, allOf: [NAME] }],
    [
      'what counts the members beside',
      { $ref: '#/$defs/object', unevaluatedProperties: false, allOf: [{ minProperties: 1 }] },
      { unevaluatedProperties: false, allOf: [{ minProperties: 1 }, objectOf({ a: NAME })] },
    ],
  ])('puts in its place: %s (CAT-02)', (_, property, inlined) => {
    const $defs = {
      name: NAME,
      'a/b c': { const: 1 },
      alias: { $ref: '#/$defs/name' },
      all: true,
      none: false,
      object: objectOf({ a: NAME }),
    };
    const schema = inlineReferences(objectOf({ first: { type: 'integer' }, a: property }, { $defs }));
    expect(schema).toEqual(objectOf({ first: { type: 'integer' }, a: inlined }));
    expect(findSchemaFaults(schema)).toBe('');
  });

  it('leaves out what draft 7 does not look at beside a reference (CAT-02)', () => {
    const $schema = 'http://json-schema.org/draft-07/schema#';
    const schema = objectOf(
      { a: { $ref: '#/definitions/name', maxLength: 9, description: 'x' } },
      { $schema, definitions: { name: NAME } },
    );
    expect(inlineReferences(schema)).toEqual(
      objectOf({ a: { ...NAME, description: 'x' } }, { $schema, definitions: { name: NAME } }),
    );
  });

  it('keeps the definitions of a schema that names its dialect (CAT-02)', () => {
    const $schema = 'https://json-schema.org/draft/2020-12/schema';
    const schema = objectOf({ a: { $ref: '#/$defs/name' } }, { $schema, $defs: { name: NAME } });
    expect(inlineReferences(schema)).toEqual(objectOf({ a: NAME }, { $schema, $defs: { name: NAME } }));
  });

  it('keeps references to what holds itself, by itself or through others (CAT-02)', () => {
    const schema = objectOf(
      { tree: { $ref: '#/$defs/tree' }, name: { $ref: '#/$defs/name' }, me: { $ref: '#' } },
      {
        $defs: {
          tree: objectOf({ name: { $ref: '#/$defs/name' }, branches: { $ref: '#/$defs/branches' } }),
          branches: { type: 'array', items: { $ref: '#/$defs/tree' } },
          name: NAME,
          whole: { $ref: '#' },
        },
      },
    );
    expect(inlineReferences(schema)).toEqual(
      objectOf(
        { tree: { $ref: '#/$defs/tree' }, name: NAME, me: { $ref: '#' } },
        {
          $defs: {
            tree: objectOf({ name: NAME, branches: { $ref: '#/$defs/branches' } }),
            branches: { type: 'array', items: { $ref: '#/$defs/tree' } },
          },
        },
      ),
    );
  });

  it('makes a definition of what holds itself elsewhere (CAT-02)', () => {
    const schema = objectOf({
      node: objectOf({ next: { $ref: '#/properties/node' } }),
      other: objectOf({ node: objectOf({ next: { $ref: '#/properties/other/properties/node' } }) }),
    });
    const inlined = inlineReferences(schema);
    expect(inlined['$defs']).toEqual({
      node: objectOf({ next: { $ref: '#/$defs/node' } }),
      node2: objectOf({ next: { $ref: '#/$defs/node2' } }),
    });
    expect(findSchemaFaults(inlined)).toBe('');
  });

  it('is done in no time, and undone, where it would have no end (CAT-02)', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 500 }, (_, at) => {
        const next = { $ref: `#/$defs/d${at + 1}` };
        return [`d${at}`, at === 499 ? NAME : objectOf({ a: next, b: next })];
      }),
    );
    const schema = objectOf({ a: { $ref: '#/$defs/d460' } }, { $defs });
    expect(inlineReferences(schema)).toBe(schema);
    const atRoot = inlineReferences({ $ref: '#/$defs/d460', $defs });
    expect(atRoot).toMatchObject(objectOf({ a: { $ref: '#/$defs/d461' }, b: { $ref: '#/$defs/d461' } }));
    expect(findSchemaFaults(atRoot)).toBe('');
    const circle = { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } };
    expect(inlineReferences(circle)).toBe(circle);
  });

  it('gives what nobody can change (CAT-02)', () => {
    const inlined = inlineReferences(objectOf({ a: { $ref: '#/$defs/b' } }, { $defs: { b: { enum: [1] } } }));
    const { a } = inlined['properties'] as { a: { enum: number[] } };
    expect(() => a.enum.push(2)).toThrow(TypeError);
    expect(Object.isFrozen(inlined)).toBe(true);
  });
});
