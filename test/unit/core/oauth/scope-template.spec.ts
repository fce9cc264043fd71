import { describe, expect, it } from '@jest/globals';
import { isScopeTemplate, ScopeTemplate, ScopeValueError } from '../../../../lib/core/oauth/scope.js';

const expand = (text: string, values: { readonly [name: string]: unknown }) =>
  new ScopeTemplate(text).expand((variable) => values[variable]);

describe('ScopeTemplate', () => {
  it.each([
    ['project:{project}:read', { project: 'alpha' }, 'project:alpha:read'],
    ['{a}', { a: 7 }, '7'],
    ['is:{a}', { a: false }, 'is:false'],
    ['n:{a}', { a: 10n }, 'n:10'],
    ['{a}:{b}:{a}', { a: 'x', b: 'y' }, 'x:y:x'],
    ['at:{owner.id}/', { 'owner.id': 'ö'.normalize('NFD')[0] }, 'at:o/'],
    ['path:{path}', { path: 'a/b.c' }, 'path:a/b.c'],
    ['{uri}', { uri: 'desk://a:b/c' }, 'desk://a:b/c'],
    ['{a}/{b}', { a: 'x:y', b: 'z:0' }, 'x:y/z:0'],
    ['team{a}s', { a: 'mates' }, 'teammatess'],
  ])('fills in values: %s', (text, values, scope) => {
    expect(expand(text, values)).toBe(scope);
  });

  it.each([
    undefined,
    null,
    '',
    'a b',
    'a"',
    'a\\',
    'a\n',
    'ä',
    {},
    ['a'],
    Number.NaN,
    Infinity,
    new Date(0),
  ])('takes no value that a scope cannot carry: %p', (value) => {
    expect(() => expand('p:{a}', { a: value })).toThrow(ScopeValueError);
  });

  it('takes values up to a length that fits into headers', () => {
    expect(expand('{a}', { a: 'x'.repeat(256) })).toHaveLength(256);
    expect(() => expand('{a}', { a: 'x'.repeat(257) })).toThrow('1 to 256 printable');
  });

  it('never makes the same scope of different values', () => {
    expect(() => expand('{org}:{repo}', { org: 'a:b', repo: 'c' })).toThrow(
      '"org" is part of a scope, so it must be a string of 1 to 256 printable ASCII characters without spaces, quotes or backslashes, and without ":", a number or a boolean',
    );
  });

  it.each([
    ['project:{a}', 'alpha:admin', ':'],
    ['project:{a}:read', 'alpha:files', ':'],
    ['{a}:read', 'alpha:files', ':'],
    ['repo/{a}', 'org/repo', '/'],
    ['{b}:{a}/', 'x/y', '/'],
    ['{a}.', 'x.y', '.'],
    ['p:{a}read', 'x:y', ':'],
  ])('lets no value add a part: %s of %s', (text, value, separator) => {
    const values = { a: value, b: 'b' };
    expect(() => expand(text, values)).toThrow(`and without ${JSON.stringify(separator)}`);
    expect(expand(text, { ...values, a: 'alpha' })).toContain('alpha');
  });

  it('lists its variables, each once', () => {
    expect(new ScopeTemplate('{a}:{b.c}:{a}').variables).toEqual(['a', 'b.c']);
  });

  it('is told from a plain scope by its braces', () => {
    expect(['desk:read', 'a:{b}', 'a}'].map(isScopeTemplate)).toEqual([false, true, true]);
  });
});
