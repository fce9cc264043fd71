import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { buildPromptArguments } from '../../../../../lib/server/catalog/building/build-prompt-arguments.js';
import type { JsonSchema } from '../../../../../lib/server/settings/schema-source.interface.js';

const build = (properties: JsonSchema, required: readonly string[] = []) =>
  buildPromptArguments({ type: 'object', properties, required });

describe('The arguments of a prompt by JSON Schema', () => {
  it.each([
    ['number', '"number"'],
    ['integer', '"integer"'],
    ['boolean', '"boolean"'],
    ['array', '"array"'],
    ['object', '"object"'],
    ['null', '"null"'],
    [['integer', 'null'], '"integer" or "null"'],
  ])('are refused where one is %j, which no string ever is (MOD-07) (MOD-11)', (type, shown) => {
    expect(() => build({ city: { type: 'string' }, days: { type } })).toThrow(
      `The option "arguments" defines "days" as ${shown}, but clients send prompt arguments as strings: ` +
        'use "string" and parse the value in the handler, or use a schema that converts it, such as "z.coerce.number()"',
    );
  });

  it('are refused where nobody has to give the one, as nobody could (MOD-11)', () => {
    expect(() => build({ days: { type: 'integer', default: 3 } })).toThrow(/"days"/);
    expect(() => build({ days: { type: 'integer' } }, ['days'])).toThrow(/"days"/);
  });

  it.each<[string, unknown]>([
    ['a string', { type: 'string', pattern: '^[0-9]+$' }],
    ['a string among others', { type: ['integer', 'string'] }],
    ['one of some values', { enum: ['1', '2'] }],
    ['what another place says', { $ref: '#/$defs/days' }],
    ['anything', {}],
    ['anything, as a boolean says', true],
    ['never there, as a boolean says', false],
  ])('are taken where one is %s (MOD-07)', (_, days) => {
    const $defs = { days: { type: 'string' } };
    const given = buildPromptArguments({ type: 'object', $defs, properties: { days } });
    expect(given.arguments).toEqual([{ name: 'days', required: false }]);
  });
});

describe('The arguments of a prompt by another schema', () => {
  it('are not judged by their JSON Schema: it may convert strings (MOD-07)', async () => {
    const { input } = buildPromptArguments(z.object({ days: z.coerce.number(), late: z.stringbool() }));
    expect(await input?.validate({ days: '3', late: 'yes' })).toEqual({
      valid: true,
      value: { days: 3, late: true },
    });
  });
});
