import { describe, expect, it } from '@jest/globals';
import { AuthError, findInsufficientScope, listMissing } from '../../../../lib/core/oauth/auth.error.js';
import { Challenges } from '../../../../lib/core/oauth/challenges.js';

const METADATA = 'https://desk.example.com/.well-known/oauth-protected-resource/mcp';

function createChallenges(scopes: readonly string[] = [], scopePrefix?: string): Challenges {
  return new Challenges({ resourceMetadataUrl: METADATA, scopePrefix, getFirstScopes: () => scopes });
}

const PLAIN = new Challenges({ getFirstScopes: () => ['desk:read'] });

describe('Challenges (RFC 6750 §3.1)', () => {
  it('names the metadata, and no error, where no token was sent (AUTH-14)', () => {
    const refusal = createChallenges().missingToken();
    expect(refusal).toBeInstanceOf(AuthError);
    expect(refusal).toMatchObject({
      code: 401,
      message: 'Unauthorized',
      wwwAuthenticate: `Bearer resource_metadata="${METADATA}"`,
    });
  });

  it('names the scopes to ask for where they are known (AUTH-14) (STEP-06)', () => {
    expect(createChallenges(['desk:read', 'desk:write']).missingToken().wwwAuthenticate).toBe(
      `Bearer resource_metadata="${METADATA}", scope="desk:read desk:write"`,
    );
  });

  it('asks for the scopes anew each time: handlers come and go (STEP-06)', () => {
    const scopes = ['desk:read'];
    const challenges = createChallenges(scopes);
    challenges.missingToken();
    scopes.push('desk:write');
    expect(challenges.missingToken().wwwAuthenticate).toContain('scope="desk:read desk:write"');
  });

  it.each([
    [2048, true],
    [2049, false],
  ])('names first scopes of %d characters: %s (AUTH-14)', (length, isNamed) => {
    const scopes = ['x'.repeat(1000), 'y'.repeat(length - 1001)];
    const { wwwAuthenticate } = createChallenges(scopes).missingToken();
    expect(wwwAuthenticate?.includes(`scope="${scopes.join(' ')}"`)).toBe(isNamed);
    expect(wwwAuthenticate?.includes('scope=')).toBe(isNamed);
  });

  it.each([
    [8192, true],
    [8193, false],
  ])('names needed scopes of %d characters: %s (STEP-02)', (length, isNamed) => {
    const { wwwAuthenticate } = createChallenges().insufficientScope(['x'.repeat(length)]);
    expect(wwwAuthenticate).toContain('error="insufficient_scope"');
    expect(wwwAuthenticate?.includes('scope="x')).toBe(isNamed);
  });

  it('says that a token is no good, and not why (AUTH-14)', () => {
    expect(createChallenges(['desk:read']).invalidToken()).toMatchObject({
      code: 401,
      message: 'Unauthorized',
      wwwAuthenticate: `Bearer resource_metadata="${METADATA}", scope="desk:read", error="invalid_token"`,
    });
  });

  it('says how a token is sent where none can be read (AUTH-02) (AUTH-14)', () => {
    const description = 'Send the token in one Authorization header, as Bearer <token>';
    expect(PLAIN.unreadableToken()).toMatchObject({
      code: 401,
      message: `Unauthorized: ${description}`,
      wwwAuthenticate: `Bearer error="invalid_token", error_description="${description}"`,
    });
  });

  it('is plain for a server without metadata (AUTH-14)', () => {
    expect(PLAIN.missingToken().wwwAuthenticate).toBe('Bearer');
    expect(PLAIN.invalidToken().wwwAuthenticate).toBe('Bearer error="invalid_token"');
  });

  it('names every scope that an operation needs, in the declared order (STEP-01) (STEP-02) (STEP-04)', () => {
    expect(createChallenges(['desk:read']).insufficientScope(['desk:write', 'desk:admin'])).toMatchObject({
      code: 403,
      message: 'insufficient_scope: desk:write desk:admin',
      wwwAuthenticate:
        'Bearer error="insufficient_scope", scope="desk:write desk:admin", ' +
        `resource_metadata="${METADATA}", error_description="The token lacks a required scope"`,
    });
  });

  it('names no scope where none is needed, and no metadata where there is none (STEP-02)', () => {
    expect(PLAIN.insufficientScope([]).wwwAuthenticate).toBe(
      'Bearer error="insufficient_scope", error_description="The token lacks a required scope"',
    );
  });

  it('writes scopes as the authorization server knows them, and as handlers do in its text (STEP-01)', () => {
    const challenges = createChallenges(['read'], 'api://desk/');
    expect(challenges.missingToken().wwwAuthenticate).toContain('scope="api://desk/read"');
    const refusal = challenges.insufficientScope(['read', 'write']);
    expect(refusal.wwwAuthenticate).toContain('scope="api://desk/read api://desk/write"');
    expect(refusal.message).toBe('insufficient_scope: read write');
  });

  it('notes with a refusal what the token lacks (STEP-01)', () => {
    const refusal = PLAIN.insufficientScope(['read', 'write'], ['read']);
    expect(findInsufficientScope(refusal)).toEqual({ needed: ['read', 'write'], held: ['read'] });
    expect(listMissing({ needed: ['read', 'write'], held: ['read'] })).toEqual(['write']);
    expect(findInsufficientScope(PLAIN.insufficientScope(['write']))).toEqual({
      needed: ['write'],
      held: [],
    });
    expect(findInsufficientScope(PLAIN.invalidToken())).toBeUndefined();
  });
});

describe('AuthError', () => {
  it('carries its code, and a challenge where one is given (STEP-04)', () => {
    expect(new AuthError(403, 'closed')).toMatchObject({ name: 'AuthError', code: 403, message: 'closed' });
    expect(new AuthError(403, 'closed').wwwAuthenticate).toBeUndefined();
    expect(new AuthError(401, 'closed', 'Bearer').wwwAuthenticate).toBe('Bearer');
  });
});
