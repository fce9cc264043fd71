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
    ['what was granted', build(['desk:read'], ['desk:read', 'offline_access']), ' for desk:read'],
    [
      'what was not',
      build(['desk:read'], ['desk:read', 'desk:audit']),
      ' for desk:read; "desk:audit" was asked for and not granted',
    ],
    [
      'several that were not',
      build([], ['desk:read', 'desk:audit']),
      '; "desk:read", "desk:audit" were asked for and not granted',
    ],
    ['nothing without scopes', build([], []), ''],
    ['nothing without tokens', undefined, ''],
  ])('says %s (CLI-20)', (_, tokens, text) => {
    expect(formatGranted(tokens)).toBe(text);
  });
});
