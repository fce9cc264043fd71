import { describe, expect, it } from '@jest/globals';
import { buildDateReader } from '../../../../lib/server/schema/date-reader.js';
import { DATE_TEXT, MARK } from '../../../../lib/server/schema/listing/shown-marks.js';

const AT = '2026-01-31T09:30:00.000Z';
const DATE = { ...DATE_TEXT, [MARK]: 'date' };

describe('buildDateReader', () => {
  it('gives nothing for a schema without dates (CAT-04)', () => {
    expect(buildDateReader({ type: 'object', properties: { a: DATE_TEXT } })).toBeUndefined();
  });

  it('copies what it changes and nothing else (CAT-04)', () => {
    const read = buildDateReader({ properties: { a: { properties: { at: DATE } }, b: {} } });
    const value = { a: { at: AT }, b: { at: AT } };
    const copy = read?.(value) as typeof value;
    expect(copy).toEqual({ a: { at: new Date(AT) }, b: { at: AT } });
    expect(copy.b).toBe(value.b);
    expect(value).toEqual({ a: { at: AT }, b: { at: AT } });
    const untouched = { a: { at: 'no date' } };
    expect(read?.(untouched)).toBe(untouched);
  });

  it('finds members by pattern (CAT-04)', () => {
    const read = buildDateReader({
      patternProperties: { '^at': DATE },
      additionalProperties: { type: 'string' },
    });
    expect(read?.({ atNoon: AT, other: AT })).toEqual({ atNoon: new Date(AT), other: AT });
  });

  it('is not kept busy by alternatives that come back to each other (CAT-04)', () => {
    const both = { anyOf: [{ $ref: '#/$defs/left' }, { $ref: '#/$defs/right' }] };
    const node = { properties: { next: both, at: DATE } };
    const read = buildDateReader({ ...both, $defs: { left: node, right: { ...node } } });
    let deep: object = { at: AT };
    for (let depth = 0; depth < 500; depth += 1) deep = { next: deep };
    expect(JSON.stringify(read?.(deep))).toBe(JSON.stringify(deep));
    const circle = { anyOf: [{ $ref: '#/$defs/circle' }, DATE] };
    expect(buildDateReader({ ...circle, $defs: { circle } })?.(AT)).toEqual(new Date(AT));
  });
});
