import { describe, expect, it } from '@jest/globals';
import { buildAuthentication } from '../../../../../lib/server/auth/validators/build-authentication.js';
import { nameAccount } from '../../../../../lib/server/memory/memory-account.js';
import type { AuthMethod } from '../../../../../lib/server/context/authentication.js';
import { completeClaims, type GivenClaims } from '../../../../../lib/core/oauth/access-token.js';

const build = (given: GivenClaims, method: AuthMethod = 'jwt', token = 'token-a') =>
  buildAuthentication({ method, claims: completeClaims(given), token });

const identityOf = (...parts: Parameters<typeof build>) => build(...parts).identity;

const ADA = { iss: 'https://login.example.com', sub: 'ada' };

describe('buildAuthentication', () => {
  it('keeps what a token says (AUTH-10)', () => {
    const claims = completeClaims({ ...ADA, scopes: ['a', 'b', 'a'] });
    const authentication = buildAuthentication({ method: 'introspection', claims, token: 'token-a' });
    expect(authentication).toMatchObject({ method: 'introspection', scopes: new Set(['a', 'b']) });
    expect(authentication.claims).toBe(claims);
  });

  it('takes the same subject of the same issuer for the same caller, by whatever token (AUTH-10)', () => {
    const identity = identityOf(ADA);
    expect(identityOf(ADA, 'introspection', 'token-b')).toBe(identity);
    expect(identityOf({ ...ADA, scopes: ['a'], clientId: 'other' })).toBe(identity);
  });

  it('takes the same subject without an issuer for the same caller to one kind of validator (AUTH-10)', () => {
    expect(identityOf({ sub: 'ada' }, 'custom', 'token-b')).toBe(identityOf({ sub: 'ada' }, 'custom'));
  });

  it('tells all others apart (AUTH-10)', () => {
    const identities = [
      identityOf(ADA),
      identityOf({ ...ADA, sub: 'bob' }),
      identityOf({ ...ADA, iss: 'https://other.example.com' }),
      identityOf({ iss: ADA.iss }),
      identityOf({ iss: ADA.iss }, 'jwt', 'token-b'),
      identityOf({ iss: ADA.iss }, 'jwt', 'ada'),
      identityOf({ sub: 'ada' }, 'bearer'),
      identityOf({ sub: 'ada' }, 'custom'),
      identityOf({ iss: 'custom', sub: 'ada' }),
      identityOf({}, 'custom'),
      identityOf({}, 'custom', 'token-b'),
      identityOf({}, 'custom', 'ada'),
    ];
    expect(new Set(identities).size).toBe(identities.length);
  });

  it('tells a caller with one key from the same with another, or none (XTN-03)', () => {
    const bind = (jkt?: string) =>
      buildAuthentication({
        method: 'jwt',
        claims: completeClaims({ ...ADA, extra: { cnf: jkt && { jkt } } }),
        token: 'token-a',
        takesDpop: true,
      });
    const [one, other] = ['A'.repeat(43), 'B'.repeat(43)];
    const identities = [bind(one), bind(other), bind()].map(({ identity }) => identity);
    expect(new Set(identities).size).toBe(3);
    expect(new Set(identities.map(nameAccount)).size).toBe(1);
    expect(bind(one)).toMatchObject({ keyThumbprint: one });
    expect(bind()).not.toHaveProperty('keyThumbprint');
  });

  it('names a caller by a digest, which reveals neither token nor subject (AUTH-15)', () => {
    for (const identity of [identityOf(ADA), identityOf({})]) expect(identity).toMatch(/^[\w-]{43}$/);
  });
});
