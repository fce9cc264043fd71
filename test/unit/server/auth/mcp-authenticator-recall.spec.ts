import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { TokenOrigin } from '../../../../lib/server/auth/authorization-header.js';
import type { McpAuthenticator } from '../../../../lib/server/auth/mcp-authenticator.js';
import type { Authentication } from '../../../../lib/server/context/authentication.js';
import type { AuthOptions } from '../../../../lib/server/settings/auth/auth-options.js';
import type { RequestSpan } from '../../../../lib/server/telemetry/request-tracing.js';
import { AUDIENCE, TestIssuer } from '../../../support/authorization/issuer.js';
import { bootAuth } from '../../support/guarded.js';
import { CLIENT, IntrospectionServer } from '../../support/introspection-server.js';

const FIXED = 'a-fixed-token-of-the-desk';

describe('What McpAuthenticator recalls of a connection', () => {
  let issuer: TestIssuer;
  let authenticator: McpAuthenticator;

  beforeAll(async () => {
    issuer = await TestIssuer.start();
  });

  afterAll(() => issuer.stop());

  async function boot(auth: AuthOptions): Promise<void> {
    const served = { resourceUri: AUDIENCE, authorizationServers: [issuer.url] };
    ({ authenticator } = await bootAuth({ ...served, ...auth }));
  }

  /** Has a token come several times over a connection, and gives what is recalled of it then. */
  async function bring(token: string, times: number): Promise<Authentication | undefined> {
    const origin: TokenOrigin = { connection: {}, authorization: `Bearer ${token}` };
    for (let count = 0; count < times; count += 1) {
      await authenticator.authenticate(token, undefined, origin);
    }
    return authenticator.recall(origin);
  }

  const jwt = () => ({ jwksUrl: issuer.jwksUrl });

  it('is a fixed token that came twice (AUTH-03)', async () => {
    await boot({ bearer: { token: FIXED, subject: 'ada' } });
    expect(await bring(FIXED, 1)).toBeUndefined();
    expect(await bring(FIXED, 2)).toMatchObject({ method: 'bearer', claims: { sub: 'ada' } });
  });

  it('is a token that came twice after it was validated, whichever validator knows it (AUTH-11) (AUTH-18)', async () => {
    const other = { issuer: 'https://other.example.com', audience: AUDIENCE, jwksUrl: issuer.jwksUrl };
    await boot({ bearer: FIXED, jwt: [other, { issuer: issuer.url, ...jwt() }] });
    const token = await issuer.token();
    expect(await bring(token, 2)).toBeUndefined();
    expect(await bring(token, 2)).toMatchObject({ method: 'jwt' });
  });

  it("is nothing that the application's own validator says, which is asked each time (AUTH-18)", async () => {
    const validate = jest.fn(() => ({ sub: 'ada' }));
    await boot({ jwt: jwt(), validator: { validate } });
    expect(await bring(await issuer.token(), 3)).toMatchObject({ method: 'jwt' });
    expect(validate).not.toHaveBeenCalled();
    expect(await bring('opaque-token-of-ada', 3)).toBeUndefined();
    expect(validate).toHaveBeenCalledTimes(3);
  });

  it("is nothing that is known behind the application's own validator, which may come to know it (AUTH-18)", async () => {
    const server = await IntrospectionServer.start();
    server.know('opaque-token-of-ada', { aud: AUDIENCE });
    const validate = jest.fn(() => undefined);
    await boot({ validator: { validate }, introspection: { endpoint: server.endpointUrl, ...CLIENT } });
    expect(await bring('opaque-token-of-ada', 3)).toBeUndefined();
    expect([validate.mock.calls.length, server.questions.length]).toEqual([3, 1]);
    await server.stop();
  });

  it('is the same as was let in, with the right to exchange its token (AUTH-11)', async () => {
    await boot({ bearer: { token: FIXED, subject: 'ada' } });
    expect(await bring(FIXED, 2)).toBe(authenticator.authenticate(FIXED));
  });

  it('is told on the span as that of any other request (TRACE-02)', async () => {
    await boot({ jwt: jwt() });
    const token = await issuer.token({ sub: 'ada', scope: 'desk:read' });
    const origin = { connection: {}, authorization: `Bearer ${token}` };
    for (let count = 0; count < 3; count += 1) await authenticator.authenticate(token, undefined, origin);
    const set = jest.fn<RequestSpan['set']>();
    authenticator.recall(origin, { set } as Partial<RequestSpan> as RequestSpan);
    expect(Object.fromEntries(set.mock.calls)).toEqual({
      'mcp.auth.method': 'jwt',
      'mcp.auth.subject': 'ada',
      'mcp.auth.issuer': issuer.url,
      'mcp.auth.scopes': 'desk:read',
      'mcp.auth.cache_hit': 'true',
    });
  });

  it('is nothing of a token whose origin is not told (AUTH-11)', async () => {
    await boot({ bearer: { token: FIXED, subject: 'ada' } });
    const origin = { connection: {}, authorization: `Bearer ${FIXED}` };
    for (let count = 0; count < 3; count += 1) await authenticator.authenticate(FIXED);
    expect(authenticator.recall(origin)).toBeUndefined();
  });
});
