import {
  DefaultValuePipe,
  ParseArrayPipe,
  ParseBoolPipe,
  ParseEnumPipe,
  ParseFloatPipe,
  ParseIntPipe,
  ParseUUIDPipe,
} from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import {
  describeParameter,
  type DeclaredParameter,
} from '../../../../lib/controllers/arguments/describe-parameter.js';

enum Size {
  Small = 1,
  Large = 2,
}

class OwnIntPipe extends ParseIntPipe {}

const describeIt = (given: Partial<DeclaredParameter>) =>
  describeParameter({ pipes: [], type: undefined, swagger: undefined, ...given });

describe('A parameter of a route', () => {
  it.each([
    [ParseIntPipe, { type: 'integer' }],
    [new ParseIntPipe(), { type: 'integer' }],
    [OwnIntPipe, { type: 'integer' }],
    [ParseFloatPipe, { type: 'number' }],
    [ParseBoolPipe, { type: 'boolean' }],
    [ParseUUIDPipe, { type: 'string', format: 'uuid' }],
    [new ParseEnumPipe({ Red: 'red' }), { enum: ['red'] }],
    [new ParseEnumPipe(Size), { enum: [1, 2] }],
    [new ParseArrayPipe({ items: Number }), { type: 'array', items: { type: 'number' } }],
    [new ParseArrayPipe(), { type: 'array', items: { type: 'string' } }],
  ])('has the schema of its pipe, and is required (ROUTE-01)', (pipe, schema) => {
    expect(describeIt({ pipes: [pipe], type: String })).toMatchObject({ schema, isRequired: true });
  });

  it.each([
    [[new ParseIntPipe({ optional: true })], undefined],
    [[new DefaultValuePipe(10), ParseIntPipe], 10],
    [[], undefined],
  ])('is optional if its pipe accepts nothing (ROUTE-01)', (pipes, fallback) => {
    const { schema, isRequired } = describeIt({ pipes, type: Number });
    expect([isRequired, schema['default']]).toEqual([false, fallback]);
  });

  it('is required or optional as swagger declares (ROUTE-01)', () => {
    expect(describeIt({ type: String, swagger: { required: true } }).isRequired).toBe(true);
    expect(describeIt({ pipes: [ParseIntPipe], swagger: { required: false } }).isRequired).toBe(false);
  });

  it.each([
    [String, { type: 'string' }],
    [Boolean, { type: 'boolean' }],
    [Date, { type: 'string', format: 'date-time' }],
    [Object, {}],
  ])('has the schema of its type (ROUTE-01)', (type, schema) => {
    expect(describeIt({ type }).schema).toEqual(schema);
  });

  it('has the description and the schema of swagger, if that refers to nothing (ROUTE-01)', () => {
    const swagger = { description: 'The page', schema: { minimum: 1 } };
    expect(describeIt({ type: Number, swagger }).schema).toEqual({
      type: 'number',
      description: 'The page',
      minimum: 1,
    });
    expect(describeIt({ type: Number, swagger: { schema: { $ref: '#/x' } } }).schema).toEqual({
      type: 'number',
    });
  });

  it.each([
    [new ParseArrayPipe({ separator: ';' }), ';'],
    [new ParseArrayPipe(), ','],
    [ParseIntPipe, undefined],
  ])('has the separator of its list (ROUTE-01)', (pipe, separator) => {
    expect(describeIt({ pipes: [pipe] }).separator).toBe(separator);
  });
});
