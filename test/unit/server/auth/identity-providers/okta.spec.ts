import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { idp, type OktaOptions } from '../../../../../lib/server/auth/identity-providers/idp.js';
import { InvalidTokenError } from '../../../../../lib/server/auth/errors.js';
import { McpConfigurationError } from '../../../../../lib/server/settings/mcp-configuration.error.js';
import { ProviderTokens, RESOURCE, TIMES } from '../../../support/provider-tokens.js';

const DOMAIN = 'desk.okta.com';
const SERVER = 'aus9o8wzkhckw9TLa0h7';

/** As a custom authorization server writes it; its header has no `typ`. */
const ACCESS_TOKEN = {
  ...TIMES,
  ver: 1,
  jti: 'AT.0mP4JKAZX1iACIT4vbEDF7LpvDVjxypPMf0D7uX39RE',
  iss: `https://${DOMAIN}/oauth2/${SERVER}`,
  aud: RESOURCE,
  cid: 'nmdP1fcyvdVO11AL7ECm',
  uid: '00ujmkLgagxeRrAg20g3',
  scp: ['openid', 'desk:read'],
  auth_time: TIMES.iat,
  sub: 'ada@example.com',
};

describe('idp.okta', () => {
  let okta: ProviderTokens;

  beforeAll(async () => {
    okta = await ProviderTokens.start();
  });

  afterAll(() => okta.stop());

  async function validate(payload: object, options: Partial<OktaOptions> = {}, header = {}) {
    const server = { domain: DOMAIN, authorizationServerId: SERVER, jwksUrl: okta.jwksUrl };
    return okta.validate(idp.okta({ ...server, ...options }), await okta.sign(payload, header));
  }

  it('takes an access token of a custom authorization server (AUTH-17)', async () => {
    const claims = await validate(ACCESS_TOKEN);
    expect(claims).toMatchObject({
      sub: 'ada@example.com',
      iss: 'https://desk.okta.com/oauth2/aus9o8wzkhckw9TLa0h7',
      aud: [RESOURCE],
      clientId: 'nmdP1fcyvdVO11AL7ECm',
      scopes: ['openid', 'desk:read'],
    });
    expect(claims.extra).toMatchObject({ uid: '00ujmkLgagxeRrAg20g3' });
  });

  it('takes an access token of a service (AUTH-17)', async () => {
    const { uid: _, ...service } = { ...ACCESS_TOKEN, sub: ACCESS_TOKEN.cid, scp: ['desk:read'] };
    expect(await validate(service)).toMatchObject({ sub: ACCESS_TOKEN.cid, clientId: ACCESS_TOKEN.cid });
  });

  it('takes for the server "default" the audience that Okta gave it, or another (AUTH-17)', async () => {
    const payload = { ...ACCESS_TOKEN, iss: `https://${DOMAIN}/oauth2/default` };
    const server = { authorizationServerId: 'default' };
    expect(await validate({ ...payload, aud: 'api://default' }, server)).toBeDefined();
    await expect(validate(payload, server)).rejects.toThrow(InvalidTokenError);
    expect(await validate(payload, { ...server, audience: RESOURCE })).toBeDefined();
  });

  it.each([
    ['for another API', { aud: 'https://mail.example.com' }, {}],
    ['that is an ID token', { aud: ACCESS_TOKEN.cid, jti: 'ID.4eAW', at_hash: 'h' }, {}],
    ['of the type of the org server', {}, { typ: 'application/okta-internal-at+jwt' }],
  ])('refuses a token %s (AUTH-17)', async (_, claims, header) => {
    await expect(validate({ ...ACCESS_TOKEN, ...claims }, {}, header)).rejects.toThrow(InvalidTokenError);
  });

  it('does not recognize a token of the org server (AUTH-17)', async () => {
    const other = { ...ACCESS_TOKEN, iss: `https://${DOMAIN}` };
    await expect(validate(other)).rejects.toThrow('Not recognized: "iss" is');
  });

  it('finds the server "default" where none is named (AUTH-17)', () => {
    expect(idp.okta({ domain: 'https://desk.okta.com/' })).toMatchObject({
      issuer: 'https://desk.okta.com/oauth2/default',
      jwksUrl: 'https://desk.okta.com/oauth2/default/v1/keys',
      audience: 'api://default',
    });
  });

  it.each([
    [{ domain: DOMAIN, authorizationServerId: 'default/v1' }, 'idp.okta.authorizationServerId'],
    [{ domain: DOMAIN, authorizationServerId: '' }, 'idp.okta.authorizationServerId'],
    [{ domain: '' }, 'idp.okta.domain'],
  ])('refuses %j (AUTH-17)', (options, option) => {
    expect(() => idp.okta(options)).toThrow(McpConfigurationError);
    expect(() => idp.okta(options)).toThrow(option);
  });
});
