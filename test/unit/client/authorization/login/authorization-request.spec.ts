import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import {
  beginLogin,
  selectScopes,
} from '../../../../../lib/client/authorization/login/authorization-request.js';

const WISH = {
  authorizationServer: {
    issuer: 'https://login.example.com',
    authorization_endpoint: 'https://login.example.com/authorize?tenant=a&scope=everything',
    code_challenge_methods_supported: ['plain', 'S256'],
  },
  clientId: 'desk',
  redirectUri: 'http://127.0.0.1:4711/callback',
  scopes: ['desk:read', 'desk:write'],
  resource: 'https://desk.example.com/mcp',
};

describe('The beginning of a login (RFC 6749 §4.1.1)', () => {
  it('is an address with all that it takes, and what the endpoint had already (CLI-07) (CLI-08) (CLI-09)', async () => {
    const { url, state, codeVerifier } = await beginLogin(WISH);
    expect(url.origin + url.pathname).toBe('https://login.example.com/authorize');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      tenant: 'a',
      response_type: 'code',
      client_id: 'desk',
      redirect_uri: 'http://127.0.0.1:4711/callback',
      scope: 'desk:read desk:write',
      resource: 'https://desk.example.com/mcp',
      state,
      code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    expect(codeVerifier).toMatch(/^[\w-]{43}$/);
  });

  it('asks for consent where it asks for refresh tokens (CLI-11)', async () => {
    const { url } = await beginLogin({ ...WISH, scopes: ['desk:read', 'offline_access'] });
    expect(url.searchParams.get('prompt')).toBe('consent');
  });

  it.each([[undefined], [['plain']], [['s256']]])(
    'is refused with the methods %j (CLI-07)',
    async (methods) => {
      const { code_challenge_methods_supported: _methods, ...server } = WISH.authorizationServer;
      const authorizationServer = {
        ...server,
        ...(methods && { code_challenge_methods_supported: methods }),
      };
      await expect(beginLogin({ ...WISH, authorizationServer })).rejects.toMatchObject({
        code: 'pkce_unsupported',
        issuer: 'https://login.example.com',
      });
    },
  );

  it('is allowed where the issuer is known to check S256 without saying so (PEER-04)', async () => {
    const { code_challenge_methods_supported: _methods, ...authorizationServer } = WISH.authorizationServer;
    const wish = { ...WISH, authorizationServer, assumeS256: ['https://login.example.com'] };
    expect((await beginLogin(wish)).url.searchParams.get('code_challenge_method')).toBe('S256');
  });

  it.each([
    ['another issuer is known for that', undefined, ['https://login.example.com/']],
    ['it lists other methods', ['plain'], ['https://login.example.com']],
  ])('is refused where %s (PEER-04)', async (_why, methods, assumeS256) => {
    const { code_challenge_methods_supported: _methods, ...server } = WISH.authorizationServer;
    const authorizationServer = { ...server, ...(methods && { code_challenge_methods_supported: methods }) };
    await expect(beginLogin({ ...WISH, authorizationServer, assumeS256 })).rejects.toMatchObject({
      code: 'pkce_unsupported',
    });
  });

  it('is refused where users would be sent over "http" to another machine (CLI-10)', async () => {
    const authorizationServer = {
      ...WISH.authorizationServer,
      authorization_endpoint: 'http://login.example.com/authorize',
    };
    await expect(beginLogin({ ...WISH, authorizationServer })).rejects.toMatchObject({
      code: 'insecure_endpoint',
      role: 'authorization_endpoint',
    });
    const wish = { ...WISH, authorizationServer, insecureHosts: ['login.example.com'] };
    expect((await beginLogin(wish)).url.protocol).toBe('http:');
  });
});

const NOTHING = {
  challenged: [],
  configured: [],
  requested: [],
  ofResource: undefined,
  ofAuthorizationServer: undefined,
};

describe('The scopes of a login (MCP 2026-07-28 basic/authorization)', () => {
  it.each([
    ['what the challenge names', { challenged: ['a'], ofResource: ['a', 'b'] }, ['a']],
    ['what the metadata names where nobody else does', { ofResource: ['a', 'b', 'a'] }, ['a', 'b']],
    ['nothing where nobody names any', {}, []],
    ['what is configured, besides', { challenged: ['a'], configured: ['b', 'a'] }, ['b', 'a']],
    [
      'what is configured, and then not all that the metadata names',
      { configured: ['b'], ofResource: ['a'] },
      ['b'],
    ],
    ['what was asked for before, with the challenge', { challenged: ['b'], requested: ['a'] }, ['a', 'b']],
    ['what was asked for before, without a challenge', { requested: ['a'], ofResource: ['a', 'b'] }, ['a']],
  ])('are %s (CLI-11)', (_case, sources, scopes) => {
    expect(selectScopes({ ...NOTHING, ...sources })).toEqual(scopes);
  });

  it.each([
    ['are joined by it where it is listed', ['a'], ['offline_access'], ['a', 'offline_access']],
    ['have it once', ['offline_access', 'a'], ['offline_access'], ['a', 'offline_access']],
    ['lose it where it is not listed', ['a', 'offline_access'], ['a'], ['a']],
    ['lose it where nothing is listed', ['offline_access'], undefined, []],
    ['are not begun by it', [], ['offline_access'], []],
    ['are it alone where nothing else was named', ['offline_access'], ['offline_access'], ['offline_access']],
  ])('%s: "offline_access" (CLI-11)', (_case, challenged, ofAuthorizationServer, scopes) => {
    expect(selectScopes({ ...NOTHING, challenged, ofAuthorizationServer })).toEqual(scopes);
  });
});
