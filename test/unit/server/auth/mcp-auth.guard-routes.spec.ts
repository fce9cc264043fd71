import type { ServerResponse } from 'node:http';
import {
  type Type,
  ForbiddenException,
  ServiceUnavailableException,
  UnauthorizedException,
} from '@nestjs/common';
import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  type AuthenticatedRequest,
  type GuardedRequest,
  McpAuthGuard,
} from '../../../../lib/server/auth/mcp-auth.guard.js';
import type { McpAuthenticator } from '../../../../lib/server/auth/mcp-authenticator.js';
import { AuthUnavailableError } from '../../../../lib/server/auth/errors.js';
import type { Authentication } from '../../../../lib/server/context/authentication.js';
import { Public, RequireScope } from '../../../../lib/server/decorators/access.decorators.js';
import { CALLER, RecordedTraces } from '../../../support/records/recorded-traces.js';
import { buildCaller } from '../../support/caller.js';
import { bootAuth, buildContext, buildRequest, buildResponse, readState } from '../../support/guarded.js';

const FIXED = 'a-fixed-token-of-the-desk';
const METADATA = 'https://desk.example.com/.well-known/oauth-protected-resource/mcp';
const outage = new AuthUnavailableError('the table of keys is gone', { retryAfterSeconds: 9 });
const traces = new RecordedTraces();

const AUTH = {
  resourceUri: 'https://desk.example.com/mcp',
  authorizationServers: ['https://login.example.com'],
  bearer: { token: FIXED, subject: 'ada', scopes: ['desk:read'] },
  validator: {
    validate: () => {
      throw outage;
    },
  },
};

class Report {
  @RequireScope('desk:read')
  read() {}

  @RequireScope('desk:write')
  write() {}

  @Public()
  hours() {}
}

/** Tells whom a request is from in a way of its own. */
class OwnGuard extends McpAuthGuard {
  constructor(
    authenticator: McpAuthenticator,
    private readonly tell: () => unknown,
  ) {
    super(authenticator);
  }

  protected override authenticate(_: GuardedRequest) {
    return this.tell() as Authentication | undefined | Promise<Authentication>;
  }
}

let authenticator: McpAuthenticator;
let guard: McpAuthGuard;
let controller: Type;
let response: ServerResponse;

beforeEach(async () => {
  ({ authenticator, controller } = await bootAuth(AUTH));
  guard = new McpAuthGuard(authenticator);
  response = buildResponse();
});

/** Gives what the guard makes of a request to a route: whether it passes, or the error that it ends with. */
async function check(name: string, request: AuthenticatedRequest): Promise<unknown> {
  try {
    return await guard.canActivate(buildContext([request, response], Report, name));
  } catch (error) {
    return error;
  }
}

const withToken = () => buildRequest('Authorization', `Bearer ${FIXED}`);

describe('McpAuthGuard before a route of the application', () => {
  it('lets a token with the scopes of the route pass (AUTH-16)', async () => {
    const request = withToken();
    expect(await check('read', request)).toBe(true);
    expect(request.auth?.claims?.sub).toBe('ada');
    expect(readState(request)?.authentication?.claims.sub).toBe('ada');
  });

  it("answers what a handler misses by Nest's exception, and names what the route needs too (AUTH-16)", async () => {
    const request = withToken();
    await check('read', request);
    expect(() => request.auth?.requireScope('desk:admin')).toThrow(ForbiddenException);
    expect(response.getHeader('WWW-Authenticate')).toContain('scope="desk:read desk:admin"');
  });

  it("refuses a token without a scope of the route by Nest's exception (AUTH-08) (AUTH-16)", async () => {
    const request = withToken();
    const refusal = await check('write', request);
    expect(refusal).toBeInstanceOf(ForbiddenException);
    expect(refusal).toMatchObject({ message: 'insufficient_scope: desk:write' });
    expect(response.getHeader('WWW-Authenticate')).toBe(
      `Bearer error="insufficient_scope", scope="desk:write", resource_metadata="${METADATA}", error_description="The token lacks a required scope"`,
    );
    expect(request.auth).toBeUndefined();
    expect(readState(request)).toBeUndefined();
  });

  it("asks for a token by Nest's exception at once (AUTH-14) (AUTH-16)", () => {
    const run = () => guard.canActivate(buildContext([buildRequest(), response], Report, 'read'));
    expect(run).toThrow(UnauthorizedException);
    expect(response.getHeader('WWW-Authenticate')).toBe(`Bearer resource_metadata="${METADATA}"`);
  });

  it('lets a request without a token pass where the route is public (AUTH-16)', async () => {
    const request = buildRequest();
    expect(await check('hours', request)).toBe(true);
    expect(request.auth?.claims).toBeUndefined();
    expect(() => request.auth?.requireScope('desk:read')).toThrow(UnauthorizedException);
  });

  it('tells when to come again, as a rejection, where tokens cannot be checked (AUTH-12)', async () => {
    const request = buildRequest('Authorization', 'Bearer of-somebody-else');
    const checked = guard.canActivate(buildContext([request, response], Report, 'hours'));
    await expect(checked).rejects.toBeInstanceOf(ServiceUnavailableException);
    expect(response.getHeader('Retry-After')).toBe('9');
    expect(response.hasHeader('WWW-Authenticate')).toBe(false);
  });
});

describe('A class that extends McpAuthGuard', () => {
  /** Has the guard ask a class that tells callers in its own way, before the endpoint. */
  const run = (request: AuthenticatedRequest, tell: () => unknown) =>
    new OwnGuard(authenticator, tell).canActivate(buildContext([request, response], controller));

  it('may tell callers in its own way, at once (AUTH-16)', () => {
    const request = buildRequest();
    expect(run(request, () => buildCaller({ sub: 'bob' }))).toBe(true);
    expect(request.auth?.claims?.sub).toBe('bob');
  });

  it("may give a library's promise, which is no caller until it is settled (AUTH-16)", async () => {
    const caller = buildCaller({ sub: 'bob' });
    const promise = { then: (settle: (given: Authentication) => void) => settle(caller) };
    const request = buildRequest();
    const checked = run(request, () => promise);
    expect(request.auth).toBeUndefined();
    expect(await checked).toBe(true);
    expect(request.auth?.claims?.sub).toBe('bob');
  });

  it('does not let pass whom it does not know, where a token is needed (AUTH-01)', async () => {
    for (const tell of [() => undefined, () => Promise.resolve(undefined)]) {
      const request = buildRequest();
      expect(await run(request, tell)).toBe(true);
      expect(readState(request)?.refusal).toMatchObject({ code: 401, message: 'Unauthorized' });
      expect(request.auth).toBeUndefined();
    }
  });

  it('may fail, and that is no refusal (AUTH-16)', async () => {
    const failure = new TypeError('No such table');
    const request = buildRequest();
    const fail = () => {
      throw failure;
    };
    expect(() => run(request, fail)).toThrow(failure);
    await expect(run(request, () => Promise.reject(failure))).rejects.toBe(failure);
    expect(readState(request)).toBeUndefined();
  });
});

describe('McpAuthGuard with a tracer provider', () => {
  const { provider: tracerProvider } = traces;

  beforeEach(async () => {
    traces.clear();
    ({ authenticator, controller } = await bootAuth({ ...AUTH, jwt: { tracerProvider } }));
    guard = new McpAuthGuard(authenticator);
  });

  /** Ends the answer, and gives the span of the request. */
  const end = (status: number) => {
    response.writeHead(status);
    response.emit('close');
    return traces.span('mcp.request');
  };

  it("begins a span below the caller's, and ends it with the answer (TRACE-02)", async () => {
    const request = buildRequest('Authorization', `Bearer ${FIXED}`, 'traceparent', CALLER.traceparent);
    expect(guard.canActivate(buildContext([request, response], controller))).toBe(true);
    expect(readState(request)?.span).toBeDefined();
    expect(traces.spans).toEqual([]);
    const span = await end(202);
    expect(span.spanContext().traceId).toBe(CALLER.traceId);
    expect(span.status).toEqual({ code: 0 });
    expect(span.attributes).toMatchObject({
      'mcp.auth.method': 'bearer',
      'mcp.auth.subject': 'ada',
      'http.response.status_code': 202,
    });
  });

  it('notes a refusal on the span, which the transport gets too (TRACE-02)', async () => {
    const request = buildRequest();
    expect(guard.canActivate(buildContext([request, { raw: response }], controller))).toBe(true);
    expect(readState(request)?.refusal).toMatchObject({ code: 401 });
    expect(readState(request)?.span).toBeDefined();
    const span = await end(401);
    expect(span.status).toEqual({ code: 2, message: 'Unauthorized' });
    expect(span.attributes['http.response.status_code']).toBe(401);
  });
});
