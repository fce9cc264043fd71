import { describe, expect, it } from '@jest/globals';
import {
  countBytes,
  findLatestExpiry,
  formatValues,
  NO_VALUES,
  parseValues,
  selectUnexpired,
  withValue,
  type StoredValues,
} from '../../../../lib/server/state/state-store.js';

const VALUES: StoredValues = new Map([
  ['cart', { json: '{"b":1,"a":[null,"ü"]}', expiresAt: 20 }],
  ['__proto__', { json: '"x"', expiresAt: 10 }],
]);

describe('Kept values', () => {
  it('are the same after they were written and read (XTN-08)', () => {
    expect(parseValues(formatValues(VALUES))).toEqual(VALUES);
    expect(parseValues(formatValues(NO_VALUES))).toEqual(NO_VALUES);
  });

  it('last until they end (XTN-08)', () => {
    expect([...selectUnexpired(VALUES, 10).keys()]).toEqual(['cart']);
    expect(selectUnexpired(VALUES, 9)).toBe(VALUES);
    expect(findLatestExpiry(VALUES)).toBe(20);
    expect(findLatestExpiry(NO_VALUES)).toBe(0);
  });

  it('are replaced, not changed (XTN-08)', () => {
    const more = withValue(VALUES, 'list', { json: '[]', expiresAt: 30 });
    expect([...more.keys()]).toEqual(['cart', '__proto__', 'list']);
    expect([...withValue(more, 'cart', undefined).keys()]).toEqual(['__proto__', 'list']);
    expect(VALUES.size).toBe(2);
  });

  it('are counted in bytes, with their keys (XTN-08)', () => {
    expect(countBytes(new Map([['ü', { json: '"ü"', expiresAt: 1 }]]))).toBe(32 + 2 + 4);
  });
});
