import { describe, expect, it } from '@jest/globals';
import {
  countBytes,
  findLastEnd,
  formatValues,
  NO_VALUES,
  parseValues,
  selectLasting,
  withValue,
  type KeptValues,
} from '../../../../lib/server/state/kept-values.js';

const VALUES: KeptValues = new Map([
  ['cart', { json: '{"b":1,"a":[null,"ü"]}', ends: 20 }],
  ['__proto__', { json: '"x"', ends: 10 }],
]);

describe('Kept values', () => {
  it('are the same after they were written and read (XTN-08)', () => {
    expect(parseValues(formatValues(VALUES))).toEqual(VALUES);
    expect(parseValues(formatValues(NO_VALUES))).toEqual(NO_VALUES);
  });

  it('last until they end (XTN-08)', () => {
    expect([...selectLasting(VALUES, 10).keys()]).toEqual(['cart']);
    expect(selectLasting(VALUES, 9)).toBe(VALUES);
    expect(findLastEnd(VALUES)).toBe(20);
    expect(findLastEnd(NO_VALUES)).toBe(0);
  });

  it('are replaced, not changed (XTN-08)', () => {
    const more = withValue(VALUES, 'list', { json: '[]', ends: 30 });
    expect([...more.keys()]).toEqual(['cart', '__proto__', 'list']);
    expect([...withValue(more, 'cart', undefined).keys()]).toEqual(['__proto__', 'list']);
    expect(VALUES.size).toBe(2);
  });

  it('are counted in bytes, with their keys (XTN-08)', () => {
    expect(countBytes(new Map([['ü', { json: '"ü"', ends: 1 }]]))).toBe(32 + 2 + 4);
  });
});
