import { describe, expect, it } from '@jest/globals';
import { completeClaims } from '../../../../lib/core/oauth/access-token.js';

describe('completeClaims', () => {
  it('fills in what a validator leaves out (AUTH-10) (AUTH-13)', () => {
    expect(completeClaims({})).toEqual({ aud: [], scopes: [], extra: {} });
    expect(completeClaims({ sub: 'ada' })).toEqual({ sub: 'ada', aud: [], scopes: [], extra: {} });
  });

  it('keeps what it gives (AUTH-10) (AUTH-13)', () => {
    const given = {
      sub: 'ada',
      iss: 'https://login.example.com',
      aud: ['desk'],
      scopes: ['desk:read'],
      clientId: 'app',
      expiresAt: 5,
      extra: { team: 'blue' },
    };
    expect(completeClaims(given)).toEqual(given);
  });
});
