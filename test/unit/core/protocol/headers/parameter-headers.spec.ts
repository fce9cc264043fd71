import { describe, expect, it } from '@jest/globals';
import {
  checkParameterHeaders,
  findParameterHeaders,
  ParameterHeaderError,
} from '../../../../../lib/core/protocol/headers/parameter-headers.js';

const annotated = (name: unknown = 'Region', type: unknown = 'string') => ({ type, 'x-mcp-header': name });
const withProperty = (schema: object) => ({ type: 'object', properties: { region: schema } });

describe('findParameterHeaders (MCP 2026-07-28, "Schema Extension")', () => {
  it('finds every annotated property in the order of the schema, at any depth (VER-04)', () => {
    const schema = {
      type: 'object',
      properties: {
        region: annotated(),
        query: { type: 'string' },
        job: {
          type: 'object',
          properties: {
            priority: annotated('Job-Priority', 'integer'),
            'dry.run': annotated('dry', 'boolean'),
          },
        },
      },
      required: ['region'],
    };
    expect(findParameterHeaders(schema)).toEqual([
      { header: 'mcp-param-region', path: ['region'], type: 'string' },
      { header: 'mcp-param-job-priority', path: ['job', 'priority'], type: 'integer' },
      { header: 'mcp-param-dry', path: ['job', 'dry.run'], type: 'boolean' },
    ]);
  });

  it('finds none in a schema without annotations (VER-04)', () => {
    expect(findParameterHeaders({ type: 'object' })).toEqual([]);
    expect(findParameterHeaders({ properties: { a: true, b: { items: [{}, true], not: null } } })).toEqual(
      [],
    );
  });

  it('does not take a property of that name, or a value that looks like a schema, for an annotation (VER-04)', () => {
    const schema = {
      properties: {
        'x-mcp-header': { type: 'string', default: annotated(), examples: [annotated()] },
        properties: { type: 'object', properties: { deep: annotated() } },
        items: annotated('Items'),
        kind: { const: annotated(), enum: [annotated()] },
      },
      $defs: { 'x-mcp-header': { type: 'string' } },
    };
    expect(findParameterHeaders(schema).map(({ path }) => path.join('.'))).toEqual([
      'properties.deep',
      'items',
    ]);
  });

  it.each(['!', "#$%&'*+-.^_`|~", 'A1', 'x'.repeat(200)])(
    'takes the token %j for a name (VER-04)',
    (name) => {
      const [found] = findParameterHeaders(withProperty(annotated(name)));
      expect(found?.header).toBe(`mcp-param-${name.toLowerCase()}`);
    },
  );

  it.each([
    '',
    'My Region',
    'My:Region',
    'Région',
    'a\r\nb',
    'a\n',
    'a\u0007',
    'a/b',
    '(a)',
    7,
    null,
    true,
    ['Region'],
  ])('refuses %j for a name (VER-04)', (name) => {
    expect(() => findParameterHeaders(withProperty(annotated(name)))).toThrow(/is not a header name/);
  });

  it.each(['number', 'object', 'array', 'null', undefined, ['string', 'null'], ['string'], 'String'])(
    'refuses the type %j (VER-04)',
    (type) => {
      expect(() => findParameterHeaders(withProperty({ ...annotated(), type }))).toThrow(
        /at "properties.region" .* type to "string", "integer" or "boolean"/,
      );
    },
  );

  it.each(['Region', 'REGION', 'region'])('refuses "Region" and then %j (VER-04)', (name) => {
    const schema = { properties: { a: annotated('Region'), b: { properties: { c: annotated(name) } } } };
    expect(() => findParameterHeaders(schema)).toThrow(/at "properties.b.properties.c" is used twice/);
  });

  const isMisplaced = (schema: object) => {
    try {
      findParameterHeaders(schema);
      return false;
    } catch (error) {
      return error instanceof ParameterHeaderError && error.message.includes('through "properties" only');
    }
  };

  it('refuses an annotation of the root (VER-04)', () => {
    expect(isMisplaced({ ...annotated(), properties: {} })).toBe(true);
  });

  const SINGLE = 'items contains additionalProperties propertyNames unevaluatedProperties not if then else';

  it.each(SINGLE.split(' '))('refuses an annotation under "%s" (VER-04)', (keyword) => {
    expect(isMisplaced({ [keyword]: annotated() })).toBe(true);
    expect(isMisplaced(withProperty({ [keyword]: withProperty(annotated()) }))).toBe(true);
  });

  it.each(['prefixItems', 'items', 'oneOf', 'anyOf', 'allOf'])(
    'refuses an annotation in the list of "%s" (VER-04)',
    (keyword) => {
      expect(isMisplaced({ [keyword]: [{ type: 'null' }, annotated()] })).toBe(true);
      expect(isMisplaced(withProperty({ [keyword]: [withProperty(annotated())] }))).toBe(true);
    },
  );

  it.each(['patternProperties', 'dependentSchemas', 'dependencies', '$defs', 'definitions', 'x-shared'])(
    'refuses an annotation in the map of "%s", whatever its name there (VER-04)',
    (keyword) => {
      expect(isMisplaced({ [keyword]: { place: annotated() } })).toBe(true);
      expect(isMisplaced(withProperty({ [keyword]: { properties: withProperty(annotated()) } }))).toBe(true);
    },
  );

  it.each(['properties', 'patternProperties', 'dependentSchemas', 'dependencies', '$defs', 'definitions'])(
    'sees the names in "%s" as names, not as keywords (VER-04)',
    (keyword) => {
      expect(isMisplaced({ [keyword]: { const: { items: annotated() } } })).toBe(true);
      expect(findParameterHeaders({ [keyword]: { 'x-mcp-header': { type: 'string' } } })).toEqual([]);
    },
  );
});

describe('checkParameterHeaders (MCP 2026-07-28, "Server Behavior for Custom Headers")', () => {
  const headers = findParameterHeaders({
    properties: {
      region: annotated('Region'),
      count: annotated('Count', 'integer'),
      flags: { properties: { dry: annotated('Dry', 'boolean') } },
    },
  });
  const check = (sent: Record<string, string | string[] | undefined>, args: unknown) =>
    checkParameterHeaders(headers, sent, args);

  it.each([
    ['neither', {}, undefined],
    ['neither of them', {}, {}],
    ['null without a header', {}, { region: null, count: null, flags: null }],
    ['equal strings', { 'mcp-param-region': ' eu ' }, { region: 'eu' }],
    ['an encoded string', { 'mcp-param-region': '=?base64?w6k=?=' }, { region: 'é' }],
    ['an empty string', { 'mcp-param-region': '' }, { region: '' }],
    ['a number written otherwise', { 'mcp-param-count': '42.0' }, { count: 42 }],
    ['a nested boolean', { 'mcp-param-dry': 'false' }, { flags: { dry: false } }],
    ['a header of another parameter', { 'mcp-param-other': 'x' }, { other: 'y' }],
    ['a value of the wrong kind that was mirrored', { 'mcp-param-region': '7' }, { region: 7 }],
    ['an object that no header can carry', {}, { region: { name: 'eu' }, flags: [true] }],
    ['a header in a list of one', { 'mcp-param-region': ['eu'] }, { region: 'eu' }],
  ])('has nothing against %s (VER-04)', (_case, sent, args) => {
    expect(check(sent, args)).toBeUndefined();
  });

  it.each([
    [
      'a value without its header',
      {},
      { region: 'eu' },
      /"mcp-param-region" is missing: .* argument "region"$/,
    ],
    ['an empty value without its header', {}, { region: '' }, /is missing/],
    [
      'false without its header',
      {},
      { flags: { dry: false } },
      /"mcp-param-dry" is missing: .* "flags\.dry"$/,
    ],
    ['zero without its header', {}, { count: 0 }, /is missing/],
    ['an unsafe number without its header', {}, { count: 2 ** 60 }, /is missing/],
    ['a header without arguments', { 'mcp-param-region': 'eu' }, undefined, /was sent without a value/],
    ['a header without a value', { 'mcp-param-region': 'eu' }, { count: null }, /was sent without a value/],
    ['a header for null', { 'mcp-param-region': 'null' }, { region: null }, /was sent without a value/],
    ['an empty header without a value', { 'mcp-param-region': '' }, {}, /was sent without a value/],
    [
      'a header for what is inherited',
      { 'mcp-param-region': 'eu' },
      Object.create({ region: 'eu' }),
      /without a value/,
    ],
    [
      'a header for an object',
      { 'mcp-param-region': '[object Object]' },
      { region: {} },
      /an array or an object/,
    ],
    ['another string', { 'mcp-param-region': 'us' }, { region: 'eu' }, /has a different value from/],
    ['another case', { 'mcp-param-region': 'EU' }, { region: 'eu' }, /has a different value from/],
    ['another number', { 'mcp-param-count': '43' }, { count: 42 }, /has a different value from/],
    ['another boolean', { 'mcp-param-dry': 'true' }, { flags: { dry: false } }, /has a different value from/],
    [
      'base64 without padding',
      { 'mcp-param-region': '=?base64?SGVsbG8?=' },
      { region: 'Hello' },
      /is not encoded/,
    ],
    [
      'base64 of other characters',
      { 'mcp-param-region': '=?base64?SGVs!!!bG8=?=' },
      { region: 'Hello' },
      /is not encoded/,
    ],
    [
      'a header that came twice',
      { 'mcp-param-region': ['eu', 'eu'] },
      { region: 'eu' },
      /sent more than once/,
    ],
    [
      'an empty list of headers',
      { 'mcp-param-region': [] },
      { region: 'eu' },
      /sent more than once|is missing/,
    ],
  ])('names %s (VER-04)', (_case, sent, args, sentence) => {
    expect(check(sent, args)).toMatch(sentence);
  });

  it('gives the first disagreement, in one sentence that repeats no value (VER-04)', () => {
    const sentence = check(
      { 'mcp-param-region': 'secret', 'mcp-param-count': '1' },
      { region: 'hidden', count: 2 },
    );
    expect(sentence).toBe('The header "mcp-param-region" has a different value from the argument "region"');
  });
});
