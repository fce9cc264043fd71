import { afterAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ExecutionContext, Type } from '@nestjs/common';
import { type AuthenticatedRequest, McpAuthGuard } from '../../../../lib/server/auth/mcp-auth.guard.js';
import type { McpAuthenticator } from '../../../../lib/server/auth/mcp-authenticator.js';
import { StaticBearerValidator } from '../../../../lib/server/auth/validators/static-bearer.validator.js';
import { bootAuth, buildContext, buildRequest, buildResponse } from '../../support/guarded.js';

const ADA = { token: 'a-fixed-token-of-the-desk', subject: 'ada' };
const BOB = { token: 'another-token-of-the-desk', subject: 'bob' };

describe('McpAuthGuard over connections', () => {
  let authenticator: McpAuthenticator;
  let controller: Type;
  let guard: McpAuthGuard;
  const validate = jest.spyOn(StaticBearerValidator.prototype, 'validate');

  beforeEach(async () => {
    ({ authenticator, controller } = await bootAuth({ bearer: [ADA, BOB] }));
    guard = new McpAuthGuard(authenticator);
    validate.mockClear();
  });

  afterAll(() => validate.mockRestore());

  function build({ token }: { token: string }, parts: Partial<AuthenticatedRequest>): AuthenticatedRequest {
    return { httpVersionMajor: 1, ...buildRequest('Authorization', `Bearer ${token}`), ...parts };
  }

  /** Gives whom the guard takes a request for. */
  async function tell(request: AuthenticatedRequest): Promise<string | undefined> {
    await guard.canActivate(buildContext([request, buildResponse()], controller));
    return request.auth?.claims?.sub;
  }

  it('looks no token up that came twice over one (AUTH-11)', async () => {
    const socket = {};
    for (let count = 0; count < 5; count += 1) expect(await tell(build(ADA, { socket }))).toBe('ada');
    expect(validate).toHaveBeenCalledTimes(2);
  });

  it('knows connections behind what an adapter makes of a request (AUTH-11)', async () => {
    const raw = build(ADA, { socket: {} });
    for (let count = 0; count < 5; count += 1) expect(await tell({ ...build(ADA, {}), raw })).toBe('ada');
    expect(validate).toHaveBeenCalledTimes(2);
  });

  it('looks tokens up anew after the cache was cleared (AUTH-11)', async () => {
    const socket = {};
    for (let count = 0; count < 3; count += 1) await tell(build(ADA, { socket }));
    authenticator.clearCache();
    validate.mockClear();
    expect(await tell(build(ADA, { socket }))).toBe('ada');
    expect(validate).toHaveBeenCalledTimes(1);
  });

  it.each<[string, Partial<AuthenticatedRequest>]>([
    ['HTTP/2, whose sockets are of one request', { socket: {}, httpVersionMajor: 2 }],
    ['none', {}],
    ['none that can be told', { socket: null }],
  ])('looks each token up over %s (AUTH-11)', async (_, parts) => {
    for (let count = 0; count < 4; count += 1) expect(await tell(build(ADA, parts))).toBe('ada');
    expect(validate).toHaveBeenCalledTimes(4);
  });

  it('asks an authenticator with checks of its own each time (AUTH-16)', async () => {
    const socket = {};
    for (let count = 0; count < 3; count += 1) expect(await tell(build(ADA, { socket }))).toBe('ada');
    jest.spyOn(authenticator, 'authenticate').mockRejectedValue(authenticator.challenges.invalidToken());
    expect(await tell(build(ADA, { socket }))).toBeUndefined();
  });

  it('knows callers of one server alone (AUTH-18)', async () => {
    const socket = {};
    for (let count = 0; count < 3; count += 1) await tell(build(ADA, { socket }));
    const other = await bootAuth({ bearer: BOB });
    guard = new McpAuthGuard(other.authenticator);
    ({ controller } = other);
    expect(await tell(build(ADA, { socket }))).toBeUndefined();
    expect(await tell(build(BOB, { socket }))).toBe('bob');
  });

  it('takes requests from contexts that are not made by Nest (AUTH-16)', async () => {
    const request = build(ADA, { socket: {} });
    const http = { getRequest: () => request, getResponse: buildResponse };
    const context = {
      getType: () => 'http',
      getClass: () => controller,
      getHandler: () => tell,
      switchToHttp: () => http,
    };
    expect(await guard.canActivate(context as unknown as ExecutionContext)).toBe(true);
    expect(request.auth?.claims?.sub).toBe('ada');
  });
});
