import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { idp } from '../../../../../lib/server/auth/identity-providers/idp.js';
import { InvalidTokenError } from '../../../../../lib/server/auth/errors.js';
import { McpConfigurationError } from '../../../../../lib/server/settings/mcp-configuration.error.js';
import { ProviderTokens, RESOURCE, TIMES } from '../../../support/provider-tokens.js';

const REALM = { url: 'https://login.example.com', realm: 'desk' };

/** As Keycloak 26 writes it for a client whose scope `desk:read` has an audience mapper. */
const ACCESS_TOKEN = {
  ...TIMES,
  auth_time: TIMES.iat,
  jti: 'onrtac:d58f5dc8-fd8f-462b-8a19-716f8f83985b',
  iss: 'https://login.example.com/realms/desk',
  aud: [RESOURCE, 'account'],
  sub: '36fa0f91-f94d-4a0c-afed-6b7d952e47da',
  typ: 'Bearer',
  azp: 'desk-app',
  sid: '2a88c258-f73a-4103-b862-e1fbd8f4e04e',
  acr: '1',
  'allowed-origins': ['https://app.example.com'],
  realm_access: { roles: ['offline_access', 'default-roles-desk', 'uma_authorization'] },
  resource_access: { account: { roles: ['manage-account', 'view-profile'] } },
  scope: 'openid email profile desk:read',
  email_verified: true,
  preferred_username: 'ada',
  email: 'ada@example.com',
};

describe('idp.keycloak', () => {
  let keycloak: ProviderTokens;

  beforeAll(async () => {
    keycloak = await ProviderTokens.start();
  });

  afterAll(() => keycloak.stop());

  async function validate(payload: object, header: { readonly typ?: string } = { typ: 'JWT' }) {
    const jwt = idp.keycloak({ ...REALM, jwksUrl: keycloak.jwksUrl });
    return keycloak.validate(jwt, await keycloak.sign(payload, header));
  }

  it('takes an access token of the realm, and roles for no scopes (AUTH-17)', async () => {
    const claims = await validate(ACCESS_TOKEN);
    expect(claims).toMatchObject({
      sub: '36fa0f91-f94d-4a0c-afed-6b7d952e47da',
      iss: 'https://login.example.com/realms/desk',
      aud: [RESOURCE, 'account'],
      clientId: 'desk-app',
      expiresAt: TIMES.exp,
    });
    expect(claims.scopes).toEqual(['openid', 'email', 'profile', 'desk:read']);
    expect(claims.extra).toMatchObject({
      preferred_username: 'ada',
      realm_access: ACCESS_TOKEN.realm_access,
    });
  });

  it('takes an access token of a client that is set to use at+jwt (AUTH-17)', async () => {
    expect(await validate(ACCESS_TOKEN, { typ: 'at+jwt' })).toMatchObject({ clientId: 'desk-app' });
  });

  it('takes an access token of a service account (AUTH-17)', async () => {
    const claims = { clientHost: '10.0.0.7', client_id: 'desk-job', azp: 'desk-job', scope: 'desk:read' };
    expect(await validate({ ...ACCESS_TOKEN, ...claims })).toMatchObject({ clientId: 'desk-job' });
  });

  it.each([
    ['without an audience mapper', { aud: 'account' }],
    ['without an audience mapper and roles', { aud: undefined }],
    ['that is an ID token, even one for the server', { typ: 'ID', aud: RESOURCE, nonce: 'n', at_hash: 'h' }],
    ['that is a logout token', { typ: 'Logout', aud: RESOURCE }],
  ])('refuses a token %s (AUTH-17)', async (_, claims) => {
    await expect(validate({ ...ACCESS_TOKEN, ...claims })).rejects.toThrow(InvalidTokenError);
  });

  it('does not recognize a token of another realm (AUTH-17)', async () => {
    const other = { ...ACCESS_TOKEN, iss: 'https://login.example.com/realms/mail' };
    await expect(validate(other)).rejects.toThrow('Not recognized: "iss" is');
  });

  it('finds issuer and keys below the path that Keycloak has (AUTH-17)', () => {
    expect(idp.keycloak({ url: 'http://localhost:8080/auth/', realm: 'desk' })).toMatchObject({
      issuer: 'http://localhost:8080/auth/realms/desk',
      jwksUrl: 'http://localhost:8080/auth/realms/desk/protocol/openid-connect/certs',
    });
  });

  it.each([
    [{ ...REALM, url: 'ftp://login.example.com' }, 'idp.keycloak.url'],
    [{ ...REALM, url: '' }, 'idp.keycloak.url'],
    [{ ...REALM, realm: 'desk/protocol' }, 'idp.keycloak.realm'],
    [{ ...REALM, realm: '' }, 'idp.keycloak.realm'],
  ])('refuses %j (AUTH-17)', (options, option) => {
    expect(() => idp.keycloak(options)).toThrow(McpConfigurationError);
    expect(() => idp.keycloak(options)).toThrow(option);
  });
});
