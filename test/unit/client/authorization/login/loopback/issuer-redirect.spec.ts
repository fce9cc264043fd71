import { describe, expect, it } from '@jest/globals';
import { buildIssuerRedirect } from '../../../../../../lib/client/authorization/login/loopback/issuer-redirect.js';

const PLACE = 'http://127.0.0.1:4711/callback';

describe('The place that an issuer sends users back to (RFC 9700 §4.4.2.2)', () => {
  it('is below that of all, and the same each time (CLI-09)', () => {
    const place = buildIssuerRedirect(PLACE, 'https://login.example.com');
    expect(place).toMatch(/^http:\/\/127\.0\.0\.1:4711\/callback\/[\w-]{22}$/);
    expect(buildIssuerRedirect(PLACE, 'https://login.example.com')).toBe(place);
  });

  it('is no other issuer’s, not even one that is spelt almost alike (CLI-09)', () => {
    const issuers = [
      'https://login.example.com',
      'https://login.example.com/',
      'https://LOGIN.example.com',
      '',
    ];
    expect(new Set(issuers.map((issuer) => buildIssuerRedirect(PLACE, issuer))).size).toBe(issuers.length);
  });

  it('is below a place with a slash at its end as well (CLI-09)', () => {
    expect(buildIssuerRedirect('http://127.0.0.1/', 'x')).toMatch(/^http:\/\/127\.0\.0\.1\/[\w-]{22}$/);
  });
});
