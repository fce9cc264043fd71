import { describe, expect, it } from '@jest/globals';
import { assertOptions } from '../../../../lib/server/settings/mcp-options.js';
import type { TokenExchangeOptions } from '../../../../lib/server/settings/auth/exchange-options.js';
import { catchFault } from '../../support/configuration-fault.js';
import { buildSettings, SERVER_INFO as serverInfo } from '../../support/settings.js';

const ISSUER = 'https://login.example.com';
const BEARER = 'a-fixed-token-of-the-desk';
const DESK = { resourceUri: 'https://desk.example.com/mcp', authorizationServers: [ISSUER] };
const SERVED = { ...DESK, jwt: {} };
const CLIENT = { clientId: 'desk', clientSecret: 'hunter2' };
const KEY = { clientId: 'desk', privateKey: '-----BEGIN PRIVATE KEY-----' };
const TOKEN_ENDPOINT = `${ISSUER}/token`;

describe('The option "auth.exchange"', () => {
  it.each<readonly [option: string, exchange: unknown, says: RegExp]>([
    ['exchange', true, /must be an object with tokenEndpoint, /],
    ['exchange.secret', { ...CLIENT, secret: 'x' }, /is not a known option: use one of tokenEndpoint/],
    ['exchange.clientId', { clientSecret: 'hunter2' }, /is required: set it to a value such as "desk"/],
    ['exchange.clientSecret', { clientId: 'desk' }, /is required unless "privateKey" is set/],
    ['exchange.clientSecret', { ...CLIENT, clientSecret: '' }, /must be a non-empty string/],
    ['exchange.privateKey', { ...KEY, privateKey: 'hunter2' }, /must be a private key, as PEM or JWK/],
    ['exchange.privateKey', { ...KEY, privateKey: null }, /must be a private key, as PEM or JWK/],
    ['exchange.privateKey', { ...CLIENT, ...KEY }, /cannot be combined with "clientSecret"/],
    [
      'exchange.privateKey',
      { ...CLIENT, authenticationMethod: 'private_key_jwt' },
      /is required with the authentication method "private_key_jwt"/,
    ],
    [
      'exchange.authenticationMethod',
      { ...CLIENT, authenticationMethod: 'none' },
      /must be "client_secret_basic"/,
    ],
    ['exchange.signingAlgorithm', { ...KEY, signingAlgorithm: 'HS256' }, /must be "RS256"/],
    ['exchange.keyId', { ...KEY, keyId: 7 }, /must be a non-empty string/],
    [
      'exchange.tokenEndpoint',
      { ...CLIENT, tokenEndpoint: 'http://login.example.com' },
      /must be an "https:" URL/,
    ],
    ['exchange.cacheSize', { ...CLIENT, cacheSize: 0 }, /must be a whole number greater than 0/],
    ['exchange.timeoutMs', { ...CLIENT, timeoutMs: 0 }, /must be a whole number greater than 0/],
  ])('is refused for "%s" of %j (OBO-01) (MOD-11)', (option, exchange, says) => {
    const fault = catchFault({ auth: { ...SERVED, exchange } });
    expect(fault.option).toBe(`auth.${option}`);
    expect(fault.message).toMatch(says);
    expect(fault.message).not.toMatch(/\.$|hunter2/);
  });

  it.each([
    ['fixed tokens', { bearer: BEARER }],
    ['a validator of its own', { validator: { validate: () => undefined } }],
  ])('is refused beside %s alone, which nobody else is to see (OBO-01) (MOD-11)', (_what, validators) => {
    const exchange = { ...CLIENT, tokenEndpoint: TOKEN_ENDPOINT };
    const { option, message } = catchFault({ auth: { ...validators, exchange } });
    expect(option).toBe('auth.exchange');
    expect(message).toContain('requires "jwt" or "introspection"');
  });

  it.each([
    { ...SERVED, bearer: BEARER, exchange: { ...CLIENT, tokenEndpoint: TOKEN_ENDPOINT } },
    { ...DESK, introspection: CLIENT, exchange: CLIENT },
    { ...SERVED, exchange: { ...KEY, signingAlgorithm: 'EdDSA', keyId: 'key-1' } },
    { ...SERVED, exchange: { clientId: 'desk', privateKey: { kty: 'EC' }, cacheSize: 1, timeoutMs: 1 } },
  ])('is taken as %j (OBO-01)', (auth) => {
    expect(() => assertOptions({ serverInfo, auth })).not.toThrow();
  });

  it('has defaults (OBO-01)', () => {
    const build = (exchange: TokenExchangeOptions) =>
      buildSettings({ auth: { ...SERVED, exchange } }).auth?.exchange;
    const strict = { insecureHosts: [], ignoreIssuerSlash: false };
    const profile = { profile: 'token-exchange', assertionAudience: 'issuer' };
    const defaults = { issuer: ISSUER, cacheSize: 10_000, timeoutMs: 5000, ...profile, ...strict };
    expect(build(CLIENT)).toStrictEqual({ ...defaults, ...CLIENT });
    expect(build({ ...CLIENT, timeoutMs: 1 })).toStrictEqual({
      ...defaults,
      ...CLIENT,
      timeoutMs: 1,
    });
  });
});
