import { describe, expect, it } from '@jest/globals';
import { selectScopes } from '../../../../../lib/client/authorization/login/select-scopes.js';

const NOTHING = {
  challenged: [],
  configured: [],
  requested: [],
  ofResource: undefined,
  ofAuthorizationServer: undefined,
};

describe('The scopes of a login (MCP 2026-07-28 basic/authorization)', () => {
  it.each([
    ['what the challenge names', { challenged: ['a'], ofResource: ['a', 'b'] }, ['a']],
    ['what the metadata names where nobody else does', { ofResource: ['a', 'b', 'a'] }, ['a', 'b']],
    ['nothing where nobody names any', {}, []],
    ['what is configured, besides', { challenged: ['a'], configured: ['b', 'a'] }, ['b', 'a']],
    [
      'what is configured, and then not all that the metadata names',
      { configured: ['b'], ofResource: ['a'] },
      ['b'],
    ],
    ['what was asked for before, with the challenge', { challenged: ['b'], requested: ['a'] }, ['a', 'b']],
    ['what was asked for before, without a challenge', { requested: ['a'], ofResource: ['a', 'b'] }, ['a']],
  ])('are %s (CLI-11)', (_case, sources, scopes) => {
    expect(selectScopes({ ...NOTHING, ...sources })).toEqual(scopes);
  });

  it.each([
    ['are joined by it where it is listed', ['a'], ['offline_access'], ['a', 'offline_access']],
    ['have it once', ['offline_access', 'a'], ['offline_access'], ['a', 'offline_access']],
    ['lose it where it is not listed', ['a', 'offline_access'], ['a'], ['a']],
    ['lose it where nothing is listed', ['offline_access'], undefined, []],
    ['are not begun by it', [], ['offline_access'], []],
    ['are it alone where nothing else was named', ['offline_access'], ['offline_access'], ['offline_access']],
  ])('%s: "offline_access" (CLI-11)', (_case, challenged, ofAuthorizationServer, scopes) => {
    expect(selectScopes({ ...NOTHING, challenged, ofAuthorizationServer })).toEqual(scopes);
  });
});
