import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { countValues } from '../../../../lib/core/protocol/measured-json.js';

const WIDE = { values: 1_000_000, depth: 1000 };
const count = (json: string, bounds = WIDE): number => countValues(Buffer.from(json), bounds);

/** Counts as the bound is documented: a value once, an object or an array twice, a container that is empty as one that is not. */
function countParsed(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  const members = Object.values(value);
  return members.reduce((sum: number, member) => sum + countParsed(member), members.length === 0 ? 2 : 1);
}

describe('countValues', () => {
  it.each([
    ['1', 1],
    ['{}', 2],
    ['[1,2,3]', 4],
    [String.raw`["a,b[{\"",2]`, 3],
    [String.raw`["\\",2]`, 3],
    [`["${'x'.repeat(200)}\\",",2]`, 3],
    [`["${'\\\\'.repeat(200)}",2]`, 3],
    [`["${'\\"'.repeat(200)}",2]`, 3],
    ['["é,世,😀",2]', 3],
  ])('counts %j as %d (FAIR-02)', (json, values) => {
    expect(count(json)).toBe(values);
  });

  it('never counts less than there is, however it is written (FAIR-02)', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1), (value, indent) => {
        const counted = count(JSON.stringify(value, null, indent));
        expect(counted).toBeGreaterThanOrEqual(countParsed(value) - 1);
        expect(counted).toBeLessThanOrEqual(2 * countParsed(value));
      }),
    );
  });

  it('refuses more values than there may be, with what to do (FAIR-02)', () => {
    const bounds = { values: 3, depth: 9 };
    expect(count('[1,2]', bounds)).toBe(3);
    expect(() => count('[1,2,3]', bounds)).toThrow(
      expect.objectContaining({ httpStatus: 413, message: expect.stringContaining('limits.bodyValues') }),
    );
  });

  it('refuses what is nested too deeply, closed or not (FAIR-02)', () => {
    const bounds = { values: 99, depth: 3 };
    expect(count('[[[1]],[[{}]]]'.replace('{}', '1'), bounds)).toBeGreaterThan(0);
    for (const json of ['[[[[', '[[[{}]]]', '{"a":{"a":{"a":{}}}}'])
      expect(() => count(json, bounds)).toThrow(expect.objectContaining({ httpStatus: 400 }));
  });
});
