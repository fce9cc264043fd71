import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { idp, type WorkosOptions } from '../../../../../lib/server/auth/identity-providers/idp.js';
import { InvalidTokenError } from '../../../../../lib/server/auth/errors.js';
import { McpConfigurationError } from '../../../../../lib/server/settings/mcp-configuration.error.js';
import { ProviderTokens, RESOURCE, TIMES } from '../../../support/provider-tokens.js';

const ENVIRONMENT = 'client_01JP8BD0CZ401TDF9X54NT5ZEK';
const CLIENT = 'client_01KX6ZJXT8RPBWGQAYYRDJDFFR';

/** As WorkOS Connect writes it for an MCP client that asked with `resource`. */
const ACCESS_TOKEN = {
  ...TIMES,
  iss: 'https://desk.authkit.app',
  aud: RESOURCE,
  sub: 'user_01JNQZ4ZQ9SAQ4HQ1X7AHDX6W0',
  client_id: CLIENT,
  org_id: 'org_01KX6ZFWZPN8MVC4PMWGHH4ZFD',
  sid: 'app_consent_01KX6ZJXT8RPBWGQAYYRDJDFFR',
  scope: 'openid profile desk:read',
  jti: '01KX6ZKAAAAAAAAAAAAAAAAAAA',
};

describe('idp.workos', () => {
  let workos: ProviderTokens;

  beforeAll(async () => {
    workos = await ProviderTokens.start();
  });

  afterAll(() => workos.stop());

  async function validate(payload: object, options: Partial<WorkosOptions> = {}, header = {}) {
    const jwt = idp.workos({ domain: 'desk.authkit.app', jwksUrl: workos.jwksUrl, ...options });
    return workos.validate(jwt, await workos.sign(payload, header));
  }

  it.each([[{}], [{ typ: 'JWT' }], [{ typ: 'at+jwt' }]])(
    'takes an access token whose header has %j besides key and algorithm (AUTH-17)',
    async (header) => {
      const claims = await validate(ACCESS_TOKEN, {}, header);
      expect(claims).toMatchObject({
        sub: 'user_01JNQZ4ZQ9SAQ4HQ1X7AHDX6W0',
        iss: 'https://desk.authkit.app',
        aud: [RESOURCE],
        clientId: CLIENT,
        scopes: ['openid', 'profile', 'desk:read'],
      });
      expect(claims.extra).toMatchObject({ org_id: 'org_01KX6ZFWZPN8MVC4PMWGHH4ZFD' });
    },
  );

  it('takes the environment for an audience only where that is said (AUTH-17)', async () => {
    const machine = { ...ACCESS_TOKEN, aud: ENVIRONMENT, sub: CLIENT, sid: undefined };
    await expect(validate(machine)).rejects.toThrow(InvalidTokenError);
    const options = { audience: [RESOURCE, ENVIRONMENT] };
    expect(await validate(machine, options)).toMatchObject({ sub: CLIENT, clientId: CLIENT });
    expect(await validate(ACCESS_TOKEN, options)).toMatchObject({ aud: [RESOURCE] });
  });

  it.each([
    ['for another resource', { aud: 'https://mail.example.com/mcp' }],
    ['that is an ID token', { aud: CLIENT, nonce: 'n' }],
  ])('refuses a token %s (AUTH-17)', async (_, claims) => {
    await expect(validate({ ...ACCESS_TOKEN, ...claims })).rejects.toThrow(InvalidTokenError);
  });

  it('does not recognize a session token of AuthKit (AUTH-17)', async () => {
    const session = { ...ACCESS_TOKEN, iss: `https://api.workos.com/user_management/${ENVIRONMENT}` };
    await expect(validate(session)).rejects.toThrow('Not recognized: "iss" is');
  });

  it('finds issuer and keys of a domain (AUTH-17)', () => {
    expect(idp.workos({ domain: 'https://login.example.com/' })).toMatchObject({
      issuer: 'https://login.example.com',
      jwksUrl: 'https://login.example.com/oauth2/jwks',
    });
  });

  it('refuses a domain that keys could not safely come from (AUTH-17)', () => {
    const options = { domain: 'http://desk.authkit.app' };
    expect(() => idp.workos(options)).toThrow(McpConfigurationError);
    expect(() => idp.workos(options)).toThrow('idp.workos.domain');
  });
});
