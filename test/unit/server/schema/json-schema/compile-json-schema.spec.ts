import { describe, expect, it } from '@jest/globals';
import { compileSchema } from '../../../../../lib/server/schema/compile-schema.js';
import type { JsonSchema } from '../../../../../lib/server/schema/compiled-schema.interface.js';
import { SchemaError } from '../../../../../lib/server/schema/schema.error.js';
import { issuesOf, valueOf } from '../issues-of.js';

const CONTACT = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $comment: 'kept',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string', 'x-mcp-header': 'Name' },
    address: { $ref: '#/$defs/address' },
    home: { $ref: '#addressDef' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
  'x-vendor': { nested: [1, null, true] },
  id: 'not an identity here',
};

describe('A JSON Schema object', () => {
  it('is listed verbatim, keyword by keyword, in its order (MOD-07)', () => {
    const { jsonSchema } = compileSchema(CONTACT, 'input');
    expect(JSON.stringify(jsonSchema)).toBe(JSON.stringify(CONTACT));
  });

  it('is validated by all its keywords (MOD-07)', async () => {
    const schema = compileSchema(CONTACT, 'input');
    expect(await valueOf(schema, { contactMethod: 'phone', phone: '1' })).toBeDefined();
    expect(await issuesOf(schema, { contactMethod: 'phone', email: 'a' })).toBe(
      'phone: is required but missing',
    );
    expect(await issuesOf(schema, { email: 'a', home: { street: 5 } })).toMatch(/^home\.street: /);
    expect(await issuesOf(schema, { email: 'a', address: { city: 5 } })).toMatch(/^address\.city: /);
  });

  it('cannot be changed through the object it came from (MOD-07)', async () => {
    const source = { type: 'object', properties: { a: { type: 'string' } } };
    const schema = compileSchema(source, 'input');
    source.properties.a.type = 'number';
    expect(schema.jsonSchema).toEqual({ type: 'object', properties: { a: { type: 'string' } } });
    expect(await issuesOf(schema, { a: 1 })).not.toBe('');
  });

  it.each([
    ['no "$schema"', undefined, true],
    ['draft 2020-12', 'https://json-schema.org/draft/2020-12/schema', true],
    ['draft 2020-12 with an empty fragment', 'https://json-schema.org/draft/2020-12/schema#', true],
    ['draft 7', 'http://json-schema.org/draft-07/schema#', false],
  ])('is read as its dialect says for %s (MOD-07)', async (_, $schema, knowsPrefixItems) => {
    const source = { $schema, type: 'object', properties: { pair: { prefixItems: [{ type: 'string' }] } } };
    const schema = compileSchema(source, 'input');
    expect((await issuesOf(schema, { pair: [1] })) !== '').toBe(knowsPrefixItems);
  });

  it('is read with lists of items in draft 7 (MOD-07)', async () => {
    const $schema = 'http://json-schema.org/draft-07/schema#';
    const pair = { type: 'array', items: [{ type: 'string' }], additionalItems: false };
    const schema = compileSchema({ $schema, type: 'object', properties: { pair } }, 'input');
    expect(await issuesOf(schema, { pair: [1] })).toMatch(/^pair\.0: expected string/);
  });

  it.each(['http://json-schema.org/draft-04/schema#', 'https://json-schema.org/draft/2019-09/schema', 5])(
    'is refused in the dialect %s (MOD-07)',
    ($schema) => {
      const compile = () => compileSchema({ $schema, type: 'object' }, 'input');
      expect(compile).toThrow(
        `The input schema declares the dialect ${JSON.stringify($schema)} in "$schema": use`,
      );
    },
  );

  it.each([
    ['no type', { properties: {} }, 'no "type"'],
    ['a union', { anyOf: [{ type: 'object' }] }, 'no "type"'],
    ['several types', { type: ['object', 'null'] }, '"type": ["object","null"]'],
    ['another type', { type: 'array' }, '"type": "array"'],
  ])(
    'is refused for an input with %s at its root, and taken for an output (MOD-07, MOD-08)',
    (_, source, found) => {
      expect(() => compileSchema(source, 'input')).toThrow(
        `The input schema has ${found} at its root, but the protocol requires "type": "object"`,
      );
      expect(compileSchema(source, 'output').jsonSchema).toEqual(source);
    },
  );

  it.each<[string, JsonSchema]>([
    ['an unknown type', { properties: { a: { type: 'text' } } }],
    ['a keyword of a wrong type', { required: 'a' }],
    ['an empty enumeration', { properties: { a: { enum: [] } } }],
    ['a broken pattern', { properties: { a: { pattern: '(' } } }],
    ['a broken pattern of names', { patternProperties: { '[': {} } }],
    ['a broken definition that nothing uses', { $defs: { a: { minLength: -1 } } }],
  ])('is refused at once with %s (MOD-07)', (_, keywords) => {
    const compile = () => compileSchema({ type: 'object', ...keywords }, 'input');
    expect(compile).toThrow(SchemaError);
    expect(compile).toThrow(/^The input schema is not valid JSON Schema: /);
  });

  it.each<[string, JsonSchema, RegExp]>([
    [
      'another draft',
      { $schema: 'https://json-schema.org/draft/2019-09/schema', type: 'object' },
      /"\$schema": use "https:.*arrays in "items" become "prefixItems"/,
    ],
    [
      'a tuple as TypeBox writes it',
      {
        type: 'object',
        properties: { pair: { type: 'array', items: [{ type: 'string' }], additionalItems: false } },
      },
      /^The input schema is not valid JSON Schema: .*"prefixItems" instead, or declare the dialect/,
    ],
    [
      'a reference at its root, as zodToJsonSchema() writes it with a name',
      {
        $ref: '#/definitions/Ticket',
        definitions: { Ticket: { type: 'object' } },
        $schema: 'http://json-schema.org/draft-07/schema#',
      },
      /"type": "object": add it next to "\$ref": "#\/definitions\/Ticket", or pass the definition itself/,
    ],
  ])('is refused with %s in a text that says what to write (HOST-01)', (_, schema, message) => {
    expect(() => compileSchema(schema, 'input')).toThrow(message);
  });

  it('is refused with the keyword "$async", which would accept everything (MOD-07)', () => {
    expect(() => compileSchema({ $async: true, type: 'object' }, 'input')).toThrow('"$async"');
  });

  it('may share its "$id", anchors and definitions with another (MOD-07)', async () => {
    const [first, second] = ['string', 'number'].map((type) =>
      compileSchema(
        {
          $id: 'https://example.com/schemas/ticket',
          type: 'object',
          properties: { a: { $ref: '#same' }, b: { $ref: '#/$defs/same' }, c: { $ref: 'ticket#same' } },
          $defs: { same: { $anchor: 'same', type } },
        },
        'input',
      ),
    );
    expect(await issuesOf(first!, { a: 'x', b: 'x', c: 'x' })).toBe('');
    expect(await issuesOf(second!, { a: 1, b: 1, c: 1 })).toBe('');
    expect(await issuesOf(second!, { a: 'x', b: 'x', c: 'x' })).toMatch(/^a: .*\nb: .*\nc: /);
  });

  it('may have the "$id" that a definition of another has (MOD-07)', async () => {
    const $id = 'https://example.com/schemas/inner';
    const inner = { $id, type: 'object', properties: { b: { type: 'string' } } };
    const outer = compileSchema(
      { type: 'object', properties: { a: { $ref: $id } }, $defs: { inner } },
      'input',
    );
    const other = compileSchema({ $id, type: 'object', properties: { b: { type: 'number' } } }, 'input');
    expect(await issuesOf(outer, { a: { b: 1 } })).toMatch(/^a\.b: expected string/);
    expect(await issuesOf(other, { b: 'x' })).toMatch(/^b: expected number/);
  });

  it('may share anchors and definitions with another without an "$id" (MOD-07)', async () => {
    const [first, second] = ['string', 'number'].map((type) =>
      compileSchema(
        {
          type: 'object',
          properties: { a: { $ref: '#same' }, b: { $ref: '#/$defs/same' }, c: { $ref: '#' } },
          $defs: { same: { $anchor: 'same', type } },
        },
        'input',
      ),
    );
    expect(await issuesOf(first!, { a: 'x', c: { b: 'x' } })).toBe('');
    expect(await issuesOf(second!, { a: 1, c: { b: 1 } })).toBe('');
    expect(await issuesOf(first!, { c: { c: { a: 1 } } })).toMatch(/^c\.c\.a: expected string/);
  });

  it('does not coerce (MOD-07)', async () => {
    const schema = compileSchema({ type: 'object', properties: { a: { type: 'number' } } }, 'input');
    expect(await issuesOf(schema, { a: '5' })).toBe('a: expected number, received string "5"');
    expect(await issuesOf(schema, { a: Number.NaN })).toMatch(/^a: expected number/);
  });

  it('sees own members alone (MOD-07)', async () => {
    const source = {
      type: 'object',
      properties: { constructor: { type: 'string' } },
      required: ['toString'],
    };
    const schema = compileSchema(source, 'input');
    expect(await issuesOf(schema, {})).toBe('toString: is required but missing');
    expect(await issuesOf(schema, { toString: 1 })).toBe('');
  });
});

describe('The defaults of a JSON Schema', () => {
  const source = {
    type: 'object',
    properties: { tags: { type: 'array', default: ['a'] }, at: { properties: { x: { default: 1 } } } },
  };

  it('are filled into a copy, which no other call sees (MOD-07)', async () => {
    const schema = compileSchema(source, 'input');
    const given = { at: {} };
    const first = (await valueOf(schema, given)) as { tags: string[] };
    expect(first).toEqual({ tags: ['a'], at: { x: 1 } });
    expect(given).toEqual({ at: {} });
    first.tags.push('leaked');
    expect(await valueOf(schema, given)).toEqual({ tags: ['a'], at: { x: 1 } });
    expect(schema.jsonSchema).toEqual(source);
  });

  it('are not filled into a refused value (MOD-07)', async () => {
    const schema = compileSchema({ ...source, required: ['name'] }, 'input');
    const given = { at: {} };
    expect(await issuesOf(schema, given)).toBe('name: is required but missing');
    expect(given).toEqual({ at: {} });
  });

  it('are not filled into a result (MOD-08)', async () => {
    const result = { at: {} };
    expect(await valueOf(compileSchema(source, 'output'), result)).toBe(result);
    expect(result).toEqual({ at: {} });
  });

  it('cost no copy where there are none (MOD-07)', async () => {
    const given = { a: {} };
    expect(await valueOf(compileSchema({ type: 'object' }, 'input'), given)).toBe(given);
  });
});

describe('A result that JSON tells otherwise', () => {
  const source = {
    type: 'object',
    properties: {
      items: {
        type: 'array',
        items: { type: 'object', properties: { id: { type: 'string' } }, additionalProperties: false },
      },
      at: { type: 'string', format: 'date-time' },
      price: { type: 'string' },
    },
    additionalProperties: false,
  };
  const schema = compileSchema(source, 'output');
  const record = { _id: 1, toJSON: () => ({ id: '1' }) };

  it.each([
    ['records', { items: [record] }, { items: [{ id: '1' }] }],
    ['dates', { at: new Date(0) }, { at: '1970-01-01T00:00:00.000Z' }],
    ['values of a class', { price: { cents: 5, toJSON: () => '0.05' } }, { price: '0.05' }],
    ['undefined members', { price: '1', rest: undefined }, { price: '1' }],
  ])('is checked and given as JSON tells it, with %s (MOD-08)', async (_, result, told) => {
    expect(await valueOf(schema, result)).toStrictEqual(told);
  });

  it('is refused for what JSON tells (MOD-08)', async () => {
    expect(await issuesOf(schema, { items: [{ toJSON: () => ({ id: 1 }) }], price: new Date(0) })).toBe(
      'items.0.id: expected string, received number 1',
    );
  });

  it('is refused for what it is where JSON has nothing for it (MOD-08)', async () => {
    const cycle: Record<string, unknown> = { price: 1 };
    cycle['items'] = [cycle];
    expect(await issuesOf(schema, cycle)).toContain('items.0.price: is not a known name');
    expect(await issuesOf(schema, { price: 1n })).toBe('price: expected string, received bigint');
    const fails = () => {
      throw new Error('no JSON');
    };
    expect(await issuesOf(schema, { price: { toJSON: fails } })).toBe(
      'price: expected string, received object',
    );
  });

  it('is given as it is where it fits as it is (MOD-08)', async () => {
    const result = { items: [{ id: '1' }] };
    expect(await valueOf(schema, result)).toBe(result);
  });

  it('does not come from a client, whose arguments are JSON (MOD-07)', async () => {
    expect(await issuesOf(compileSchema(source, 'input'), { at: new Date(0) })).toContain('at: ');
  });
});
