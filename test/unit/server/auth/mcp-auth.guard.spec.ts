import type { Type } from '@nestjs/common';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type AuthenticatedRequest, McpAuthGuard } from '../../../../lib/server/auth/mcp-auth.guard.js';
import { AuthUnavailableError } from '../../../../lib/server/auth/errors.js';
import type { McpCatalog } from '../../../../lib/server/catalog/mcp-catalog.js';
import { AuthError } from '../../../../lib/core/oauth/auth.error.js';
import { McpConfigurationError } from '../../../../lib/server/settings/mcp-configuration.error.js';
import { buildAuth } from '../../support/caller.js';
import { bootAuth, buildContext, buildRequest, buildResponse, readState } from '../../support/guarded.js';

const FIXED = 'a-fixed-token-of-the-desk';
const WEAK = 'a-token-without-any-scope';
const SLOW = 'a-token-that-is-looked-up';
const METADATA = 'https://desk.example.com/.well-known/oauth-protected-resource/mcp';
const MISSING = `Bearer resource_metadata="${METADATA}", scope="desk:use"`;
const INVALID = `${MISSING}, error="invalid_token"`;
const UNREADABLE = `${INVALID}, error_description="Send the token in one Authorization header, as Bearer <token>"`;

const outage = new AuthUnavailableError('the table of keys is gone', { retryAfterSeconds: 9 });

/** Knows one token, and fails for another. */
const validator = {
  validate: (token: string) => {
    if (token === 'outage') throw outage;
    return token === SLOW ? { sub: 'bob', scopes: ['desk:use'] } : undefined;
  },
};

const AUTH = {
  resourceUri: 'https://desk.example.com/mcp',
  authorizationServers: ['https://login.example.com'],
  bearer: [
    { token: FIXED, subject: 'ada', scopes: ['desk:use', 'desk:read'] },
    { token: WEAK, subject: 'eve' },
  ],
  validator,
  requiredScopes: ['desk:use'],
};

let guard: McpAuthGuard;
let controller: Type;
let catalog: McpCatalog;

beforeEach(async () => {
  const booted = await bootAuth(AUTH);
  guard = new McpAuthGuard(booted.authenticator);
  ({ controller, catalog } = booted);
});

/** Gives what the guard makes of a request to the endpoint. */
function check(request: AuthenticatedRequest): boolean | Promise<boolean> {
  return guard.canActivate(buildContext([request, buildResponse()], controller));
}

/** Gives the challenge of a request's refusal; nothing where it is let pass. */
async function challengeOf(request: AuthenticatedRequest): Promise<string | undefined> {
  expect(await check(request)).toBe(true);
  const { authentication, refusal } = readState(request) ?? {};
  if (authentication !== undefined) return undefined;
  expect(refusal).toBeInstanceOf(AuthError);
  expect(refusal).toMatchObject({ code: 401, message: expect.stringMatching(/^Unauthorized/) });
  expect(request.auth).toBeUndefined();
  return (refusal as AuthError).wwwAuthenticate;
}

describe('McpAuthGuard before the endpoint', () => {
  it('cannot be had where nothing says how tokens are checked (AUTH-16)', async () => {
    const { authenticator } = await bootAuth();
    const create = () => new McpAuthGuard(authenticator);
    expect(create).toThrow(McpConfigurationError);
    expect(create).toThrow('The MCP option "auth" is missing: "McpAuthGuard" needs it to check tokens');
  });

  it('lets a known token pass at once, with what it allows (AUTH-01) (AUTH-10)', () => {
    const request = buildRequest('Authorization', `Bearer ${FIXED}`);
    expect(check(request)).toBe(true);
    expect(request.auth?.claims).toMatchObject({ sub: 'ada', scopes: ['desk:use', 'desk:read'] });
    expect(readState(request)).toMatchObject({
      authentication: { method: 'bearer', claims: { sub: 'ada' } },
      span: undefined,
    });
    expect(readState(request)).not.toHaveProperty('refusal');
  });

  it('waits for a token that has to be looked up (AUTH-13)', async () => {
    const request = buildRequest('Authorization', `Bearer ${SLOW}`);
    const checked = check(request);
    expect(checked).toBeInstanceOf(Promise);
    expect(await checked).toBe(true);
    expect(request.auth?.claims?.sub).toBe('bob');
  });

  it('asks for what the endpoint needs too, where a handler lacks a scope (AUTH-08)', () => {
    const request = buildRequest('Authorization', `Bearer ${FIXED}`);
    expect(check(request)).toBe(true);
    expect(() => request.auth?.requireScope('desk:write')).toThrow(
      expect.objectContaining({
        name: 'AuthError',
        code: 403,
        message: 'insufficient_scope: desk:use desk:write',
      }),
    );
  });

  it.each<[string, AuthenticatedRequest]>([
    ['no header', buildRequest()],
    ['a token in another header', buildRequest('Proxy-Authorization', `Bearer ${FIXED}`)],
  ])('says where to get a token to a request with %s (AUTH-02) (AUTH-14)', async (_, request) => {
    expect(await challengeOf(request)).toBe(MISSING);
  });

  it.each<[string, AuthenticatedRequest]>([
    ['another scheme', buildRequest('Authorization', 'Basic YWRhOmFkYQ==')],
    ['a scheme that begins like it', buildRequest('Authorization', `BearerX ${FIXED}`)],
    ['an empty header', buildRequest('Authorization', '')],
    ['a token in the query', { headers: {}, url: `/mcp?a=b&access_token=${FIXED}` }],
    [
      'a token in the query that Node alone shows',
      { headers: {}, raw: { headers: {}, url: '/mcp?access%5Ftoken=' } },
    ],
    ['a scheme alone', buildRequest('Authorization', 'Bearer')],
    ['two tokens in one header', buildRequest('Authorization', `Bearer ${FIXED} ${FIXED}`)],
    ['two headers', buildRequest('Authorization', `Bearer ${FIXED}`, 'authorization', `Bearer ${FIXED}`)],
    ['another scheme first', buildRequest('authorization', 'Basic YQ==', 'AUTHORIZATION', `Bearer ${FIXED}`)],
    [
      'two headers that the adapter does not show',
      {
        ...buildRequest('authorization', `Bearer ${FIXED}`),
        rawHeaders: undefined as never,
        raw: buildRequest('authorization', `Bearer ${FIXED}`, 'authorization', 'Bearer x'),
      },
    ],
    ['a list in the place of a text', { headers: { authorization: [`Bearer ${FIXED}`] } }],
  ])(
    'says how a token is sent to a request with %s, also where it could come without (AUTH-02)',
    async (_, request) => {
      expect(await challengeOf(request)).toBe(UNREADABLE);
      catalog.tools.add({ name: 'hours', isPublic: true }, () => '');
      expect(await challengeOf({ ...request })).toBe(UNREADABLE);
    },
  );

  it('says that a token is no good, and not why (AUTH-14)', async () => {
    const request = buildRequest('Authorization', 'Bearer of-nobody-that-is-known-here');
    expect(await challengeOf(request)).toBe(INVALID);
  });

  it.each<[string, AuthenticatedRequest]>([
    ['a scheme in lower case', buildRequest('authorization', `bearer ${FIXED}`)],
    [
      'other headers with names of the same length',
      buildRequest('if-none-match', '*', 'authorization', `Bearer ${FIXED}`),
    ],
    [
      'the name of the header as a value',
      buildRequest('authorization', `Bearer ${FIXED}`, 'x-note', 'authorization'),
    ],
    ['no headers as they were sent', { headers: { authorization: `Bearer ${FIXED}` } }],
    [
      'headers that the adapter does not show',
      {
        headers: { authorization: `Bearer ${FIXED}` },
        raw: buildRequest('authorization', `Bearer ${FIXED}`),
      },
    ],
  ])('takes a token beside %s (AUTH-02)', async (_, request) => {
    expect(guard.canActivate(buildContext([request, buildResponse()], controller))).toBe(true);
    expect(request.auth?.claims?.sub).toBe('ada');
  });

  it('leaves the refusal of a token without the scopes of the server to the transport (AUTH-08)', () => {
    const request = buildRequest('Authorization', `Bearer ${WEAK}`);
    expect(check(request)).toBe(true);
    expect(readState(request)).toEqual({
      refusal: expect.objectContaining({
        code: 403,
        message: 'insufficient_scope: desk:use',
        wwwAuthenticate: `Bearer error="insufficient_scope", scope="desk:use", resource_metadata="${METADATA}", error_description="The token lacks a required scope"`,
      }),
    });
    expect(request.auth).toBeUndefined();
  });

  it('leaves an outage to the transport (AUTH-12)', async () => {
    const request = buildRequest('Authorization', 'Bearer outage');
    expect(await check(request)).toBe(true);
    expect(readState(request)?.refusal).toBe(outage);
    expect(readState(request)?.authentication).toBeUndefined();
  });

  it('lets a request without a token pass while some handler is public, with nothing allowed (STEP-06)', () => {
    catalog.tools.add({ name: 'hours', isPublic: true }, () => '');
    const request = buildRequest();
    expect(check(request)).toBe(true);
    expect(readState(request)).toEqual({ authentication: undefined, span: undefined });
    expect(request.auth?.claims).toBeUndefined();
    expect(() => request.auth?.requireScope('desk:use')).toThrow(
      expect.objectContaining({ wwwAuthenticate: MISSING }),
    );
  });

  it('checks the token of a request that could come without (AUTH-08) (AUTH-14)', async () => {
    catalog.tools.add({ name: 'hours', isPublic: true }, () => '');
    expect(await challengeOf(buildRequest('Authorization', 'Bearer nobody'))).toBe(INVALID);
    const weak = buildRequest('Authorization', `Bearer ${WEAK}`);
    expect(check(weak)).toBe(true);
    expect(readState(weak)?.refusal).toMatchObject({ code: 403 });
  });
});

describe('McpAuthGuard before a handler', () => {
  const contextFor = (auth: object) => {
    const context = buildContext([{}, { auth }], controller);
    context.setType('mcp');
    return context;
  };

  it('lets a caller with a token pass (AUTH-16)', () => {
    expect(guard.canActivate(contextFor(buildAuth({})))).toBe(true);
  });

  it('asks a caller without one for it (AUTH-14) (AUTH-16)', () => {
    expect(() => guard.canActivate(contextFor(buildAuth()))).toThrow(
      expect.objectContaining({ name: 'AuthError', code: 401, wwwAuthenticate: MISSING }),
    );
  });
});
