import { describe, expect, it } from '@jest/globals';
import { parseBearerToken } from '../../../../lib/core/oauth/access-token.js';

describe('parseBearerToken (RFC 6750 §2.1)', () => {
  it.each([
    ['Bearer abc', 'abc'],
    ['bearer abc', 'abc'],
    ['BEARER abc', 'abc'],
    ['Bearer   abc', 'abc'],
    ['Bearer abc  ', 'abc'],
    ['Bearer a.b-c_d~e+f/g==', 'a.b-c_d~e+f/g=='],
    ['Bearer Bearer', 'Bearer'],
  ])('reads %j (AUTH-02)', (header, token) => {
    expect(parseBearerToken(header)).toBe(token);
  });

  it.each([
    '',
    'Bearer',
    'Bearer ',
    'Bearerabc',
    'Bearer\tabc',
    'Bearer: abc',
    ' Bearer abc',
    'abc',
    'Basic YTpi',
    'DPoP abc',
    'Token abc',
    'NotBearer abc',
    'Bearer abc def',
    'Bearer abc,def',
    'Bearer abc, Bearer def',
    'Bearer "abc"',
    'Bearer token=abc',
    'Bearer =abc',
    'Bearer ab=c',
    'Bearer äbc',
    'Bearer abc\n',
    'Bearer abc\r\nX-Role: admin',
    'Bearer abc\u0000',
  ])('reads no token in %j (AUTH-02)', (header) => {
    expect(parseBearerToken(header)).toBeUndefined();
  });

  it('takes no longer than a long header is (SAFE-02)', () => {
    const begun = performance.now();
    for (const header of [`Bearer ${' '.repeat(16_000)}é`, `Bearer a${'='.repeat(16_000)}é`]) {
      expect(parseBearerToken(header)).toBeUndefined();
    }
    expect(performance.now() - begun).toBeLessThan(1000);
  });
});
