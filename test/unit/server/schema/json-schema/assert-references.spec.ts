import { describe, expect, it } from '@jest/globals';
import { compileSchema } from '../../../../../lib/server/schema/compile-schema.js';
import { SchemaError } from '../../../../../lib/server/schema/schema.error.js';

const compile = (keywords: object) => compileSchema({ type: 'object', ...keywords }, 'input');
const inside = ($ref: string, rest: object = {}) => ({ properties: { a: { $ref } }, ...rest });

describe('A reference in a JSON Schema (MCP basic, JSON Schema usage)', () => {
  it.each([
    ['the root', inside('#')],
    ['a definition', inside('#/$defs/x', { $defs: { x: {} } })],
    ['a definition whose name is encoded', inside('#/$defs/a%20b~1c', { $defs: { 'a b/c': {} } })],
    ['any other place', inside('#/properties/b/items', { properties: { a: {}, b: { items: {} } } })],
    ['an item of a list', inside('#/allOf/0', { allOf: [{}] })],
    ['an anchor', inside('#x', { $defs: { y: { $anchor: 'x' } } })],
    ['a dynamic anchor', { $dynamicAnchor: 'x', properties: { a: { $dynamicRef: '#x' } } }],
    [
      'a definition with an "$id"',
      inside('other.json', { $id: 'https://example.com/a.json', $defs: { x: { $id: 'other.json' } } }),
    ],
    ['a definition with a URN', inside('urn:example:x', { $defs: { x: { $id: 'urn:example:x' } } })],
    [
      'its own "$id"',
      inside('https://example.com/a#/$defs/x', { $id: 'https://example.com/a', $defs: { x: {} } }),
    ],
    ['the meta-schema', inside('https://json-schema.org/draft/2020-12/schema')],
  ])('may lead to %s (MOD-07)', (_, keywords) => {
    expect(() => compile(keywords)).not.toThrow();
  });

  it('may lead to a name written as "$id" in draft 7 (MOD-07)', () => {
    const $schema = 'http://json-schema.org/draft-07/schema#';
    expect(() => compile(inside('#x', { $schema, definitions: { y: { $id: '#x' } } }))).not.toThrow();
  });

  it.each([
    ['a document of the network', inside('https://example.com/a.json'), 'https://example.com/a.json'],
    ['a file', inside('file:///etc/passwd'), 'file:///etc/passwd'],
    ['a document beside it', inside('other.json#/x'), 'other.json#/x'],
    ['a definition that is not there', inside('#/$defs/x'), '#/$defs/x'],
    ['a name that objects inherit', inside('#/$defs/toString', { $defs: {} }), '#/$defs/toString'],
    ['an anchor that is not there', inside('#x'), '#x'],
    ['a dynamic anchor that is not there', { properties: { a: { $dynamicRef: '#x' } } }, '#x'],
    ['no address at all', inside('http://['), 'http://['],
    [
      'a place of another resource that is not there',
      inside('#/$defs/y', { $defs: { x: { $id: 'x', $defs: { y: {} } } } }),
      '#/$defs/y',
    ],
    [
      'the network in a definition that nothing uses',
      { $defs: { x: { not: { items: { $ref: 'http://a.example/' } } } } },
      'http://a.example/',
    ],
    [
      'nothing in a definition that nothing uses',
      { $defs: { x: { prefixItems: [{ $ref: '#/$defs/z' }] } } },
      '#/$defs/z',
    ],
  ])('is refused when it leads to %s (MOD-07)', (_, keywords, reference) => {
    expect(() => compile(keywords)).toThrow(SchemaError);
    expect(() => compile(keywords)).toThrow(
      `The input schema refers to "${reference}", which it does not contain: define it under "$defs", because references are never fetched`,
    );
  });

  it('is only a value where values stand (MOD-07)', () => {
    const value = { $ref: 'https://example.com/a.json' };
    const a = { enum: [value], default: value, examples: [value] };
    expect(() => compile({ properties: { $ref: { type: 'string' }, a }, const: value })).not.toThrow();
  });
});
