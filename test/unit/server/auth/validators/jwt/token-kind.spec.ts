import { describe, expect, it } from '@jest/globals';
import { assertTokenKind } from '../../../../../../lib/server/auth/validators/jwt/decode-token.js';
import { InvalidTokenError } from '../../../../../../lib/server/auth/errors.js';

const ACCESS_TOKENS = ['at+jwt'];

const check = (
  header: object,
  payload: object = {},
  types: readonly string[] = ACCESS_TOKENS,
  toleratedClaims: readonly string[] = [],
) => assertTokenKind({ header: { ...header }, payload: { ...payload } }, { types, toleratedClaims });

describe('The type of a token (RFC 9068 §2.1)', () => {
  it.each([
    {},
    { typ: 'at+jwt' },
    { typ: 'AT+JWT' },
    { typ: 'application/at+jwt' },
    { typ: 'Application/AT+jwt' },
  ])('may be that of an access token, or absent: %j (AUTH-04)', (header) => {
    expect(() => check(header)).not.toThrow();
  });

  it.each([
    'JWT',
    'jwt',
    'JOSE',
    'dpop+jwt',
    'logout+jwt',
    'secevent+jwt',
    'oauth-id-jag+jwt',
    'text/at+jwt',
    'application/application/at+jwt',
    'at+jwt ',
    'at-jwt',
    '',
    5,
    null,
    ['at+jwt'],
    { typ: 'at+jwt' },
  ])('may not be %j (AUTH-04) (SAFE-02)', (typ) => {
    expect(() => check({ typ })).toThrow(InvalidTokenError);
  });

  it('says what to do for an issuer with a type of its own (AUTH-19)', () => {
    expect(() => check({ typ: 'JWT' })).toThrow(
      '"typ" is "JWT", expected "at+jwt" or none: list it in "auth.jwt.types" if the issuer does not follow RFC 9068',
    );
    expect(() => check({ typ: 'JWT' }, {}, ['at+jwt', 'other'])).toThrow(
      'expected "at+jwt" or "other" or none:',
    );
    expect(() => check({ typ: 'JWT' }, {}, [])).toThrow('"typ" is "JWT", expected none:');
  });

  it('may be one that is configured, in any case and with its prefix or without (AUTH-04)', () => {
    for (const typ of ['JWT', 'jwt', 'application/jwt']) {
      expect(() => check({ typ }, {}, ['JWT'])).not.toThrow();
      expect(() => check({ typ }, {}, ['application/jwt'])).not.toThrow();
    }
    expect(() => check({ typ: 'at+jwt' }, {}, ['JWT'])).toThrow(InvalidTokenError);
  });
});

describe('A token for another purpose (RFC 8725 §3.11)', () => {
  it.each([
    ['an ID token of Cognito', { token_use: 'id' }],
    ['an ID token of Keycloak', { typ: 'ID' }],
    ['a refresh token of Keycloak', { typ: 'Refresh' }],
    ['an offline token of Keycloak', { typ: 'Offline' }],
    ['a logout token of Keycloak', { typ: 'Logout' }],
    ['marked by no text', { typ: ['Bearer'] }],
    ['marked by an object', { token_use: { toString: 'access' } }],
    ['marked by nothing', { token_use: null }],
    ['marked by an empty text', { token_use: '' }],
    ['marked in two ways that differ', { token_use: 'access', typ: 'ID' }],
    ['marked in two other ways that differ', { token_use: 'id', typ: 'Bearer' }],
  ])('is refused by what it says: %s (AUTH-04) (SAFE-02)', (_, payload) => {
    for (const header of [{}, { typ: 'at+jwt' }, { typ: 'JWT' }]) {
      expect(() => check(header, payload, ['at+jwt', 'JWT'])).toThrow(/expected .*: send the access token$/);
    }
  });

  it.each(['nonce', 'at_hash', 'c_hash', 's_hash', 'events'])(
    'is refused by its "%s", where nothing says that it is an access token (AUTH-04) (SAFE-02)',
    (claim) => {
      for (const header of [{}, { typ: 'JWT' }]) {
        expect(() => check(header, { [claim]: 'x' }, ['at+jwt', 'JWT'])).toThrow(
          `it has the claim "${claim}", which only tokens meant for clients contain: send the access token`,
        );
      }
    },
  );

  it.each([
    [{ typ: 'at+jwt' }, {}],
    [{}, { token_use: 'access' }],
    [{ typ: 'JWT' }, { typ: 'Bearer' }],
    [{ typ: 'JWT' }, { typ: 'bearer' }],
    [{ typ: 'JWT' }, { typ: 'Bearer', token_use: 'access' }],
  ])('is not one that is marked as an access token: %j %j (AUTH-04)', (header, payload) => {
    const claims = { ...payload, nonce: 'x', at_hash: 'y' };
    expect(() => check(header, claims, ['at+jwt', 'JWT'])).not.toThrow();
  });
});

describe('A claim of ID tokens that is tolerated', () => {
  it.each(['nonce', 'at_hash', 'c_hash', 's_hash'])('may be "%s" (PEER-04)', (claim) => {
    const payload = { [claim]: 'x' };
    expect(() => check({}, payload)).toThrow(`list it in "auth.jwt.toleratedClaims"`);
    expect(() => check({}, payload, ACCESS_TOKENS, [claim])).not.toThrow();
  });

  it('lets no other pass, nor what says that it is an ID token (PEER-04)', () => {
    const tolerated = ['nonce'];
    expect(() => check({}, { nonce: 'x', at_hash: 'y' }, ACCESS_TOKENS, tolerated)).toThrow('"at_hash"');
    expect(() => check({}, { nonce: 'x', token_use: 'id' }, ACCESS_TOKENS, tolerated)).toThrow('"token_use"');
    expect(() => check({}, { nonce: 'x', events: {} }, ACCESS_TOKENS, tolerated)).toThrow('"events"');
  });
});
