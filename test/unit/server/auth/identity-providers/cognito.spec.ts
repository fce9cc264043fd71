import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CognitoOptions, idp } from '../../../../../lib/server/auth/identity-providers/idp.js';
import { InvalidTokenError } from '../../../../../lib/server/auth/errors.js';
import { McpConfigurationError } from '../../../../../lib/server/settings/mcp-configuration.error.js';
import { ProviderTokens, RESOURCE, TIMES } from '../../../support/provider-tokens.js';

const POOL = 'eu-central-1_AbCdEfGhI';
const CLIENT = '1example23456789';

/** As Cognito writes it for a client that did not ask with `resource`; its header has no `typ`. */
const ACCESS_TOKEN = {
  ...TIMES,
  sub: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee',
  'cognito:groups': ['testers'],
  iss: `https://cognito-idp.eu-central-1.amazonaws.com/${POOL}`,
  version: 2,
  client_id: CLIENT,
  origin_jti: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee',
  event_id: '64f513be-32db-42b0-b78e-b02127b4f463',
  token_use: 'access',
  scope: `openid ${RESOURCE}/desk:read`,
  auth_time: TIMES.iat,
  jti: 'aaaaaaaa-bbbb-cccc-dddd-ffffffffffff',
  username: 'ada',
};

const BOUND = { ...ACCESS_TOKEN, aud: RESOURCE };

const ID_TOKEN = {
  ...TIMES,
  sub: ACCESS_TOKEN.sub,
  iss: ACCESS_TOKEN.iss,
  'cognito:username': 'ada',
  aud: CLIENT,
  token_use: 'id',
  email: 'ada@example.com',
};

describe('idp.cognito', () => {
  let cognito: ProviderTokens;

  beforeAll(async () => {
    cognito = await ProviderTokens.start();
  });

  afterAll(() => cognito.stop());

  async function validate(payload: object, options: Partial<CognitoOptions> = {}) {
    const jwt = idp.cognito({ userPoolId: POOL, jwksUrl: cognito.jwksUrl, ...options });
    return cognito.validate(jwt, await cognito.sign(payload));
  }

  it('takes an access token that a client asked for with "resource" (AUTH-17)', async () => {
    expect(await validate(BOUND)).toMatchObject({
      sub: ACCESS_TOKEN.sub,
      iss: 'https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_AbCdEfGhI',
      aud: [RESOURCE],
      clientId: CLIENT,
    });
  });

  it('takes scopes without the resource server that Cognito puts before them (AUTH-17, AUTH-09)', async () => {
    const claims = await validate(BOUND, { resourceServer: RESOURCE });
    expect(claims.scopes).toEqual(['openid', 'desk:read']);
    const foreign = { ...BOUND, scope: 'https://mail.example.com/desk:read' };
    expect((await validate(foreign, { resourceServer: RESOURCE })).scopes).toEqual([
      'https://mail.example.com/desk:read',
    ]);
  });

  it('takes an access token without an audience from known clients alone (AUTH-17)', async () => {
    await expect(validate(ACCESS_TOKEN)).rejects.toThrow(InvalidTokenError);
    const known = await validate(ACCESS_TOKEN, { clientIds: ['another', CLIENT] });
    expect(known).toMatchObject({ sub: ACCESS_TOKEN.sub, clientId: CLIENT });
    await expect(validate(ACCESS_TOKEN, { clientIds: ['another'] })).rejects.toThrow(InvalidTokenError);
    await expect(validate(ACCESS_TOKEN, { clientIds: [] })).rejects.toThrow(McpConfigurationError);
  });

  it.each([
    ['where the audience counts', {}],
    ['where the client counts', { clientIds: [CLIENT] }],
    ['where the client is the audience', { audience: CLIENT }],
  ])('refuses an ID token %s (AUTH-17)', async (_, options) => {
    await expect(validate(ID_TOKEN, options)).rejects.toThrow(InvalidTokenError);
  });

  it('does not recognize a token of another pool (AUTH-17)', async () => {
    const other = { ...BOUND, iss: `${ACCESS_TOKEN.iss}J` };
    await expect(validate(other)).rejects.toThrow('Not recognized: "iss" is');
  });

  it('finds the keys of the pool (AUTH-17)', () => {
    expect(idp.cognito({ userPoolId: 'us-gov-west-1_AbCdEfGhI' })).toMatchObject({
      issuer: 'https://cognito-idp.us-gov-west-1.amazonaws.com/us-gov-west-1_AbCdEfGhI',
      jwksUrl:
        'https://cognito-idp.us-gov-west-1.amazonaws.com/us-gov-west-1_AbCdEfGhI/.well-known/jwks.json',
    });
  });

  it.each([
    ['AbCdEfGhI'],
    ['eu-central-1'],
    ['eu-central-1_'],
    ['evil.example.com/eu-central-1_A'],
    ['eu-central-1_A/../b'],
    [''],
  ])('refuses the pool %j (AUTH-17)', (userPoolId) => {
    expect(() => idp.cognito({ userPoolId })).toThrow(McpConfigurationError);
    expect(() => idp.cognito({ userPoolId })).toThrow('idp.cognito.userPoolId');
  });
});
