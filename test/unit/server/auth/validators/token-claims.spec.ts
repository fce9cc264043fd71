import { describe, expect, it } from '@jest/globals';
import { InvalidTokenError } from '../../../../../lib/server/auth/errors.js';
import { readClaims, type ClaimNames } from '../../../../../lib/server/auth/validators/token-claims.js';

const PLACES: ClaimNames = { audienceClaim: 'aud', scopeClaims: ['scp'], scopePrefix: '' };

const read = (payload: object, places: Partial<ClaimNames> = {}) =>
  readClaims({ ...payload }, { ...PLACES, ...places });

const scopesOf = (payload: object, places: Partial<ClaimNames> = {}) => read(payload, places).scopes;

describe('readClaims (RFC 9068 §2.2)', () => {
  it('gives what is known by its name, and everything else as it is (AUTH-10)', () => {
    expect(
      read({
        sub: 'ada',
        iss: 'https://login.example.com',
        aud: 'desk',
        exp: 5,
        iat: 1,
        scope: 'desk:read',
        client_id: 'app',
        jti: 'x',
        team: { name: 'blue' },
      }),
    ).toEqual({
      sub: 'ada',
      iss: 'https://login.example.com',
      aud: ['desk'],
      scopes: ['desk:read'],
      clientId: 'app',
      expiresAt: 5,
      extra: { iat: 1, jti: 'x', team: { name: 'blue' } },
    });
  });

  it('leaves out what a token does not say (AUTH-10)', () => {
    expect(read({})).toStrictEqual({ aud: [], scopes: [], extra: {} });
  });

  it.each([5, null, '', true, ['ada'], { id: 'ada' }])(
    'refuses %j as the subject (AUTH-10) (SAFE-02)',
    (sub) => {
      expect(() => read({ sub })).toThrow(InvalidTokenError);
    },
  );

  it('can be changed by no handler: requests share it (AUTH-10)', () => {
    const claims = read({ sub: 'ada', aud: ['desk'], scope: 'desk:read', team: 'blue' });
    for (const part of [claims, claims.aud, claims.scopes, claims.extra])
      expect(Object.isFrozen(part)).toBe(true);
  });

  it.each([
    [{ client_id: 'a', azp: 'b', appid: 'c', cid: 'd' }, 'a', { azp: 'b', appid: 'c', cid: 'd' }],
    [{ azp: 'b', appid: 'c', cid: 'd' }, 'b', { appid: 'c', cid: 'd' }],
    [{ appid: 'c', cid: 'd' }, 'c', { cid: 'd' }],
    [{ cid: 'd' }, 'd', {}],
    [{ client_id: 5, azp: 'b' }, 'b', { client_id: 5 }],
    [{ client_id: '' }, undefined, { client_id: '' }],
  ])('finds the client in %j (AUTH-10)', (payload, clientId, extra) => {
    expect(read(payload)).toMatchObject({ extra });
    expect(read(payload).clientId).toBe(clientId);
  });

  it('gives the audience of the claim that is configured (AUTH-07)', () => {
    const claims = read({ aud: 'x', client_id: 'desk' }, { audienceClaim: 'client_id' });
    expect(claims).toMatchObject({ aud: ['desk'], clientId: 'desk', extra: { aud: 'x' } });
  });

  it('takes the names of claims as names (SAFE-02)', () => {
    const claims = readClaims(
      JSON.parse('{"__proto__":{"admin":true},"constructor":1}') as object as never,
      PLACES,
    );
    expect(Object.keys(claims.extra)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(claims.extra)).toBe(Object.prototype);
    expect((claims.extra as { admin?: boolean }).admin).toBeUndefined();
  });
});

describe('The scopes of a token', () => {
  it.each([
    [{ scope: 'a b' }, ['a', 'b']],
    [{ scopes: ['a', 'b'] }, ['a', 'b']],
    [{ scope: ['a', 'b'] }, ['a', 'b']],
    [{ scp: ['a', 'b'] }, ['a', 'b']],
    [{ scp: 'a b' }, ['a', 'b']],
    [{ scopes: ['c', 'a'], scope: 'b a', scp: ['d', 'c'] }, ['c', 'a', 'b', 'd']],
    [{ scope: '' }, []],
    [{ scopes: [] }, []],
    [{ permissions: ['a'], roles: ['b'] }, []],
  ])('of %j are %j (AUTH-09)', (payload, scopes) => {
    expect(scopesOf(payload)).toEqual(scopes);
  });

  it('come from the claims that are configured, in their order (AUTH-09)', () => {
    const payload = { roles: ['r'], permissions: ['p', 'a'], scope: 'a', scp: 's' };
    expect(scopesOf(payload, { scopeClaims: ['permissions', 'roles'] })).toEqual(['a', 'p', 'r']);
    expect(read(payload, { scopeClaims: ['permissions', 'roles'] }).extra).toEqual({ scp: 's' });
    expect(scopesOf(payload, { scopeClaims: [] })).toEqual(['a']);
  });

  it.each([5, null, true, { a: 'b' }, [5, null, {}, ['a'], '', 'a b', 'a"b', 'ä']])(
    'are none that %j could be (AUTH-09) (SAFE-02)',
    (scope) => {
      expect(scopesOf({ scope: 'x', scopes: scope, scp: scope })).toEqual(['x']);
    },
  );

  it('have no prefix where one is configured, whether the token has it or not (AUTH-09)', () => {
    const scopePrefix = 'api://desk/';
    expect(scopesOf({ scope: 'api://desk/read write api://other/read' }, { scopePrefix })).toEqual([
      'read',
      'write',
      'api://other/read',
    ]);
    expect(scopesOf({ scope: 'api://desk/ api://desk/api://desk/read' }, { scopePrefix })).toEqual([
      'api://desk/read',
    ]);
  });
});
