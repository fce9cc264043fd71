import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EntraOptions, idp } from '../../../../../lib/server/auth/identity-providers/idp.js';
import { InvalidTokenError } from '../../../../../lib/server/auth/errors.js';
import { McpConfigurationError } from '../../../../../lib/server/settings/mcp-configuration.error.js';
import { ProviderTokens, RESOURCE, TIMES } from '../../../support/provider-tokens.js';

const TENANT = 'aaaabbbb-0000-cccc-1111-dddd2222eeee';
const API = '00001111-aaaa-2222-bbbb-3333cccc4444';
const CLIENT = '11112222-bbbb-3333-cccc-4444dddd5555';

const COMMON = {
  ...TIMES,
  nbf: TIMES.iat,
  aio: 'AXQAi/8TAAAA',
  oid: 'aaaaaaaa-0000-1111-2222-bbbbbbbbbbbb',
  rh: '0.AAAAA',
  scp: 'desk:read desk:write',
  sub: 'HKZpfaHyWadeOouYlitjrI-KffTm222X5rrV3xDqfKQ',
  tid: TENANT,
  uti: 'AbCdEf',
};

const VERSION_2 = {
  ...COMMON,
  aud: API,
  iss: `https://login.microsoftonline.com/${TENANT}/v2.0`,
  azp: CLIENT,
  azpacr: '0',
  name: 'Ada',
  preferred_username: 'ada@example.com',
  ver: '2.0',
};

const VERSION_1 = {
  ...COMMON,
  aud: `api://${API}`,
  iss: `https://sts.windows.net/${TENANT}/`,
  acr: '1',
  amr: ['pwd'],
  appid: CLIENT,
  appidacr: '0',
  unique_name: 'ada@example.com',
  ver: '1.0',
};

describe('idp.entra', () => {
  let entra: ProviderTokens;

  beforeAll(async () => {
    entra = await ProviderTokens.start();
  });

  afterAll(() => entra.stop());

  async function validate(payload: object, options: Partial<EntraOptions> = {}) {
    const jwt = idp.entra({ tenantId: TENANT, clientId: API, jwksUrl: entra.jwksUrl, ...options });
    return entra.validate(jwt, await entra.sign(payload, { typ: 'JWT', x5t: 'thumbprint' }));
  }

  it.each([
    ['version 2.0', VERSION_2],
    ['version 1.0', VERSION_1],
    ['version 1.0 for the client ID', { ...VERSION_1, aud: API }],
  ])('takes an access token of %s (AUTH-17)', async (_, payload) => {
    const claims = await validate(payload);
    expect(claims).toMatchObject({
      iss: payload.iss,
      sub: COMMON.sub,
      clientId: CLIENT,
      scopes: ['desk:read', 'desk:write'],
    });
    expect(claims.extra).toMatchObject({ tid: TENANT, oid: COMMON.oid });
  });

  it('takes an access token for the URL that the API is registered under (AUTH-17)', async () => {
    const options = { applicationIdUri: RESOURCE };
    expect(await validate({ ...VERSION_1, aud: RESOURCE }, options)).toBeDefined();
    expect(await validate(VERSION_2, options)).toBeDefined();
    await expect(validate({ ...VERSION_1, aud: `api://${API}` }, options)).rejects.toThrow(InvalidTokenError);
  });

  it.each([
    ['version 2.0', VERSION_2],
    ['version 1.0', VERSION_1],
  ])('takes an access token of %s if the IDs are given in capitals (AUTH-17)', async (_, payload) => {
    const options = { tenantId: TENANT.toUpperCase(), clientId: API.toUpperCase() };
    expect(await validate(payload, options)).toMatchObject({ iss: payload.iss });
  });

  it('takes app roles for scopes only where that is asked for (AUTH-17, AUTH-09)', async () => {
    const { scp: _, ...application } = { ...VERSION_2, idtyp: 'app', roles: ['desk:read'] };
    expect((await validate(application)).scopes).toEqual([]);
    expect((await validate(application, { roles: true })).scopes).toEqual(['desk:read']);
  });

  it.each([
    ['for Microsoft Graph', { aud: '00000003-0000-0000-c000-000000000000' }],
    ['for another API', { aud: CLIENT }],
    ['that is an ID token', { aud: CLIENT, nonce: 'n', scp: undefined }],
    ['that is an ID token of a client that is registered as the API', { nonce: 'n', scp: undefined }],
  ])('refuses a token %s (AUTH-17)', async (_, claims) => {
    await expect(validate({ ...VERSION_2, ...claims })).rejects.toThrow(InvalidTokenError);
  });

  it('does not recognize a token of another tenant (AUTH-17)', async () => {
    const other = { ...VERSION_2, iss: `https://login.microsoftonline.com/${API}/v2.0` };
    await expect(validate(other)).rejects.toThrow('Not recognized: "iss" is');
  });

  it('says what clients put before scopes, and where the keys are (AUTH-17)', () => {
    expect(idp.entra({ tenantId: TENANT, clientId: API })).toMatchObject({
      jwksUrl: `https://login.microsoftonline.com/${TENANT}/discovery/v2.0/keys`,
      scopePrefix: `api://${API}/`,
    });
    const url = { applicationIdUri: 'https://desk.example.com/' };
    expect(idp.entra({ tenantId: TENANT, clientId: API, ...url })).toMatchObject({
      audience: [API, 'https://desk.example.com/'],
      scopePrefix: 'https://desk.example.com/',
    });
  });

  it.each([
    [{ tenantId: 'common', clientId: API }, 'idp.entra.tenantId'],
    [{ tenantId: 'desk.onmicrosoft.com', clientId: API }, 'idp.entra.tenantId'],
    [{ tenantId: `${TENANT}/../b`, clientId: API }, 'idp.entra.tenantId'],
    [{ tenantId: TENANT, clientId: `api://${API}` }, 'idp.entra.clientId'],
  ])('refuses %j (AUTH-17)', (options, option) => {
    expect(() => idp.entra(options)).toThrow(McpConfigurationError);
    expect(() => idp.entra(options)).toThrow(option);
  });
});
