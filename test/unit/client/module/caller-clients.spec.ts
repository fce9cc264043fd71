import { describe, expect, it } from '@jest/globals';
import { identifyCaller, type CallerClaims } from '../../../../lib/client/module/caller-clients.js';
import { CallerUnknownError } from '../../../../lib/client/module/errors.js';

const CLAIMS = { iss: 'https://login.example.com', sub: 'ada', clientId: 'desk', scopes: ['read', 'write'] };

function identify(claims: CallerClaims | undefined): string {
  return identifyCaller('ledger', { auth: { claims, exchange: () => Promise.reject(new Error('unused')) } });
}

describe('identifyCaller', () => {
  it('knows the caller again by a renewed token (CLI-18)', () => {
    const one = identify({ ...CLAIMS, extra: { iat: 1, jti: 'a', tenant: 'north' } });
    const next = identify({
      ...CLAIMS,
      scopes: ['write', 'read'],
      extra: { tenant: 'north', iat: 2, jti: 'b' },
    });
    expect(next).toBe(one);
  });

  it.each<[string, CallerClaims]>([
    ['of another user', { sub: 'bob' }],
    ['of another issuer', { iss: 'https://other.example.com' }],
    ['of another client', { clientId: 'till' }],
    ['that allows less', { scopes: ['read'] }],
    ['of another tenant', { extra: { tenant: 'south' } }],
    ['that somebody else acts by', { extra: { act: { sub: 'agent' } } }],
  ])('takes a token %s for another caller (OBO-01)', (_what, claims) => {
    expect(identify({ ...CLAIMS, ...claims })).not.toBe(identify(CLAIMS));
  });

  it('separates users with the same name whom different validators know, without an issuer (OBO-01)', () => {
    const identifyBy = (method: string, claims: CallerClaims) =>
      identifyCaller('ledger', {
        auth: { claims, authentication: { method }, exchange: () => Promise.reject(new Error('unused')) },
      });
    expect(identifyBy('bearer', { sub: 'ada' })).not.toBe(identifyBy('custom', { sub: 'ada' }));
    expect(identifyBy('bearer', CLAIMS)).toBe(identifyBy('custom', CLAIMS));
  });

  it.each([undefined, { ...CLAIMS, sub: undefined }])(
    'refuses a token that does not say who calls: %j (OBO-01)',
    (claims) => {
      expect(() => identify(claims)).toThrow(CallerUnknownError);
    },
  );
});
