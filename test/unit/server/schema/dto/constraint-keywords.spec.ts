import { describe, expect, it } from '@jest/globals';
import * as cv from 'class-validator';
import 'reflect-metadata';
import { compileSchema } from '../../../../../lib/server/schema/compile-schema.js';
import { findSchemaFaults } from '../json-schema-oracle.js';

enum Level {
  Low = 1,
  High = 2,
}
enum Color {
  Red = 'red',
  Blue = 'blue',
}
enum Mixed {
  Zero,
  Text = 'text',
}

/** What the list says of a property with these decorators and the type TypeScript wrote beside it. */
function listProperty(decorators: readonly PropertyDecorator[], designType?: unknown): unknown {
  class Dto {}
  for (const decorate of decorators) decorate(Dto.prototype, 'a');
  if (designType !== undefined) Reflect.defineMetadata('design:type', designType, Dto.prototype, 'a');
  const { jsonSchema } = compileSchema(Dto, 'input');
  expect(findSchemaFaults(jsonSchema)).toBe('');
  return (jsonSchema['properties'] as Record<string, unknown>)['a'];
}

const DATE = { type: 'string', anyOf: [{ format: 'date' }, { format: 'date-time' }] };

describe('A decorator of class-validator', () => {
  it.each<[string, PropertyDecorator, object]>([
    ['IsString', cv.IsString(), { type: 'string' }],
    ['IsBoolean', cv.IsBoolean(), { type: 'boolean' }],
    ['IsNumber', cv.IsNumber(), { type: 'number' }],
    ['IsInt', cv.IsInt(), { type: 'integer' }],
    ['IsObject', cv.IsObject(), { type: 'object' }],
    ['IsArray', cv.IsArray(), { type: 'array' }],
    ['IsDate', cv.IsDate(), { type: 'string', format: 'date-time' }],
    ['IsEnum of texts', cv.IsEnum(Color), { type: 'string', enum: ['red', 'blue'] }],
    ['IsEnum of numbers', cv.IsEnum(Level), { type: 'number', enum: [1, 2] }],
    ['IsEnum of both', cv.IsEnum(Mixed), { enum: [0, 'text'] }],
    ['IsEnum of a list', cv.IsEnum(['a', 'b']), { type: 'string', enum: ['a', 'b'] }],
    ['IsIn', cv.IsIn([1, 'a']), { enum: [1, 'a'] }],
    ['IsNotIn', cv.IsNotIn(['a']), { not: { enum: ['a'] } }],
    ['Equals', cv.Equals('a'), { const: 'a' }],
    ['NotEquals', cv.NotEquals('a'), { not: { const: 'a' } }],
    ['Min', cv.Min(1), { type: 'number', minimum: 1 }],
    ['Max', cv.Max(5), { type: 'number', maximum: 5 }],
    ['IsPositive', cv.IsPositive(), { type: 'number', exclusiveMinimum: 0 }],
    ['IsNegative', cv.IsNegative(), { type: 'number', exclusiveMaximum: 0 }],
    ['IsDivisibleBy', cv.IsDivisibleBy(3), { type: 'number', multipleOf: 3 }],
    ['MinDate', cv.MinDate(new Date(0)), { type: 'string', format: 'date-time' }],
    ['MinLength', cv.MinLength(2), { type: 'string', minLength: 2 }],
    ['MaxLength', cv.MaxLength(5), { type: 'string', maxLength: 5 }],
    ['Length', cv.Length(2, 5), { type: 'string', minLength: 2, maxLength: 5 }],
    ['Length without an end', cv.Length(2), { type: 'string', minLength: 2 }],
    ['Matches', cv.Matches(/^a\/b+$/), { type: 'string', pattern: '^a\\/b+$' }],
    ['Matches of a text', cv.Matches('^a+$' as unknown as RegExp), { type: 'string', pattern: '^a+$' }],
    ['Matches with a flag', cv.Matches(/^a+$/i), { type: 'string' }],
    ['Contains', cv.Contains('a.b'), { type: 'string', pattern: 'a\\.b' }],
    ['NotContains', cv.NotContains('a'), { type: 'string', not: { pattern: 'a' } }],
    ['IsEmail', cv.IsEmail(), { type: 'string', format: 'email' }],
    ['IsUrl', cv.IsUrl(), { type: 'string', format: 'uri' }],
    ['IsUUID', cv.IsUUID('4'), { type: 'string', format: 'uuid' }],
    ['IsFQDN', cv.IsFQDN(), { type: 'string', format: 'hostname' }],
    ['IsIP', cv.IsIP(), { type: 'string', anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] }],
    ['IsIP of version 6', cv.IsIP(6), { type: 'string', format: 'ipv6' }],
    ['IsDateString', cv.IsDateString(), DATE],
    ['IsISO8601', cv.IsISO8601(), DATE],
    ['IsRFC3339', cv.IsRFC3339(), { type: 'string', format: 'date-time' }],
    ['IsBase64', cv.IsBase64(), { type: 'string', contentEncoding: 'base64' }],
    ['IsJSON', cv.IsJSON(), { type: 'string', contentMediaType: 'application/json' }],
    ['IsBooleanString', cv.IsBooleanString(), { type: 'string', enum: ['true', 'false'] }],
    ['ArrayMinSize', cv.ArrayMinSize(1), { type: 'array', minItems: 1 }],
    ['ArrayMaxSize', cv.ArrayMaxSize(3), { type: 'array', maxItems: 3 }],
    ['ArrayNotEmpty', cv.ArrayNotEmpty(), { type: 'array', minItems: 1 }],
    ['ArrayUnique', cv.ArrayUnique(), { type: 'array', uniqueItems: true }],
    [
      'ArrayUnique by a member',
      cv.ArrayUnique((item: { id: number }) => item.id),
      { type: 'array', uniqueItems: true },
    ],
    [
      'ArrayContains',
      cv.ArrayContains(['a', 'b']),
      { type: 'array', allOf: [{ contains: { const: 'a' } }, { contains: { const: 'b' } }] },
    ],
    ['ArrayNotContains', cv.ArrayNotContains(['a']), { type: 'array', items: { not: { enum: ['a'] } } }],
    ['IsNotEmptyObject', cv.IsNotEmptyObject(), { type: 'object', minProperties: 1 }],
    ['IsPhoneNumber, of which JSON Schema knows nothing', cv.IsPhoneNumber('CH'), {}],
  ])('says in JSON Schema what it checks: %s (MOD-07)', (_, decorate, keywords) => {
    expect(listProperty([decorate])).toEqual(keywords);
  });

  it.each([
    ['IsNumberString', cv.IsNumberString(), ['5', '-1.5'], ['five', '']],
    ['IsHexadecimal', cv.IsHexadecimal(), ['aF0', '0x1f'], ['xyz']],
    ['IsMongoId', cv.IsMongoId(), ['a'.repeat(24)], ['a'.repeat(23)]],
    ['IsMilitaryTime', cv.IsMilitaryTime(), ['23:59', '00:00'], ['24:00', '9:00']],
  ])('has a pattern that agrees with %s (MOD-07)', (_, decorate, right, wrong) => {
    const { pattern } = listProperty([decorate]) as { pattern: string };
    for (const text of right) expect(text).toMatch(new RegExp(pattern));
    for (const text of wrong) expect(text).not.toMatch(new RegExp(pattern));
  });

  it('keeps an integer whichever order the decorators stand in (MOD-07)', () => {
    const listed = { type: 'integer', minimum: 1, maximum: 5 };
    expect(listProperty([cv.IsInt(), cv.Min(1), cv.Max(5)])).toEqual(listed);
    expect(listProperty([cv.Min(1), cv.Max(5), cv.IsInt()])).toEqual(listed);
  });

  it('of a kind that comes twice holds twice (MOD-07)', () => {
    expect(listProperty([cv.Contains('a'), cv.Contains('b')])).toEqual({
      type: 'string',
      pattern: 'a',
      allOf: [{ pattern: 'b' }],
    });
  });

  it('adds a limit that another leaves open (MOD-07)', () => {
    expect(listProperty([cv.Length(2), cv.MaxLength(5)])).toEqual({
      type: 'string',
      minLength: 2,
      maxLength: 5,
    });
  });

  it('with "each" is about the items (MOD-07)', () => {
    const each = { each: true };
    expect(listProperty([cv.IsString(each), cv.MaxLength(5, each), cv.ArrayMaxSize(3)])).toEqual({
      type: 'array',
      items: { type: 'string', maxLength: 5 },
      maxItems: 3,
    });
  });

  it.each([
    ['a text', String, { type: 'string', minLength: 1 }],
    ['a number', Number, { type: 'number' }],
    ['a list', Array, { type: 'array' }],
    ['a class', Date, {}],
    ['nothing known', undefined, {}],
  ])('leaves the type to TypeScript where it checks none: %s (MOD-07)', (_, designType, keywords) => {
    expect(listProperty([cv.IsNotEmpty()], designType)).toEqual(keywords);
  });

  it('does not have its values typed over (MOD-07)', () => {
    expect(listProperty([cv.Equals(5)], String)).toEqual({ const: 5 });
    expect(listProperty([cv.IsIn([1, 'a'])], Object)).toEqual({ enum: [1, 'a'] });
  });
});
