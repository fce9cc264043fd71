import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { ForbiddenException, ServiceUnavailableException, UnauthorizedException } from '@nestjs/common';
import { createAuthException } from '../../../../lib/server/auth/auth-refusal.js';
import { RouteAuth } from '../../../../lib/server/auth/auth-routes.js';
import { AuthUnavailableError } from '../../../../lib/server/auth/errors.js';
import { AuthError } from '../../../../lib/core/oauth/auth.error.js';
import { buildAuth, METADATA_URL } from '../../support/caller.js';

let response: ServerResponse;

beforeEach(() => {
  response = new ServerResponse(new IncomingMessage(new Socket()));
});

function catchFailure(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

describe('RouteAuth', () => {
  it('shows what the token says (AUTH-16) (AUTH-10)', () => {
    const auth = new RouteAuth(buildAuth({ sub: 'ada', scopes: ['desk:read'] }), response);
    expect(auth.claims?.sub).toBe('ada');
    expect([auth.hasScope('desk:read'), auth.hasScope('desk:write')]).toEqual([true, false]);
    expect(() => auth.requireScope('desk:read')).not.toThrow();
    expect(response.hasHeader('WWW-Authenticate')).toBe(false);
  });

  it("answers a missing scope by Nest's exception, with the challenge (AUTH-16)", () => {
    const auth = new RouteAuth(buildAuth({ scopes: ['desk:read'] }), response);
    const refusal = catchFailure(() => auth.requireScope('desk:read', 'desk:write'));
    expect(refusal).toBeInstanceOf(ForbiddenException);
    expect(refusal).toMatchObject({ message: 'insufficient_scope: desk:read desk:write' });
    expect((refusal as Error).cause).toBeInstanceOf(AuthError);
    expect(response.getHeader('WWW-Authenticate')).toContain(
      `scope="desk:read desk:write", resource_metadata="${METADATA_URL}"`,
    );
  });

  it("answers a missing token by Nest's exception, and what is no refusal as it is (AUTH-16)", async () => {
    const auth = new RouteAuth(buildAuth(), response);
    expect(auth.claims).toBeUndefined();
    expect(catchFailure(() => auth.requireScope('desk:read'))).toBeInstanceOf(UnauthorizedException);
    const failure = new TypeError('That is no audience');
    const failing = new RouteAuth(
      Object.assign(buildAuth(), { exchange: () => Promise.reject(failure) }),
      response,
    );
    await expect(failing.exchange()).rejects.toBe(failure);
    const refusal = new AuthError(401, 'Unauthorized', 'Bearer error="invalid_token"');
    const refused = new RouteAuth(
      Object.assign(buildAuth(), { exchange: () => Promise.reject(refusal) }),
      response,
    );
    await expect(refused.exchange()).rejects.toBeInstanceOf(UnauthorizedException);
    expect(response.getHeader('WWW-Authenticate')).toBe('Bearer error="invalid_token"');
  });
});

describe('createAuthException', () => {
  it('gives a plain challenge where the refusal has none, on the response below that of the adapter (AUTH-16)', () => {
    const reply = { raw: response, setHeader: () => undefined } as never;
    const exception = createAuthException(new AuthError(401, 'Unauthorized'), reply);
    expect(exception).toBeInstanceOf(UnauthorizedException);
    expect(exception.message).toBe('Unauthorized');
    expect(response.getHeader('WWW-Authenticate')).toBe('Bearer');
  });

  it('tells when to come again where tokens cannot be checked, and not why (AUTH-12)', () => {
    const error = new AuthUnavailableError('the key set is gone', { retryAfterSeconds: 6.2 });
    const exception = createAuthException(error, response);
    expect(exception).toBeInstanceOf(ServiceUnavailableException);
    expect(exception).toMatchObject({ message: 'Tokens cannot be checked at the moment', cause: error });
    expect(response.getHeader('Retry-After')).toBe('7');
  });
});
