import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Auth0Options, idp } from '../../../../../lib/server/auth/identity-providers/idp.js';
import { InvalidTokenError } from '../../../../../lib/server/auth/errors.js';
import { McpConfigurationError } from '../../../../../lib/server/settings/mcp-configuration.error.js';
import { ProviderTokens, RESOURCE, TIMES } from '../../../support/provider-tokens.js';

const DOMAIN = 'desk.eu.auth0.com';

const COMMON = {
  ...TIMES,
  iss: `https://${DOMAIN}/`,
  sub: 'auth0|6553da60a54af58e29493993',
  aud: [RESOURCE, `https://${DOMAIN}/userinfo`],
  scope: 'openid profile desk:read',
};

/** By Auth0's own token profile, and by the profile "RFC 9068". */
const ACCESS_TOKEN = { ...COMMON, azp: 'K1AUPhZq8mRi0Q0pjhkfu1D7y6KjDQja' };
const RFC_9068_TOKEN = {
  ...COMMON,
  client_id: 'K1AUPhZq8mRi0Q0pjhkfu1D7y6KjDQja',
  jti: '73WakrfVbNJBaAmhQtEeDv',
};

describe('idp.auth0', () => {
  let auth0: ProviderTokens;

  beforeAll(async () => {
    auth0 = await ProviderTokens.start();
  });

  afterAll(() => auth0.stop());

  async function validate(payload: object, typ = 'JWT', options: Partial<Auth0Options> = {}) {
    const jwt = idp.auth0({ domain: DOMAIN, jwksUrl: auth0.jwksUrl, ...options });
    return auth0.validate(jwt, await auth0.sign(payload, { typ }));
  }

  it.each([
    ['its own profile', ACCESS_TOKEN, 'JWT'],
    ['the profile RFC 9068', RFC_9068_TOKEN, 'at+jwt'],
  ])('takes an access token by %s (AUTH-17)', async (_, payload, typ) => {
    const claims = await validate(payload, typ);
    expect(claims).toMatchObject({
      sub: 'auth0|6553da60a54af58e29493993',
      iss: 'https://desk.eu.auth0.com/',
      clientId: 'K1AUPhZq8mRi0Q0pjhkfu1D7y6KjDQja',
      scopes: ['openid', 'profile', 'desk:read'],
    });
  });

  it('takes an access token of a machine (AUTH-17)', async () => {
    const machine = { sub: 'awZfdIir8@clients', azp: 'awZfdIir8', aud: RESOURCE, gty: 'client-credentials' };
    expect(await validate({ ...ACCESS_TOKEN, ...machine })).toMatchObject({ clientId: 'awZfdIir8' });
  });

  it('takes permissions for scopes only where that is asked for (AUTH-17, AUTH-09)', async () => {
    const payload = { ...ACCESS_TOKEN, permissions: ['desk:read', 'desk:write'] };
    const plain = await validate(payload);
    expect(plain.scopes).toEqual(['openid', 'profile', 'desk:read']);
    expect(plain.extra['permissions']).toEqual(['desk:read', 'desk:write']);
    const asked = await validate(payload, 'JWT', { permissions: true });
    expect(asked.scopes).toEqual(['openid', 'profile', 'desk:read', 'desk:write']);
  });

  it('takes an API that is registered under another identifier (AUTH-17)', async () => {
    const options = { audience: 'urn:desk' };
    expect(await validate({ ...ACCESS_TOKEN, aud: 'urn:desk' }, 'JWT', options)).toBeDefined();
    await expect(validate(ACCESS_TOKEN, 'JWT', options)).rejects.toThrow(InvalidTokenError);
  });

  it.each([
    ['for the user info alone', { aud: `https://${DOMAIN}/userinfo` }],
    ['that is an ID token', { aud: 'K1AUPhZq8mRi0Q0pjhkfu1D7y6KjDQja', nonce: 'n' }],
  ])('refuses a token %s (AUTH-17)', async (_, claims) => {
    await expect(validate({ ...ACCESS_TOKEN, ...claims })).rejects.toThrow(InvalidTokenError);
  });

  it('does not recognize an issuer without the slash that Auth0 writes (AUTH-17)', async () => {
    const other = { ...ACCESS_TOKEN, iss: `https://${DOMAIN}` };
    await expect(validate(other)).rejects.toThrow('Not recognized: "iss" is');
  });

  it.each([['desk.eu.auth0.com'], ['https://desk.eu.auth0.com'], ['https://desk.eu.auth0.com/']])(
    'finds issuer and keys of %s (AUTH-17)',
    (domain) => {
      expect(idp.auth0({ domain })).toMatchObject({
        issuer: 'https://desk.eu.auth0.com/',
        jwksUrl: 'https://desk.eu.auth0.com/.well-known/jwks.json',
      });
    },
  );

  it.each([[''], ['http://desk.eu.auth0.com'], ['desk.eu.auth0.com?x'], ['desk eu']])(
    'refuses the domain %j (AUTH-17)',
    (domain) => {
      expect(() => idp.auth0({ domain })).toThrow(McpConfigurationError);
      expect(() => idp.auth0({ domain })).toThrow('idp.auth0.domain');
    },
  );
});
