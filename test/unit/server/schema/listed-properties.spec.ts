import { describe, expect, it } from '@jest/globals';
import { findListedProperty } from '../../../../lib/server/schema/listed-properties.js';

const DATE = { type: 'string', format: 'date-time' };

describe('findListedMember', () => {
  it('finds a member through lists and alternatives (CAT-04)', () => {
    const alternatives = [
      { properties: { kind: { const: 'a' }, at: DATE } },
      { properties: { kind: { enum: ['b', 'c'] }, at: { anyOf: [DATE, { type: 'null' }] } } },
    ];
    const schema = { properties: { list: { items: { oneOf: alternatives } } } };
    expect(findListedProperty(schema, ['list', 0, 'kind'])).toMatchObject({ values: ['a', 'b', 'c'] });
    expect(findListedProperty(schema, ['list', 0, 'at'])).toMatchObject({ isDate: true });
    expect(findListedProperty(schema, ['list', 'kind'])).toBeUndefined();
  });

  it('tells the types of a member in all alternatives, if each has one (XTN-04)', () => {
    const typesOf = (...alternatives: readonly object[]) =>
      findListedProperty({ properties: { at: { anyOf: alternatives } } }, ['at'])?.types;
    expect(typesOf(DATE, { type: ['object', 'null'] })).toEqual(['string', 'object']);
    expect(typesOf(DATE, { const: 7 })).toEqual([]);
  });

  it('is not kept busy by alternatives that come back to each other (CAT-04)', () => {
    const both = { anyOf: [{ $ref: '#/$defs/left' }, { $ref: '#/$defs/right' }] };
    const $defs = { left: { properties: { next: both, at: DATE } }, right: { properties: { next: both } } };
    const path = [...Array.from({ length: 500 }, () => 'next'), 'at'];
    expect(findListedProperty({ ...both, $defs }, path)).toEqual({
      values: [],
      isDate: true,
      types: ['string'],
    });
  });
});
