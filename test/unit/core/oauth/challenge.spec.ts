import { describe, expect, it } from '@jest/globals';
import { formatChallenge } from '../../../../lib/core/oauth/challenges.js';

describe('formatChallenge (RFC 6750 §3)', () => {
  it('is the scheme alone where there is nothing to say (AUTH-14)', () => {
    expect(formatChallenge('Bearer', {})).toBe('Bearer');
    expect(formatChallenge('Bearer', { error: undefined, scope: undefined })).toBe('Bearer');
  });

  it('writes each parameter as a quoted string, in the given order (AUTH-14)', () => {
    expect(
      formatChallenge('Bearer', {
        resource_metadata: 'https://desk.example.com/.well-known/oauth-protected-resource/mcp',
        error: 'invalid_token',
        scope: 'desk:read desk:write',
      }),
    ).toBe(
      'Bearer resource_metadata="https://desk.example.com/.well-known/oauth-protected-resource/mcp", ' +
        'error="invalid_token", scope="desk:read desk:write"',
    );
  });

  it.each([
    ['a "word"', String.raw`a \"word\"`],
    [String.raw`a\b`, String.raw`a\\b`],
    [String.raw`\"`, String.raw`\\\"`],
    ['one\r\nX-Other: two', 'oneX-Other: two'],
    ['a\u0000b\u007fc', 'abc'],
    ['naïve €', 'nave '],
    ['a\tb', 'a\tb'],
    ['', ''],
  ])('lets no %j out of its quotes (AUTH-14)', (text, quoted) => {
    expect(formatChallenge('Bearer', { error_description: text })).toBe(
      `Bearer error_description="${quoted}"`,
    );
  });
});
