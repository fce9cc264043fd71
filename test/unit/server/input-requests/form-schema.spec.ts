import { describe, expect, it } from '@jest/globals';
import { FormSchemaError } from '../../../../lib/server/input-requests/errors.js';
import { getFormSchema } from '../../../../lib/server/input-requests/form-schema.js';
import { z } from 'zod';
import type { JsonSchema } from '../../../../lib/server/settings/schema-source.interface.js';

const form = (member: object): JsonSchema => ({ type: 'object', properties: { member } });

function show(member: object): unknown {
  const { properties } = getFormSchema(form(member)).requestedSchema;
  return (properties as { readonly member: unknown }).member;
}

describe('getFormSchema', () => {
  it.each([
    {
      type: 'string',
      title: 'Name',
      description: 'Of the guest',
      minLength: 1,
      maxLength: 9,
      default: 'Ada',
    },
    { type: 'string', format: 'email' },
    { type: 'string', format: 'uri' },
    { type: 'string', format: 'date' },
    { type: 'string', format: 'date-time' },
    { type: 'number', minimum: 0.5, maximum: 2, default: 1 },
    { type: 'integer', minimum: 1 },
    { type: 'boolean', default: false },
    { type: 'string', enum: ['a', 'b'], default: 'a' },
    { type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'] },
    { type: 'string', oneOf: [{ const: 'a', title: 'A' }], default: 'a' },
    { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, minItems: 1, maxItems: 2, default: ['a'] },
    { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } },
  ])('shows %j as it is (REV-01)', (member) => {
    expect(show(member)).toEqual(member);
  });

  it.each([
    [{ enum: ['a', 'b'] }, { type: 'string', enum: ['a', 'b'] }],
    [{ oneOf: [{ const: 'a' }] }, { type: 'string', oneOf: [{ const: 'a', title: 'a' }] }],
    [{ anyOf: [{ const: 'a', title: 'A' }] }, { type: 'string', oneOf: [{ const: 'a', title: 'A' }] }],
    [
      { type: 'array', items: { enum: ['a'] } },
      { type: 'array', items: { type: 'string', enum: ['a'] } },
    ],
    [
      { type: 'array', items: { oneOf: [{ type: 'string', const: 'a' }] } },
      { type: 'array', items: { anyOf: [{ const: 'a', title: 'a' }] } },
    ],
    [{ type: 'string', format: 'uuid' }, { type: 'string' }],
    [{ type: 'boolean', const: true }, { type: 'boolean' }],
    [
      { type: 'string', const: 'a', title: 'A' },
      { type: 'string', enum: ['a'], title: 'A' },
    ],
  ])('shows %j in the way that forms have for it (REV-01)', (member, shown) => {
    expect(show(member)).toEqual(shown);
  });

  it.each([
    {},
    { type: 'null' },
    { type: 'object', properties: {} },
    { type: 'array' },
    { type: 'array', items: { type: 'string' } },
    { type: 'array', items: { enum: [1, 2] } },
    { type: ['string', 'null'] },
    { enum: [1, 2] },
    { enum: ['a', null] },
    { anyOf: [{ type: 'string' }, { type: 'null' }] },
    { const: 1 },
  ])('refuses the member %j, which no form has (REV-01)', (member) => {
    expect(() => getFormSchema(form(member))).toThrow(FormSchemaError);
    expect(() => getFormSchema(form(member))).toThrow('The form field "member" must be a string');
  });

  it.each([
    { type: 'number', enum: [1, 2] },
    { type: 'integer', const: 1 },
  ])('refuses the member %j, of which a form would show more than is accepted (HOST-05)', (member) => {
    expect(() => getFormSchema(form(member))).toThrow(
      'The form field "member" accepts only certain numbers, which forms do not support',
    );
  });

  it.each(['', null])('takes %j for the absence of an optional member (HOST-05)', async (blank) => {
    const { validate } = getFormSchema({
      type: 'object',
      properties: {
        mail: { type: 'string', format: 'email' },
        seats: { type: 'integer' },
        name: { type: 'string', default: 'Ada' },
        sort: { enum: ['', 'a'] },
        must: { type: 'string' },
      },
      required: ['must'],
    });
    const content = { mail: blank, seats: blank, name: blank, must: 'x' };
    expect(await validate(content)).toEqual({ valid: true, value: { must: 'x', name: 'Ada' } });
    expect(await validate({ must: blank })).toMatchObject({ valid: blank === '' });
    expect(await validate({ must: 'x', sort: '' })).toEqual({
      valid: true,
      value: { must: 'x', sort: '', name: 'Ada' },
    });
  });

  it('takes a time with an offset where the schema accepts UTC alone (HOST-05)', async () => {
    const { validate } = getFormSchema(z.object({ at: z.iso.datetime(), note: z.string() }));
    const at = '2026-01-01T00:30:00+01:00';
    const value = { at: '2025-12-31T23:30:00.000Z', note: at };
    expect(await validate({ at, note: at })).toEqual({ valid: true, value });
    expect(await validate({ at: '2026-13-01T00:30:00+01:00', note: '' })).toMatchObject({ valid: false });
  });

  it('shows a schema without members as a form of a button (HOST-05)', () => {
    expect(getFormSchema({ type: 'object' }).requestedSchema).toEqual({ type: 'object', properties: {} });
  });

  it('shows the root bare (REV-01)', () => {
    const source: JsonSchema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      title: 'Booking',
      properties: { date: { type: 'string' } },
      required: ['date'],
      additionalProperties: false,
    };
    const { requestedSchema } = getFormSchema(source);
    expect(requestedSchema).toEqual({
      type: 'object',
      properties: { date: { type: 'string' } },
      required: ['date'],
    });
  });

  it('checks answers by all of the schema, whatever of it is shown (REV-01)', async () => {
    const { validate } = getFormSchema({
      ...form({ type: 'string', format: 'uuid' }),
      additionalProperties: false,
    });
    const id = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
    expect(await validate({ member: id })).toEqual({ valid: true, value: { member: id } });
    expect(await validate({ member: 'no id' })).toMatchObject({ valid: false });
    expect(await validate({ member: id, other: 1 })).toMatchObject({ valid: false });
  });

  it('compiles a schema once (REV-01)', () => {
    const source = form({ type: 'string' });
    expect(getFormSchema(source)).toBe(getFormSchema(source));
  });
});
