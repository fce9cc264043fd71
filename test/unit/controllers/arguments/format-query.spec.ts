import { describe, expect, it } from '@jest/globals';
import { formatQuery, isQueryValue } from '../../../../lib/controllers/arguments/format-query.js';

const DEEP = (levels: number): unknown => (levels === 0 ? 'x' : { a: DEEP(levels - 1) });

describe('A query', () => {
  it.each([
    [[['a', 'b c&d=e']], 'a=b%20c%26d%3De'],
    [[['a b', 1]], 'a%20b=1'],
    [[['a', ['x', 2, true]]], 'a=x&a=2&a=true'],
    [[['a', []]], ''],
  ] as const)('of %j is %s (ROUTE-02)', (parameters, expected) => {
    expect(formatQuery(parameters, false)).toBe(expected);
  });

  it('has brackets where the application parses them (ROUTE-02)', () => {
    expect(formatQuery([['a', { 'b c': [1, { d: 2 }] }]], true)).toBe('a[b%20c][0]=1&a[b%20c][1][d]=2');
  });

  it.each(['text', 1, true, ['text', 1, false]])('carries %j (ROUTE-02)', (value) => {
    expect(isQueryValue(value, false)).toBe(true);
  });

  it.each([null, {}, [['a']], [{}], '\ud800', ['\ud800']])('does not carry %j (ROUTE-02)', (value) => {
    expect(isQueryValue(value, false)).toBe(false);
  });

  it('carries nested values where the application parses them, up to a depth (ROUTE-02)', () => {
    expect(isQueryValue(DEEP(5), true)).toBe(true);
    expect(isQueryValue([['a']], true)).toBe(true);
    expect(isQueryValue(DEEP(6), true)).toBe(false);
    expect(isQueryValue({ '\ud800': 1 }, true)).toBe(false);
    expect(isQueryValue({ a: null }, true)).toBe(false);
  });
});
