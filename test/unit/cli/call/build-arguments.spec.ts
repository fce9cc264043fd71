import { describe, expect, it } from '@jest/globals';
import { buildArguments } from '../../../../cli/call/build-arguments.js';

const Table = {
  type: 'object',
  properties: {
    day: { type: 'string', format: 'date' },
    people: { type: 'integer', minimum: 1 },
    price: { type: 'number' },
    terrace: { type: 'boolean' },
    area: { enum: ['inside', 'terrace', 3, null] },
    kind: { const: 'table' },
    diets: { type: 'array', items: { type: 'string' } },
    tables: { type: 'array', items: { type: 'integer' } },
    guest: { type: 'object', properties: { name: { type: 'string' } } },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    limit: { type: ['integer', 'string'] },
    host: { $ref: '#/$defs/Host' },
    loop: { $ref: '#/$defs/Loop' },
    size: { allOf: [{ type: 'integer' }, { minimum: 1 }] },
    any: {},
  },
  required: ['day'],
  additionalProperties: false,
  $defs: { Host: { type: 'integer' }, Loop: { $ref: '#/$defs/Loop' } },
};

function build(...given: readonly string[]) {
  const texts = new Map<string, string[]>([['day', ['2026-11-22']]]);
  for (const one of given) {
    const [name = '', value = ''] = one.split(/=(.*)/s);
    texts.set(name, [...(texts.get(name) ?? []), value]);
  }
  const { day: _day, ...rest } = buildArguments({ texts, json: {} }, Table);
  return rest;
}

describe('buildArguments (tools/call)', () => {
  it.each<[string, unknown]>([
    ['people=4', { people: 4 }],
    ['people=-4', { people: -4 }],
    ['people=4.0', { people: 4 }],
    ['price=1.5e2', { price: 150 }],
    ['terrace=true', { terrace: true }],
    ['terrace=false', { terrace: false }],
    ['area=inside', { area: 'inside' }],
    ['area=3', { area: 3 }],
    ['area=null', { area: null }],
    ['kind=table', { kind: 'table' }],
    ['diets=vegan', { diets: ['vegan'] }],
    ['diets=["vegan","gluten, free"]', { diets: ['vegan', 'gluten, free'] }],
    ['tables=3', { tables: [3] }],
    ['guest={"name":"Ada"}', { guest: { name: 'Ada' } }],
    ['note=null', { note: null }],
    ['note=5', { note: '5' }],
    ['limit=5', { limit: 5 }],
    ['limit=all', { limit: 'all' }],
    ['limit=05', { limit: '05' }],
    ['limit=+5', { limit: '+5' }],
    ['limit=5.0', { limit: '5.0' }],
    ['limit=12345678901234567890', { limit: '12345678901234567890' }],
    ['any=5', { any: 5 }],
    ['any=5.0', { any: '5.0' }],
    ['any=12345678901234567890', { any: '12345678901234567890' }],
    ['people=05', { people: 5 }],
    ['host=7', { host: 7 }],
    ['size=7', { size: 7 }],
    ['loop=x', { loop: 'x' }],
    ['any=[1]', { any: [1] }],
    ['any=text', { any: 'text' }],
    ['note=', { note: '' }],
    ['note=a=b\nc', { note: 'a=b\nc' }],
  ])('makes %j what the schema wants (CLI-20)', (given, expected) => {
    expect(build(given)).toEqual(expected);
  });

  it('makes a list of what is given several times (CLI-20)', () => {
    expect(build('diets=vegan', 'tables=1', 'diets=', 'tables=2')).toEqual({
      diets: ['vegan', ''],
      tables: [1, 2],
    });
  });

  it.each([
    ['people=four', 'The argument "people" must be a whole number'],
    ['people=4.5', 'The argument "people" must be a whole number'],
    ['people=', 'The argument "people" must be a whole number'],
    ['people=0x10', 'The argument "people" must be a whole number'],
    ['price=Infinity', 'The argument "price" must be a number'],
    ['terrace=yes', 'The argument "terrace" must be "true" or "false"'],
    ['terrace=constructor', 'The argument "terrace" must be "true" or "false"'],
    ['area=roof', 'The argument "area" must be one of "inside", "terrace", 3, null'],
    ['tables=one', 'The argument "tables" must be a list in which each item is a whole number'],
    ['guest=Ada', 'The argument "guest" must be a JSON object, such as {"key":"value"}'],
    ['guest=[]', 'The argument "guest" must be a JSON object, such as {"key":"value"}'],
    ['peolpe=4', 'The tool has no argument "peolpe": it has "day", "people", "price", '],
    ['__proto__={}', 'The tool has no argument "__proto__"'],
    ['\u001b[31mred=4', 'The tool has no argument "\u{fffd}[31mred"'],
  ])('refuses %j and names the argument (CLI-20)', (given, message) => {
    expect(() => build(given)).toThrow(message);
  });

  it('refuses a second value where one is wanted (CLI-20)', () => {
    const expected = 'The argument "people" must be a single value, but was passed several times';
    expect(() => build('people=1', 'people=2')).toThrow(expected);
  });

  it('names what is missing (CLI-20)', () => {
    expect(() => buildArguments({ texts: new Map(), json: {} }, Table)).toThrow(
      'The argument "day" is required',
    );
  });

  it('says everything that is wrong, each on its line (CLI-20)', () => {
    const texts = new Map([
      ['people', ['four']],
      ['peolpe', ['4']],
      ['price', ['1', '2']],
    ]);
    expect(() =>
      buildArguments({ texts, json: {} }, { ...Table, required: ['day', 'people', 'area'] }),
    ).toThrow(
      new RegExp(
        [
          '^The argument "people" must be a whole number',
          'The tool has no argument "peolpe": it has .*',
          'The argument "price" must be a single value, but was passed several times',
          'The argument "day" is required',
          'The argument "area" is required$',
        ].join('\n'),
      ),
    );
  });

  it('begins with the object of "--json", whose members stay as they are (CLI-20)', () => {
    const given = { texts: new Map([['people', ['3']]]), json: { day: 'today', people: '2', other: [1] } };
    expect(buildArguments(given, Table)).toEqual({ day: 'today', people: 3, other: [1] });
  });

  it.each([
    [{ type: 'object' }, 5],
    [{ type: 'object', properties: {}, additionalProperties: true }, 5],
    [{ type: 'object', properties: {}, additionalProperties: { type: 'string' } }, '5'],
    [{ anyOf: [{ properties: {} }] }, 5],
  ])('takes any name where the schema %j does (CLI-20)', (schema, expected) => {
    expect(buildArguments({ texts: new Map([['x', ['5']]]), json: {} }, schema)).toEqual({ x: expected });
  });

  it('says so where a tool takes nothing (CLI-20)', () => {
    const given = { texts: new Map([['x', ['5']]]), json: {} };
    expect(() => buildArguments(given, { type: 'object', properties: {} })).toThrow('it has none');
  });

  it('takes what a schema without sense lets through, and in little time (CLI-20)', () => {
    const loop = { anyOf: Array.from({ length: 20 }, () => ({ $ref: '#/properties/loop' })) };
    const schema = { properties: { loop, strayed: { $ref: '#/%E0' } } };
    const texts = new Map([
      ['loop', ['a']],
      ['strayed', ['b']],
    ]);
    expect(buildArguments({ texts, json: {} }, schema)).toEqual({ loop: 'a', strayed: 'b' });
  });

  it('makes what fits of a list that has itself among its items (CLI-20)', () => {
    const tree = { anyOf: [{ type: 'integer' }, { type: 'array', items: { $ref: '#/properties/tree' } }] };
    const texts = new Map([['tree', ['1', '[2,[3]]']]]);
    expect(buildArguments({ texts, json: {} }, { properties: { tree } })).toEqual({ tree: [1, [2, [3]]] });
  });

  it('shows of what a server takes as much as a terminal has room for, and nothing that it obeys (CLI-20)', () => {
    const values = ['\u009b31m', 'x'.repeat(1000), ...Array.from({ length: 1000 }, (_, index) => index)];
    const refuse = () =>
      buildArguments({ texts: new Map([['a', ['b']]]), json: {} }, { properties: { a: { enum: values } } });
    expect(refuse).toThrow(/^The argument "a" must be one of "\u{fffd}31m", "x{79}…, 0, 1, .{1,200}, …$/u);
  });
});
