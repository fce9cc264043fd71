import { describe, expect, it } from '@jest/globals';
import { formatScope, isScope, mergeScopes, parseScope } from '../../../../lib/core/oauth/scope.js';

describe('Lists of scopes (RFC 6749 §3.3)', () => {
  it.each([
    ['a b', ['a', 'b']],
    ['a', ['a']],
    ['', []],
    ['   ', []],
    [' a  b ', ['a', 'b']],
    ['b a b', ['b', 'a', 'b']],
    ['a,b', ['a,b']],
    ['a\tb', ['a\tb']],
  ])('%j is read as %j (AUTH-09)', (text, scopes) => {
    expect(parseScope(text)).toEqual(scopes);
  });

  it('are written as they are read (AUTH-09)', () => {
    expect(formatScope(['desk:read', 'desk:write'])).toBe('desk:read desk:write');
    expect(formatScope([])).toBe('');
  });

  it('are put together with each scope once, where it comes first (AUTH-09)', () => {
    expect(mergeScopes(['b', 'a'], [], ['a', 'c', 'b', 'd'])).toEqual(['b', 'a', 'c', 'd']);
    expect(mergeScopes()).toEqual([]);
  });

  it.each(['desk:read', 'https://desk.example.com/read', "!#[]^_`{|}~'", 'A'])(
    '%j can be a scope',
    (text) => {
      expect(isScope(text)).toBe(true);
    },
  );

  it.each(['', 'a b', 'a"b', 'a\\b', 'ä', 'a\n', '\u007f', undefined, null, 5, ['a'], {}])(
    '%j can be none',
    (value) => {
      expect(isScope(value)).toBe(false);
    },
  );
});
