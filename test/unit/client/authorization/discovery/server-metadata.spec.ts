import { describe, expect, it } from '@jest/globals';
import {
  assertPkceSupported,
  getEndpoint,
} from '../../../../../lib/client/authorization/discovery/server-metadata.js';

const issuer = 'https://login.example.com';

describe('assertPkceSupported (RFC 7636 §4.2)', () => {
  it.each([['S256'], ['plain', 'S256']])('accepts an authorization server with %s (CLI-07)', (...methods) => {
    const metadata = { issuer, code_challenge_methods_supported: methods };
    expect(() => assertPkceSupported(metadata)).not.toThrow();
  });

  it.each([
    {},
    ...[[], ['plain'], ['s256'], ['S2560']].map((code_challenge_methods_supported) => ({
      code_challenge_methods_supported,
    })),
  ])('refuses an authorization server with %j (CLI-07)', (members) => {
    expect(() => assertPkceSupported({ issuer, ...members })).toThrow(
      expect.objectContaining({ code: 'pkce_unsupported', issuer }),
    );
  });
});

describe('getEndpoint (RFC 8414 §2)', () => {
  it.each(['https://api.example.com/tokens', 'http://localhost:3000/tokens', 'http://[::1]/tokens'])(
    'gives %s (CLI-10)',
    (url) => {
      expect(getEndpoint({ issuer, token_endpoint: url }, 'token_endpoint')).toBe(url);
    },
  );

  it.each(['http://api.example.com/tokens', 'http://127.0.0.1.example.com/tokens', 'tokens'])(
    'refuses %s (CLI-10)',
    (url) => {
      expect(() => getEndpoint({ issuer, token_endpoint: url }, 'token_endpoint')).toThrow(
        expect.objectContaining({ code: 'insecure_endpoint', url, role: 'token_endpoint' }),
      );
    },
  );

  it('says which endpoint there is not (CLI-04)', () => {
    expect(() => getEndpoint({ issuer }, 'registration_endpoint')).toThrow('has no "registration_endpoint"');
  });
});
