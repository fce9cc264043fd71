import { describe, expect, it } from '@jest/globals';
import { assertOptions } from '../../../../lib/server/settings/mcp-options.js';
import type { AuthOptions } from '../../../../lib/server/settings/auth/auth-options.js';
import { catchFault } from '../../support/configuration-fault.js';
import { SERVER_INFO as serverInfo } from '../../support/settings.js';

const ISSUER = 'https://login.example.com';
const TOKEN = 'a-fixed-token-of-the-desk';
const SERVED = { resourceUri: 'https://desk.example.com/mcp', authorizationServers: [ISSUER] };
const CREDENTIALS = { clientId: 'desk', clientSecret: 'hunter2' };

const tracerProvider = { getTracer: () => ({}) };
class KeyValidator {
  validate() {
    return undefined;
  }
}

const EVERYTHING = {
  ...SERVED,
  scopesSupported: ['desk:read', 'desk:write'],
  requiredScopes: ['desk:read'],
  jwt: {
    issuer: [ISSUER, 'http://127.0.0.1:4000', 'http://localhost:4000/realms/desk'],
    jwksUrl: 'http://[::1]:4000/jwks',
    audience: ['https://desk.example.com/mcp', 'desk'],
    audienceClaim: 'client_id',
    algorithms: ['RS256', 'PS512', 'ES384', 'EdDSA', 'Ed25519'],
    types: ['at+jwt', 'JWT'],
    scopeClaims: ['scp', 'permissions'],
    scopePrefix: 'api://desk/',
    clockToleranceSeconds: 0,
    cacheTtlMs: 0,
    cacheSize: 1,
    jwks: { cooldownMs: 1, maxAgeMs: 1, maxStaleMs: 0, timeoutMs: 1, prefetch: true },
    tracerProvider,
    jwksTracerProvider: tracerProvider,
  },
  bearer: [TOKEN, { token: 'VG9rZW4vbWFkZSt3aXRoPQ==', subject: 'billing', scopes: ['desk:read'] }],
  introspection: {
    ...CREDENTIALS,
    endpoint: 'https://login.example.com/introspect',
    authenticationMethod: 'client_secret_post',
    audience: 'desk',
    unsafeAllowMissingAudience: true,
    cacheTtlMs: 0,
    cacheSize: 1,
    timeoutMs: 1,
  },
  validator: KeyValidator,
  resourceMetadata: { resource_name: 'Desk' },
  resourceMetadataUrl: 'https://desk.example.com/.well-known/oauth-protected-resource/mcp',
  authorizationServerMetadata: 'proxy',
  filterLists: true,
  endStreamsWithToken: true,
} satisfies AuthOptions;

describe('The option "auth"', () => {
  it.each([[true], ['jwt'], [null], [[]]])('is refused where it is %j (MOD-11)', (auth) => {
    expect(catchFault({ auth }).message).toMatch(/"auth" must be an object with resourceUri, /);
  });

  it.each([[{}], [SERVED], [{ requiredScopes: ['a'] }], [{ jwt: undefined, bearer: undefined }]])(
    'is refused without a way to validate tokens: %j (AUTH-13)',
    (auth) => {
      expect(catchFault({ auth })).toMatchObject({
        option: 'auth',
        message:
          'The MCP option "auth" must include a way to validate tokens: set at least one of "bearer", "jwt", "validator", "introspection"',
      });
    },
  );

  it.each<[string, AuthOptions['jwt'], string]>([
    ['by default', [{}, { audience: 'other' }], ISSUER],
    ['by name and by default', [{ issuer: ISSUER }, {}], ISSUER],
    [
      'among others',
      [{ issuer: ['https://a.example.com', 'https://b.example.com'] }, { issuer: 'https://b.example.com' }],
      'https://b.example.com',
    ],
  ])('is refused with two entries for the tokens of one issuer, %s (AUTH-18) (MOD-11)', (_, jwt, issuer) => {
    expect(catchFault({ auth: { ...SERVED, jwt } })).toMatchObject({
      option: 'auth.jwt',
      message: expect.stringContaining(`must not have two entries for "${issuer}"`),
    });
  });

  it('is taken with everything that it may hold (MOD-11)', () => {
    expect(() => assertOptions({ serverInfo, auth: EVERYTHING })).not.toThrow();
  });

  it.each<[string, object]>([
    ['one kind of JWT', { ...SERVED, jwt: {} }],
    ['several kinds of JWTs', { ...SERVED, jwt: [{}, { issuer: 'https://other.example.com' }] }],
    ['a token', { bearer: TOKEN }],
    ['a token with whom it stands for', { bearer: { token: TOKEN, subject: 'billing' } }],
    ['several tokens', { bearer: [TOKEN, { token: `${TOKEN}-2` }] }],
    ['an instance that validates', { validator: new KeyValidator() }],
    [
      'metadata of the authorization server',
      { bearer: TOKEN, authorizationServerMetadata: { issuer: ISSUER } },
    ],
    [
      'an issuer that is no URL, where its keys are known',
      { ...SERVED, jwt: { issuer: 'desk', jwksUrl: ISSUER } },
    ],
    ['no header "typ" at all', { ...SERVED, jwt: { types: [], scopeClaims: [], scopePrefix: '' } }],
  ])('is taken with %s (AUTH-18)', (_what, auth) => {
    expect(() => assertOptions({ serverInfo, auth })).not.toThrow();
  });

  it('takes undefined members for absent ones, all the way down (MOD-11)', () => {
    const unset = (options: object) =>
      Object.fromEntries(Object.keys(options).map((name) => [name, undefined]));
    const auth = {
      ...unset(EVERYTHING),
      ...SERVED,
      jwt: { ...unset(EVERYTHING.jwt), jwks: unset(EVERYTHING.jwt.jwks) },
      bearer: { token: TOKEN, subject: undefined, scopes: undefined },
      introspection: { ...unset(EVERYTHING.introspection), ...CREDENTIALS },
    };
    expect(() => assertOptions({ serverInfo, auth })).not.toThrow();
  });
});

describe('The option "auth.authorizationServers"', () => {
  it.each<[string, object]>([
    ['jwt', { jwt: {} }],
    ['jwt', { jwt: { issuer: ISSUER, audience: 'desk' }, bearer: TOKEN }],
    ['introspection', { introspection: CREDENTIALS }],
    ['resourceMetadata', { bearer: TOKEN, resourceMetadata: { resource_name: 'Desk' } }],
    ['resourceMetadataUrl', { bearer: TOKEN, resourceMetadataUrl: 'https://desk.example.com/metadata' }],
    ['authorizationServerMetadata', { bearer: TOKEN, authorizationServerMetadata: 'proxy' }],
  ])('is required with "%s": %j (AUTH-14)', (name, auth) => {
    for (const authorizationServers of [undefined, []]) {
      expect(catchFault({ auth: { ...auth, authorizationServers } })).toMatchObject({
        option: 'auth.authorizationServers',
        message: `The MCP option "auth.authorizationServers" is required with "${name}": set it to a value such as ["https://login.example.com"]`,
      });
    }
  });

  it.each<[object]>([
    [{ bearer: TOKEN }],
    [{ validator: KeyValidator }],
    [{ bearer: TOKEN, authorizationServers: [] }],
  ])('can be left out with %j (AUTH-14)', (auth) => {
    expect(() => assertOptions({ serverInfo, auth })).not.toThrow();
  });
});

describe('The option "auth.resourceUri"', () => {
  it.each<[object]>([
    [{ bearer: TOKEN, authorizationServers: [ISSUER] }],
    [{ jwt: {}, authorizationServers: [ISSUER] }],
    [{ jwt: { audience: 'desk' }, authorizationServers: [ISSUER] }],
    [{ introspection: { ...CREDENTIALS, audience: 'desk' }, authorizationServers: [ISSUER] }],
  ])('is required where metadata is served: %j (PRM-02)', (auth) => {
    const { option, message } = catchFault({ auth });
    expect(option).toBe('publicUrl');
    expect(message).toMatch(
      /is required with "auth.authorizationServers", unless "auth.resourceUri" is set: use the URL at which clients reach the endpoint, for example "https:/,
    );
  });

  it('is not required where the public URL is known, or no metadata is served (PRM-02)', () => {
    const auth = { jwt: {}, authorizationServers: [ISSUER] };
    const publicUrl = 'https://desk.example.com/mcp';
    expect(() => assertOptions({ serverInfo, publicUrl, auth })).not.toThrow();
    expect(() =>
      assertOptions({ serverInfo, auth: { bearer: TOKEN, authorizationServers: [] } }),
    ).not.toThrow();
  });

  it('is not taken from a public URL with a fragment (PRM-02)', () => {
    const auth = { jwt: {}, authorizationServers: [ISSUER] };
    expect(catchFault({ publicUrl: 'https://desk.example.com/mcp#tools', auth })).toMatchObject({
      option: 'publicUrl',
      message: 'The MCP option "publicUrl" must not have a fragment',
    });
  });

  const PUBLIC_URL = 'https://desk.example.com/mcp';
  const check = (auth: AuthOptions, publicUrl = PUBLIC_URL) => assertOptions({ serverInfo, publicUrl, auth });

  it.each([PUBLIC_URL, 'https://desk.example.com', 'https://desk.example.com/'])(
    'may have the resource "%s", which is the public URL or above it (MOD-11, PRM-02)',
    (resourceUri) => {
      expect(() => check({ ...SERVED, resourceUri, jwt: {} })).not.toThrow();
    },
  );

  it.each([
    `${PUBLIC_URL}/staff`,
    `${PUBLIC_URL}x`,
    'http://desk.example.com/mcp',
    'https://other.example.com/mcp',
  ])('is refused by both names with the resource "%s" (MOD-11, PRM-02)', (resourceUri) => {
    expect(() => check({ ...SERVED, resourceUri, jwt: {} })).toThrow(
      `"auth.resourceUri" is "${resourceUri}", but "publicUrl" is "${PUBLIC_URL}"`,
    );
  });

  const proxy = (issuer: string): AuthOptions => {
    const authorizationServers = [issuer];
    return { authorizationServers, jwt: {}, authorizationServerMetadata: 'proxy' };
  };

  it.each(['https://desk.example.com/realms/desk', ISSUER])(
    'may show the metadata of the issuer "%s" (MOD-11)',
    (issuer) => expect(() => check(proxy(issuer))).not.toThrow(),
  );

  it.each(['https://desk.example.com', 'https://desk.example.com/', PUBLIC_URL])(
    'does not fetch the metadata of the issuer "%s" from itself (MOD-11)',
    (issuer) => {
      expect(() => check(proxy(issuer))).toThrow(
        `"auth.authorizationServerMetadata" must not be "proxy" for the issuer "${issuer}"`,
      );
    },
  );
});
