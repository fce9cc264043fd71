import { describe, expect, it } from '@jest/globals';
import type { AuthView } from '../../../../lib/server/context/auth-view.interface.js';
import { NO_AUTH } from '../../../../lib/server/context/request-auth.js';
import { AuthError } from '../../../../lib/core/oauth/auth.error.js';
import { buildAuth, buildCaller, METADATA_URL } from '../../support/caller.js';

function catchRefusal(auth: AuthView, ...scopes: string[]): AuthError | undefined {
  try {
    auth.requireScope(...scopes);
    return undefined;
  } catch (error) {
    if (error instanceof AuthError) return error;
    throw error;
  }
}

describe('What a request with a token is allowed', () => {
  const auth = buildAuth({ sub: 'ada', scopes: ['desk:read', 'desk:list'] }, ['desk:read', 'desk:close']);

  it('shows the claims of the token (AUTH-10)', () => {
    expect(auth.claims).toEqual({
      sub: 'ada',
      aud: [],
      scopes: ['desk:read', 'desk:list'],
      extra: {},
    });
    expect(auth.authentication).toEqual(buildCaller({ sub: 'ada', scopes: ['desk:read', 'desk:list'] }));
  });

  it.each([
    ['desk:read', true],
    ['desk:list', true],
    ['desk:write', false],
    ['desk', false],
    ['Desk:Read', false],
    ['desk:read desk:list', false],
    ['', false],
    ['constructor', false],
  ])('has the scope %j: %j (AUTH-10)', (scope, expected) => {
    expect(auth.hasScope(scope)).toBe(expected);
  });

  it('lets pass what needs scopes that the token has, or none (AUTH-10)', () => {
    expect(catchRefusal(auth, 'desk:read')).toBeUndefined();
    expect(catchRefusal(auth, 'desk:list', 'desk:read')).toBeUndefined();
    expect(catchRefusal(auth)).toBeUndefined();
  });

  it('asks for every scope that the call needs, held or not, in the order in which they are declared (STEP-01)', () => {
    const fresh = buildAuth({ sub: 'ada', scopes: ['desk:read', 'desk:list'] }, ['desk:read', 'desk:close']);
    const refusal = catchRefusal(fresh, 'desk:write', 'desk:list', 'desk:read');
    expect(refusal).toMatchObject({
      code: 403,
      message: 'insufficient_scope: desk:read desk:close desk:write desk:list',
    });
    expect(refusal?.wwwAuthenticate).toMatch(
      /^Bearer error="insufficient_scope", scope="desk:read desk:close desk:write desk:list", resource_metadata="/,
    );
  });

  it('asks again for what was asked for before, until it begins again (XTN-04)', () => {
    const fresh = buildAuth({ sub: 'ada', scopes: ['desk:read', 'desk:list'] }, ['desk:close']);
    expect(catchRefusal(fresh, 'desk:list')).toBeUndefined();
    expect(catchRefusal(fresh, 'desk:write')?.message).toBe(
      'insufficient_scope: desk:close desk:list desk:write',
    );
    fresh.begin(['desk:read']);
    expect(fresh.requiredScopes).toEqual([]);
    expect(catchRefusal(fresh, 'desk:write')?.message).toBe('insufficient_scope: desk:read desk:write');
  });

  it('is answered with 403 where one of several is missing (AUTH-08)', () => {
    expect(catchRefusal(auth, 'desk:read', 'desk:write')?.code).toBe(403);
  });
});

describe('What a request without a token is allowed', () => {
  const auth = buildAuth(undefined, ['desk:close']);

  it('is nothing that needs one (AUTH-14)', () => {
    expect([auth.claims, auth.authentication, auth.hasScope('desk:read')]).toEqual([
      undefined,
      undefined,
      false,
    ]);
    for (const scopes of [[], ['desk:read']]) {
      const refusal = catchRefusal(auth, ...scopes);
      expect(refusal).toMatchObject({ code: 401, message: 'Unauthorized' });
      expect(refusal?.wwwAuthenticate).toBe(`Bearer resource_metadata="${METADATA_URL}", scope="desk:read"`);
    }
  });
});

describe('What a request to an open server is allowed', () => {
  it('has neither claims nor scopes, and no challenge to ask for them (AUTH-01)', () => {
    expect([NO_AUTH.claims, NO_AUTH.hasScope('desk:read')]).toEqual([undefined, false]);
    const refusal = catchRefusal(NO_AUTH, 'desk:read', 'desk:write');
    expect(refusal).toMatchObject({ code: 403, message: 'insufficient_scope: desk:read desk:write' });
    expect(refusal?.wwwAuthenticate).toBeUndefined();
  });
});
