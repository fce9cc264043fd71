import { describe, expect, it } from '@jest/globals';
import { createListedSchema } from '../../../../lib/gateway/entries/listed-schema.js';
import { compileSchema } from '../../../../lib/server/schema/compile-schema.js';

const compile = (schema: { readonly [keyword: string]: unknown }) =>
  compileSchema(createListedSchema(schema), 'input');

describe('The compiled schema of another server', () => {
  const given = { type: 'object', properties: { any: true, a: { $ref: '#/$defs/a' } }, $defs: { a: {} } };

  it('has the original beside the listed form (GATE-01)', () => {
    const { jsonSchema, original } = compile(given);
    expect(original).toEqual(given);
    expect(jsonSchema).toEqual({ type: 'object', properties: { any: {}, a: {} } });
  });

  it.each([
    [undefined, true],
    ['https://json-schema.org/draft/2020-12/schema', true],
    ['https://json-schema.org/draft/2020-12/schema#', true],
    ['http://json-schema.org/draft-07/schema#', false],
    ['https://example.com/dialect', false],
    [7, false],
  ])('has no original of another dialect than that of the protocol: %j (GATE-01)', ($schema, hasOriginal) => {
    const { original } = compile({ ...given, ...($schema !== undefined && { $schema }) });
    expect(original !== undefined).toBe(hasOriginal);
  });

  it('accepts anything that is an object, because the other server validates (GATE-01)', async () => {
    const { validate } = compile({
      type: 'object',
      properties: { a: { type: 'string', pattern: '^(a+)+$' } },
    });
    expect(await validate({ a: 7 })).toEqual({ valid: true, value: { a: 7 } });
    expect(await validate(undefined)).toEqual({ valid: true, value: {} });
    expect(await validate([])).toMatchObject({ valid: false });
  });

  it('must be of an object (GATE-01)', () => {
    expect(() => compile({ type: 'array' })).toThrow('object');
  });
});
