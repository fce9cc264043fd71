import { describe, expect, it } from '@jest/globals';
import { formatGranted } from '../../../../cli/login/login.command.js';

const build = (grantedScopes: readonly string[], requestedScopes: readonly string[]) => ({
  accessToken: 'x',
  tokenType: 'Bearer' as const,
  grantedScopes,
  requestedScopes,
});

describe('formatGranted()', () => {
  it.each([
    ['what was granted', build(['desk:read'], ['desk:read', 'offline_access']), ' with the scope desk:read'],
    [
      'what was not',
      build(['desk:read'], ['desk:read', 'desk:audit']),
      ' with the scope desk:read; "desk:audit" was requested but not granted',
    ],
    [
      'several that were not',
      build([], ['desk:read', 'desk:audit']),
      '; "desk:read", "desk:audit" were requested but not granted',
    ],
    ['nothing without scopes', build([], []), ''],
    ['nothing without tokens', undefined, ''],
  ])('says %s (CLI-20)', (_, tokens, text) => {
    expect(formatGranted(tokens)).toBe(text);
  });
});
