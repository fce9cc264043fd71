import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TokenOrigin } from '../../../lib/auth/last-callers.js';
import type { McpAuthenticator } from '../../../lib/auth/mcp-authenticator.js';
import type { Authentication } from '../../../lib/context/authentication.interface.js';
import type { AuthOptions } from '../../../lib/settings/auth-options.interface.js';
import { AUDIENCE, TestIssuer } from '../../support/issuer.js';
import { bootAuth } from '../support/guarded.js';

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
    await boot({ jwt: jwt(), validator: { validate: () => ({ sub: 'ada' }) } });
    expect(await bring(await issuer.token(), 3)).toMatchObject({ method: 'jwt' });
    expect(await bring('opaque-token-of-ada', 3)).toBeUndefined();
  });

  it('is nothing of a token whose origin is not told (AUTH-11)', async () => {
    await boot({ bearer: { token: FIXED, subject: 'ada' } });
    const origin = { connection: {}, authorization: `Bearer ${FIXED}` };
    for (let count = 0; count < 3; count += 1) await authenticator.authenticate(FIXED);
    expect(authenticator.recall(origin)).toBeUndefined();
  });
});
