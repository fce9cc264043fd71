import { describe, expect, it } from '@jest/globals';
import { compileSchema } from '../../../../lib/server/schema/compile-schema.js';
import { issuesOf, valueOf } from './issues-of.js';
import { findSchemaFaults, isValidFor } from './json-schema-oracle.js';
import { TICKET_SOURCES } from './ticket-sources.js';

const TICKET = {
  title: 'Printer on fire',
  kind: 'idea',
  priority: 5,
  reporter: { email: 'ann@example.com' },
};

describe.each(TICKET_SOURCES)('An input schema from $name', ({ source, transforms, listsDefaults }) => {
  const schema = compileSchema(source, 'input');
  const { jsonSchema } = schema;

  it('is listed as JSON Schema 2020-12 with an object at its root (MOD-07)', () => {
    expect(findSchemaFaults(jsonSchema)).toBe('');
    expect(jsonSchema).toMatchObject({
      type: 'object',
      additionalProperties: false,
      properties: { title: { type: 'string', minLength: 1, maxLength: 80 } },
    });
    expect((jsonSchema['required'] as string[]).toSorted()).toEqual(['reporter', 'title']);
  });

  it('is listed as frozen plain JSON (MOD-07)', () => {
    expect(JSON.parse(JSON.stringify(jsonSchema))).toEqual(jsonSchema);
    expect(Object.isFrozen(jsonSchema)).toBe(true);
    expect(Object.isFrozen((jsonSchema['properties'] as Record<string, object>)['title'])).toBe(true);
  });

  it('lists limits, enumerations and formats (MOD-07)', () => {
    const { kind, priority } = jsonSchema['properties'] as Record<string, object>;
    expect(kind).toMatchObject({ enum: ['bug', 'idea'] });
    expect('default' in kind!).toBe(listsDefaults);
    expect(priority).toMatchObject({ type: 'integer', minimum: 1, maximum: 5 });
    expect(JSON.stringify(jsonSchema)).toContain('"format":"email"');
  });

  it('accepts what the list allows (MOD-07)', async () => {
    expect(isValidFor(jsonSchema, TICKET)).toBe(true);
    expect(await valueOf(schema, TICKET)).toEqual(TICKET);
  });

  it('fills in defaults and leaves the given value as it is (MOD-07)', async () => {
    const given = Object.freeze({ title: 'x', reporter: Object.freeze({ email: 'a@example.com' }) });
    expect(await valueOf(schema, given)).toEqual({ ...given, kind: 'bug' });
    expect(given).toEqual({ title: 'x', reporter: { email: 'a@example.com' } });
  });

  it('hands on what transforms make of a value (MOD-07)', async () => {
    const value = await valueOf(schema, { ...TICKET, label: 'urgent' });
    expect(value).toMatchObject({ label: transforms ? 'URGENT' : 'urgent' });
  });

  it.each([
    ['a missing member', { ...TICKET, title: undefined }, /^title: .*(?:missing|received undefined)/],
    ['a wrong type', { ...TICKET, title: 5 }, /^title: .*string.*(?:5|number)/],
    ['a text that is too short', { ...TICKET, title: '' }, /^title: .*(?:1|empty)/],
    ['a text that is too long', { ...TICKET, title: 'x'.repeat(81) }, /^title: .*80/],
    ['a number that is too great', { ...TICKET, priority: 6 }, /^priority: .*5/],
    ['a fraction', { ...TICKET, priority: 1.5 }, /^priority: .*int/],
    ['a value that is not enumerated', { ...TICKET, kind: 'fax' }, /^kind: .*bug.*idea.*"fax"/],
    ['a nested wrong format', { ...TICKET, reporter: { email: 'ann' } }, /^reporter\.email: .*email.*"ann"/],
    [
      'a nested wrong item',
      { ...TICKET, reporter: { email: 'a@example.com', phones: ['1', 2] } },
      /^reporter\.phones(?:\.1)?: .*string/,
    ],
    ['a nested missing member', { ...TICKET, reporter: { phones: [] } }, /^reporter\.email: /],
    ['no object where one is nested', { ...TICKET, reporter: 'ann' }, /^reporter: .*(?:ann|string)/],
    ['an array where an object is nested', { ...TICKET, reporter: [] }, /^reporter/],
  ])('refuses %s and names it (MOD-07)', async (_, value, text) => {
    const given = JSON.parse(JSON.stringify(value)) as unknown;
    expect(isValidFor(jsonSchema, given)).toBe(false);
    expect(await issuesOf(schema, given)).toMatch(text);
  });

  it('names the closest known name for one it does not know (MOD-07)', async () => {
    const text = await issuesOf(schema, { ...TICKET, priorty: 5 });
    expect(text).toMatch(/priorty.* is not a known name, did you mean "priority"\?/);
    const nested = await issuesOf(schema, { ...TICKET, reporter: { email: 'a@example.com', phoness: [] } });
    expect(nested).toMatch(/reporter.*phoness.* is not a known name, did you mean "phones"\?/);
  });

  it.each([
    ['null', null],
    ['an array', []],
    ['a text', 'x'],
    ['a number', 5],
  ])('refuses %s for the arguments (MOD-07)', async (_, value) => {
    expect(await issuesOf(schema, value)).toMatch(/^expected object, received /);
  });

  it('takes absent arguments for an empty object (MOD-07)', async () => {
    const text = await issuesOf(schema, undefined);
    expect(text).toMatch(/^title: /m);
    expect(text).toMatch(/^reporter: /m);
  });

  it('reports every issue of a value (MOD-07)', async () => {
    const text = await issuesOf(schema, { title: 5, kind: 'fax', priority: 9, reporter: { email: 'ann' } });
    for (const path of ['title', 'kind', 'priority', 'reporter.email']) expect(text).toContain(`${path}: `);
  });

  it('never echoes a long value (MOD-07)', async () => {
    const long = 'y'.repeat(5_000);
    const text = await issuesOf(schema, { title: [long], kind: long, [long]: 1, reporter: { email: long } });
    expect(text).not.toContain('y'.repeat(301));
    expect(text.length).toBeLessThan(2_500);
  });

  it('lets no member reach a prototype (MOD-07)', async () => {
    const given = JSON.parse(
      '{ "title": "x", "reporter": { "email": "a@example.com" }, "__proto__": { "polluted": true } }',
    ) as unknown;
    const outcome = await schema.validate(given);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    const value = outcome.valid ? (outcome.value as Record<string, unknown>) : {};
    expect(value['polluted']).toBeUndefined();
  });

  it('refuses names that every object inherits (MOD-07)', async () => {
    for (const inherited of ['constructor', 'hasOwnProperty', 'toString']) {
      expect(await issuesOf(schema, { ...TICKET, [inherited]: 'x' })).toContain(inherited);
    }
  });
});

describe.each(TICKET_SOURCES.filter(({ transforms, name }) => !transforms || name === 'a DTO class'))(
  'An output schema from $name',
  ({ source }) => {
    it('accepts and refuses structured content (MOD-08)', async () => {
      const schema = compileSchema(source, 'output');
      expect(findSchemaFaults(schema.jsonSchema)).toBe('');
      expect(await valueOf(schema, TICKET)).toEqual(TICKET);
      expect(await issuesOf(schema, { ...TICKET, reporter: {} })).toMatch(/^reporter/);
    });
  },
);
